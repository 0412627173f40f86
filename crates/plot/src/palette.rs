//! Colours of a picture. Kinds of nodes have colours of Okabe and Ito, "Color universal design" (2008), which
//! colour-blind readers can tell apart; each kind has a shape of its own as well.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::contrast;

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
}
