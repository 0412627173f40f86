//! Glosses: which lemmata a lexicon has under the spelling of a word, and where it has not that spelling, under those
//! that are most like it.
//!
//! A spelling is a row of readings. Known ones are found by a binary search; for every way in which others may be like
//! them there is a key (`forms`), and an index of all spellings by it that is made when it is first asked for.

mod builder;
mod coverage;
mod endings;
mod forms;
mod glossary;
mod index;
mod lexicon_file;
mod pack;
mod words;

pub use builder::GlossaryBuilder;
pub use coverage::{Agreement, Coverage, MeasuredWords, agreement};
pub(crate) use forms::Forms;
pub(crate) use glossary::written;
pub use glossary::{Found, Glossary};
pub use lexicon_file::{LexiconRow, for_each_entry};
pub use pack::{read, write};

#[cfg(test)]
mod tests;
