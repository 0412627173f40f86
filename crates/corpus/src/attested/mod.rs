//! Attested texts: the signs of many texts in one sequence, each with its reading, state and place, and for every sign
//! of the script the places where it stands.
//!
//! There is no object per word or line: a sign is a number of two bytes, its text another, and the places of every sign
//! are one list that a counting sort makes when the pack is opened. Three million signs take some 27 MB.

mod builder;
mod labels;
mod own;
mod pack;
mod readings;
mod sections;
mod texts;

pub use builder::Builder;
pub(crate) use own::glyph;
pub use own::{NAME_LIST, OwnText};
pub use pack::{read, write};
pub(crate) use pack::{read_sections, sections_of};
pub use readings::{BREAK, ILLEGIBLE, ReadingId, Readings, SignClass, TEXT_END, TooLarge};
pub use sections::PackError;
pub(crate) use sections::{Sections, push_number, push_small, take_number, take_small, write as write_sections};
pub use texts::{AttestedSign, AttestedTexts, Place, TextNumber, TextRecord, asked};
pub(crate) use texts::{joiner, written_signs};

#[cfg(test)]
mod tests;
