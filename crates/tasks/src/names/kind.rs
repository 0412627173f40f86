//! Kinds of names.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Kind of a name, as classified in Oracc's lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NameKind {
    /// A god (`DN`).
    God,
    /// A king or queen (`RN`).
    Ruler,
    /// Any other person (`PN`).
    Person,
    /// A city or village (`SN`).
    Settlement,
    /// A land or region (`GN`).
    Region,
    /// A people (`EN`).
    People,
    /// A temple (`TN`).
    Temple,
    /// A river or canal (`WN`).
    Watercourse,
    /// A star or constellation (`CN`).
    Star,
    /// A month (`MN`).
    Month,
}

impl NameKind {
    pub const ALL: [Self; 10] = [
        Self::God,
        Self::Ruler,
        Self::Person,
        Self::Settlement,
        Self::Region,
        Self::People,
        Self::Temple,
        Self::Watercourse,
        Self::Star,
        Self::Month,
    ];

    /// Oracc's letters for the kind.
    pub fn letters(self) -> &'static str {
        match self {
            Self::God => "DN",
            Self::Ruler => "RN",
            Self::Person => "PN",
            Self::Settlement => "SN",
            Self::Region => "GN",
            Self::People => "EN",
            Self::Temple => "TN",
            Self::Watercourse => "WN",
            Self::Star => "CN",
            Self::Month => "MN",
        }
    }

    /// Returns the kind for Oracc's letters; `None` if they stand for no kind of name, or for one too rare to be
    /// recognised (objects, clans, quarters).
    pub fn of_letters(letters: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letters() == letters)
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::God => "god",
            Self::Ruler => "ruler",
            Self::Person => "person",
            Self::Settlement => "settlement",
            Self::Region => "region",
            Self::People => "people",
            Self::Temple => "temple",
            Self::Watercourse => "watercourse",
            Self::Star => "star",
            Self::Month => "month",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_letters() {
        for kind in NameKind::ALL {
            assert_eq!(NameKind::of_letters(kind.letters()), Some(kind));
        }
        assert_eq!((NameKind::of_letters("N"), NameKind::of_letters("LN")), (None, None));
    }
}
