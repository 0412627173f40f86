//! A translation memory: for a passage the edited passages whose Akkadian is nearest, with their published
//! translations.
//!
//! Sources are attested texts whose lines are the pairs. What is nearest is found as parallels are; of each stretch
//! that is like the passage, the run of whole pairs is taken whose signs agree best with it. Where one run leaves a
//! part of the passage out, other runs are found for that part, and their translations stand one behind another.

mod consensus;
mod pack;
mod pairs;
mod recall;

pub use pack::{read, write};
pub use pairs::{AskedPassage, MemoryError, PairSource, TranslationMemory};
pub use recall::{Recall, Remembered};

#[cfg(test)]
mod tests;
