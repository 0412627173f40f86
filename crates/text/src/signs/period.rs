//! Periods that the corpora are counted by.

use serde::{Deserialize, Serialize};

/// Period of the corpora, for re-ranking by its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Period {
    /// Old Assyrian, about 1950-1850 BC.
    OldAssyrian,
    /// Old Babylonian, about 2000-1600 BC.
    OldBabylonian,
    /// Middle Babylonian and the western periphery (Amarna, Nuzi), about 1400-1100 BC.
    MiddleBabylonian,
    /// Assyrian royal inscriptions.
    RoyalInscriptions,
    /// Neo-Assyrian archives and scholarship, 911-612 BC.
    NeoAssyrian,
    /// Neo- and Late Babylonian.
    NeoBabylonian,
    /// Standard Babylonian literature.
    StandardBabylonian,
}

impl Period {
    /// All periods, oldest first.
    pub const ALL: [Period; 7] = [
        Period::OldAssyrian,
        Period::OldBabylonian,
        Period::MiddleBabylonian,
        Period::RoyalInscriptions,
        Period::NeoAssyrian,
        Period::NeoBabylonian,
        Period::StandardBabylonian,
    ];

    /// Returns the name that a reader knows.
    pub fn name(self) -> &'static str {
        match self {
            Period::OldAssyrian => "Old Assyrian",
            Period::OldBabylonian => "Old Babylonian",
            Period::MiddleBabylonian => "Middle Babylonian, Amarna, Nuzi",
            Period::RoyalInscriptions => "Assyrian royal inscriptions",
            Period::NeoAssyrian => "Neo-Assyrian",
            Period::NeoBabylonian => "Neo- and Late Babylonian",
            Period::StandardBabylonian => "Standard Babylonian",
        }
    }

    /// Returns the column in the counts: 0 for the oldest.
    pub(super) fn column(self) -> usize {
        self as usize
    }
}
