//! Errors of building an index of texts and of reading a pack.

use std::fmt;

/// The texts exceed the range of an index's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Plural noun for the items that are too many: "texts" or "readings".
    pub what: &'static str,
    /// Largest number of items that an index can hold.
    pub most: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "An index holds at most {} {}; divide the texts into several.", self.most, self.what)
    }
}

impl std::error::Error for TooLarge {}

/// Reason why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The bytes are not a pack of attested texts.
    NoPack,
    /// The pack was written by a newer or older program.
    Version {
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        known: u32,
    },
    /// The pack ends too early.
    CutOff,
    /// The pack lacks a section.
    Missing {
        /// Name of the missing section.
        section: &'static str,
    },
    /// A section has invalid content.
    Damaged {
        /// Name of the damaged section.
        section: &'static str,
    },
}

impl fmt::Display for PackError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PackError::NoPack => write!(formatter, "This file is no pack of attested texts."),
            PackError::Version { found, known } => write!(
                formatter,
                "This pack of attested texts has version {found}, and this program reads version {known}; reload the \
                 page, or fetch the pack anew."
            ),
            PackError::CutOff => write!(formatter, "This pack of attested texts is cut off; fetch it anew."),
            PackError::Missing { section } => {
                write!(formatter, "This pack of attested texts has no {section}; fetch it anew.")
            }
            PackError::Damaged { section } => {
                write!(formatter, "The {section} of this pack of attested texts are damaged; fetch it anew.")
            }
        }
    }
}

impl std::error::Error for PackError {}
