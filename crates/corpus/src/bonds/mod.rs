//! Signs that a reader binds together: a determinative and its noun, a logogram and the syllables it is read as.
//!
//! The tree of signs and readings knows which readings a sign has, not which signs occur together: in it {d} and UTU
//! are unrelated. [`determinatives`] and [`logograms`] count such bonds in the corpora and the lexicon; [`ways`] adds
//! them to the tree as shortcuts and measures every distance along the shortest path.

pub mod determinatives;
pub mod logograms;
pub mod ways;

/// Two readings that belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// Determinative or logogram: a node of [`tuppum_text::signs::taxonomy::SignTree`].
    pub one: u32,
    /// Sign of the noun, or a syllable that the logogram is read as.
    pub other: u32,
    /// Strength above 0, at most 1.
    pub strength: f64,
}

/// Minimum strength of a bond. A weaker bond would shorten the path between two signs by less than 15 %.
pub const MIN_STRENGTH: f64 = 0.2;

impl Bond {
    /// Returns the length of the bond's edge, on a scale where two readings of different signs are 2 apart: ½ if each
    /// sign always comes with the other, as far as a sign from its reading; 2 if nothing binds them.
    pub fn length(&self) -> f64 {
        2.0 - 1.5 * self.strength
    }
}
