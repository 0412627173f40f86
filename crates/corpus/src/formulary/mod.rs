//! A formulary of Old Assyrian: the clauses that letters, debt notes, witness lists, transport contracts and accounts
//! consist of, each with its English and the texts that contain it.
//!
//! The clauses are in `clauses/*.toml`, names in `names.tsv`, goods, places, months and offices in `things.tsv`; all
//! are compiled in. A clause is a sequence of words and of slots for names, amounts and things. A passage is covered
//! with clauses so that as many of its words as possible stand in one; other words are left as they are. Words are
//! compared by their sounds without index, or by their signs, so that other readings of the same signs match.
//! `docs/formulary.md` says how to add a clause, and how much is covered.

mod amount;
mod clause;
mod cover;
mod draw;
mod error;
mod fill;
mod number;
mod pattern;
mod tables;
mod word;

pub use clause::{Clause, SourceFile};
pub use cover::Formulary;
pub use draw::SyntheticPair;
pub use error::{FormularyError, FormularyProblem};
pub use word::PassageWord;

#[cfg(test)]
mod tests;
