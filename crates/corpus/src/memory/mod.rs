//! A translation memory: for a passage the edited passages whose Akkadian is nearest, with their published
//! translations.
//!
//! Sources are attested texts whose lines are the pairs. What is nearest is found as parallels are; of each stretch
//! that is like the passage, the run of whole pairs is taken whose signs agree best with it. Where one run leaves a
//! part of the passage out, other runs are found for that part, and their translations stand one behind another. Which
//! of the nearest runs serves best is told by what their words mean elsewhere; names and numbers of the passage are
//! carried over into the translation where that is sure.

mod carry;
mod compact;
mod english;
mod pack;
mod pairs;
mod ranking;
mod recall;
mod words;

pub use pack::{read, write};
pub use pairs::{AskedPassage, MemoryError, PairSource, TranslationMemory};
pub use ranking::Evidence;
pub use recall::{Recall, Remembered};

#[cfg(test)]
mod tests;
