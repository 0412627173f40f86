//! Training of the model that proposes what a word names ([`tuppum_corpus::names`]): words that a lexicon knows, in the
//! lines where they occur, and how well names are known whose lemma was never seen.

pub mod examples;
pub mod lexicon;
pub mod nearest;
pub mod scores;
pub mod training;

#[cfg(test)]
mod tests;
