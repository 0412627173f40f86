//! Parser for CSS colours.

use plotters::style::RGBColor;

/// Reads `#rrggbb`, `#rgb`, `rgb(…)`, `rgba(…)` and `color(srgb …)`: the notations of palettes and of browsers'
/// resolved colours. Opacity is ignored.
pub fn parse(css: &str) -> Option<RGBColor> {
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
pub fn contrast(one: &str, other: &str) -> Option<f64> {
    let luminance = |css: &str| {
        let RGBColor(red, green, blue) = parse(css)?;
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
    fn colours_are_read_as_browsers_write_them() {
        let brown = RGBColor(179, 74, 0);
        for css in ["#b34a00", "#B34A00", "rgb(179, 74, 0)", "rgba(179, 74, 0, 0.5)", "rgb(179 74 0 / 50%)"] {
            assert_eq!(parse(css), Some(brown), "{css}");
        }
        assert_eq!(parse("color(srgb 0.702 0.29 0)"), Some(brown));
        assert_eq!(parse("#fa0"), Some(RGBColor(255, 170, 0)));
        for css in ["", "#12345", "#12345g", "red", "rgb(1, 2)", "color(display-p3 1 0 0)", "var(--ink)"] {
            assert_eq!(parse(css), None, "{css}");
        }
    }
}
