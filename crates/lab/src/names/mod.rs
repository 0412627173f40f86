//! What a word names: gods, persons, places.

pub mod by_determinative;
pub mod by_lexicon;
mod tables;
