//! Colours of a map: cividis for shares, purple to orange for differences. Both are safe for colour-blind readers:
//! cividis by construction (Nuñez, Anderton and Renslow 2018), the other as "PuOr" of ColorBrewer.
//!
//! A value becomes one of [`LEVELS`] levels by the square root of its magnitude over the largest. Attention has few
//! large and many small numbers, and without the root all small ones would look alike.

/// Number of levels; odd, so that a difference of zero has a level of its own.
pub const LEVELS: u8 = 61;

/// Range of values that the colours stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Values from 0 to the given number.
    Share(f32),
    /// Values from minus the given number to the given number.
    Difference(f32),
}

/// Red, green and blue of a colour.
pub type Colour = [u8; 3];

const CIVIDIS: [Colour; 9] = [
    [0, 34, 78],
    [18, 53, 112],
    [59, 73, 108],
    [87, 93, 109],
    [112, 113, 115],
    [138, 134, 120],
    [165, 156, 116],
    [204, 187, 97],
    [254, 232, 56],
];
const ON_LIGHT: [Colour; 5] = [[84, 39, 136], [153, 142, 195], [247, 247, 247], [241, 163, 64], [179, 88, 6]];
const ON_DARK: [Colour; 5] = [[202, 190, 240], [128, 115, 172], [36, 38, 42], [192, 110, 20], [253, 196, 110]];

impl Scale {
    /// Returns the level of a value.
    pub fn level(self, value: f32) -> u8 {
        let root = |most: f32| if most > 0.0 { (value.abs() / most).min(1.0).sqrt() } else { 0.0 };
        let top = f32::from(LEVELS - 1);
        let place = match self {
            Scale::Share(most) => root(most),
            Scale::Difference(most) => 0.5 + 0.5 * root(most) * if value < 0.0 { -1.0 } else { 1.0 },
        };
        (place * top).round() as u8
    }

    /// Returns the value in the middle of a level, for a legend.
    pub fn value(self, level: u8) -> f32 {
        let place = f32::from(level.min(LEVELS - 1)) / f32::from(LEVELS - 1);
        match self {
            Scale::Share(most) => most * place * place,
            Scale::Difference(most) => {
                let place = 2.0 * place - 1.0;
                most * place * place.abs()
            }
        }
    }

    pub fn colour(self, level: u8, dark: bool) -> Colour {
        let place = f64::from(level.min(LEVELS - 1)) / f64::from(LEVELS - 1);
        match (self, dark) {
            (Scale::Share(_), _) => between(&CIVIDIS, place),
            (Scale::Difference(_), false) => between(&ON_LIGHT, place),
            (Scale::Difference(_), true) => between(&ON_DARK, place),
        }
    }

    pub fn colours(self, dark: bool) -> Vec<Colour> {
        (0..LEVELS).map(|level| self.colour(level, dark)).collect()
    }
}

fn between(stops: &[Colour], place: f64) -> Colour {
    let far = place * (stops.len() - 1) as f64;
    let low = (far.floor() as usize).min(stops.len() - 2);
    let share = far - low as f64;
    let mixed = |part: usize| {
        let (one, other) = (f64::from(stops[low][part]), f64::from(stops[low + 1][part]));
        (one + (other - one) * share).round() as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

/// Writes the colour as CSS.
pub fn css([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
