//! Glosses: looks up the spelling of a word in a lexicon, and if it is unknown, the spellings most like it.
//!
//! A spelling is a sequence of readings. Known spellings are found by binary search. For every way in which others may
//! be like them there is a key (`forms`) and an index of all spellings by this key, built when it is first needed.

mod builder;
mod coverage;
mod forms;
mod glossary;
mod lexicon_file;
mod pack;

pub use builder::GlossaryBuilder;
pub use coverage::{Agreement, Coverage, MeasuredWords, agreement};
pub(crate) use forms::Forms;
pub(crate) use glossary::written;
pub use glossary::{Found, Glossary};
pub use lexicon_file::{LexiconRow, for_each_entry};
pub use pack::{read, write};

#[cfg(test)]
mod tests;
