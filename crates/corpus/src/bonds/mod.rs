//! Which signs a reader binds together: a determinative and its noun, a logogram and the syllables it is read as.
//!
//! The tree of signs and readings knows which readings one sign has, not which signs stand together: in it {d} and UTU
//! are strangers. [`determinatives`] and [`logograms`] count such bonds in the corpora and the lexicon, [`ways`] adds
//! them to the tree as short cuts, and measures every distance along the shortest way.

pub mod determinatives;
pub mod logograms;
pub mod ways;

/// Two readings that belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// The determinative, or the logogram: a node of [`tuppum_text::signs::taxonomy::SignTree`].
    pub one: u32,
    /// The noun's sign, or a syllable that the logogram is read as.
    pub other: u32,
    /// How much they belong together: above 0, at most 1.
    pub strength: f64,
}

/// A bond below this says too little to be kept: it would shorten the way between two signs by less than 15 %.
pub const WEAKEST: f64 = 0.2;

impl Bond {
    /// The length of the way that the bond opens, where two readings of different signs are 2 apart: ½ where each sign
    /// is sure of the other, as between a sign and its reading; 2 where nothing binds them.
    pub fn length(&self) -> f64 {
        2.0 - 1.5 * self.strength
    }
}
