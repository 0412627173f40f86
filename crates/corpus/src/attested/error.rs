//! Why texts cannot be put into an index, or read from a pack.

use std::fmt;

/// There is more than the numbers of an index can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What there is too much of.
    pub what: &'static str,
    /// How much of it can be counted.
    pub most: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "An index holds at most {} {}; divide the texts into several.", self.most, self.what)
    }
}

impl std::error::Error for TooLarge {}

/// Why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// It is something else.
    NoPack,
    /// It was written by a newer or older program.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// It ends too early.
    CutOff,
    /// It lacks a section.
    Missing {
        /// The section.
        section: &'static str,
    },
    /// A section does not hold what it should.
    Damaged {
        /// The section.
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
