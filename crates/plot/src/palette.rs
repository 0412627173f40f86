//! Colours of a picture. Kinds of nodes have colours of Okabe and Ito, "Color universal design" (2008), which
//! colour-blind readers can tell apart; each kind has a shape of its own as well.

use plotters::style::RGBColor;

/// Colours in CSS notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Background of the whole picture.
    pub ground: String,
    /// Background inside the rim.
    pub paper: String,
    /// Colour of labels.
    pub ink: String,
    /// Colour of circles of equal distance, and of the rim.
    pub line: String,
    /// Colour of the chosen node.
    pub chosen: String,
    /// Colour of each kind of node.
    pub kinds: [String; 5],
}

impl Palette {
    /// Returns dark letters on a light background: the colours of the page's stylesheet.
    pub fn light() -> Self {
        Self::of(
            ["#f6f3ec", "#fffdf8", "#221e18", "#d9d2c3", "#9d1c1c"],
            ["#221e18", "#b34a00", "#0072b2", "#00765a", "#a04f80"],
        )
    }

    /// Returns light letters on a dark background.
    pub fn dark() -> Self {
        Self::of(
            ["#17181a", "#1f2124", "#ece7db", "#3a3c40", "#f5a3a3"],
            ["#ece7db", "#e69f00", "#56b4e9", "#2fbf98", "#dd9cc2"],
        )
    }

    /// Returns black letters on white paper. Colours that stand beside each other differ in lightness too, for printers
    /// without colour.
    pub fn print() -> Self {
        Self::of(
            ["#ffffff", "#ffffff", "#000000", "#c4c4c4", "#9d1c1c"],
            ["#000000", "#c25700", "#004a80", "#2b8a66", "#7a2f5f"],
        )
    }

    /// Returns all colours, in the same order for every palette.
    pub(crate) fn colours(&self) -> impl Iterator<Item = &str> {
        let Self { ground, paper, ink, line, chosen, kinds } = self;
        [ground, paper, ink, line, chosen].into_iter().chain(kinds).map(String::as_str)
    }

    fn of([ground, paper, ink, line, chosen]: [&str; 5], kinds: [&str; 5]) -> Self {
        let [ground, paper, ink, line, chosen] = [ground, paper, ink, line, chosen].map(str::to_owned);
        Self { ground, paper, ink, line, chosen, kinds: kinds.map(str::to_owned) }
    }
}

/// Reads `#rrggbb`, `#rgb`, `rgb(…)`, `rgba(…)` and `color(srgb …)`: the notations of palettes and of browsers'
/// resolved colours. Opacity is ignored.
pub(crate) fn parse_colour(css: &str) -> Option<RGBColor> {
    let css = css.trim();
    if let Some(digits) = css.strip_prefix('#') {
        return hexadecimal(digits);
    }
    let (name, rest) = css.split_once('(')?;
    let (rest, most) = match name {
        "rgb" | "rgba" => (rest, 255.0),
        "color" => (rest.trim_start().strip_prefix("srgb ")?, 1.0),
        _ => return None,
    };
    let parts = rest.split([' ', ',', '/', ')']).filter(|part| !part.is_empty());
    let mut parts = parts.map(|part| match part.strip_suffix('%') {
        Some(percent) => percent.parse().map(|value: f64| value / 100.0),
        None => part.parse().map(|value: f64| value / most),
    });
    let mut next = || Some((parts.next()?.ok()?.clamp(0.0, 1.0) * 255.0).round() as u8);
    Some(RGBColor(next()?, next()?, next()?))
}

fn hexadecimal(digits: &str) -> Option<RGBColor> {
    let value = u32::from_str_radix(digits, 16).ok()?;
    let byte = |shift: u32| (value >> shift) as u8;
    match digits.len() {
        6 => Some(RGBColor(byte(16), byte(8), byte(0))),
        3 => {
            let [red, green, blue] = [8, 4, 0].map(|shift| (byte(shift) & 15) * 17);
            Some(RGBColor(red, green, blue))
        }
        _ => None,
    }
}

/// Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2).
#[cfg(test)]
pub(crate) fn contrast(one: &str, other: &str) -> Option<f64> {
    let luminance = |css: &str| {
        let RGBColor(red, green, blue) = parse_colour(css)?;
        let [red, green, blue] = [red, green, blue].map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        Some(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    };
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some(one.max(other) / one.min(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stand_out_from_what_they_lie_on() {
        for palette in [Palette::light(), Palette::dark(), Palette::print()] {
            let over = |colour: &str| contrast(colour, &palette.paper).unwrap();
            assert!(over(&palette.ink) > 7.0 && over(&palette.chosen) > 4.5, "{palette:?}");
            assert!(palette.kinds.iter().all(|kind| over(kind) > 3.0), "{palette:?}");
        }
    }

    #[test]
    fn colours_on_paper_differ_in_lightness() {
        let kinds = Palette::print().kinds;
        for pair in kinds.windows(2) {
            assert!(contrast(&pair[0], &pair[1]).unwrap() > 1.5, "{pair:?}");
        }
    }

    #[test]
    fn colours_are_read_as_browsers_write_them() {
        let brown = RGBColor(179, 74, 0);
        for css in ["#b34a00", "#B34A00", "rgb(179, 74, 0)", "rgba(179, 74, 0, 0.5)", "rgb(179 74 0 / 50%)"] {
            assert_eq!(parse_colour(css), Some(brown), "{css}");
        }
        assert_eq!(parse_colour("color(srgb 0.702 0.29 0)"), Some(brown));
        assert_eq!(parse_colour("#fa0"), Some(RGBColor(255, 170, 0)));
        for css in ["", "#12345", "#12345g", "red", "rgb(1, 2)", "color(display-p3 1 0 0)", "var(--ink)"] {
            assert_eq!(parse_colour(css), None, "{css}");
        }
    }
}
