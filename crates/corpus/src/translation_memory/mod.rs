//! A translation memory: finds for a passage the edited passages with the most similar Akkadian, and their published
//! translations.
//!
//! Sources are attested texts whose lines are the pairs. Similar stretches are found like parallels; in each stretch
//! the run of whole pairs is taken whose signs agree best with the passage. If one run leaves a part of the passage
//! out, other runs are found for that part, and their translations are put one after another. The best of the nearest
//! runs is chosen by what their words mean elsewhere; names and numbers of the passage are put into the translation
//! where that is certain.

mod carry;
mod compact;
mod pairs;
mod ranking;
mod recall;
mod words;

pub use pairs::{AskedPassage, MemoryError, PairSource, TranslationMemory, read, write};
pub use ranking::RunEvidence;
pub use recall::{Recall, Remembered};

#[cfg(test)]
mod tests;
