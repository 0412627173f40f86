//! The things that words name: gods, persons and places, known as such by the determinatives of their spellings and
//! told apart without them (`by_determinative`); and all kinds of names, known by a lexicon and told apart by spelling
//! and company (`by_lexicon`, whose model is shipped).

pub mod by_determinative;
pub mod by_lexicon;
mod classifier;
mod kinds;
mod points;
mod split;
mod tables;
