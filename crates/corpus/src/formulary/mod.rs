//! A formulary of Old Assyrian: the clauses of which letters, debt notes, witness lists, transport contracts and
//! accounts are made, each with its English and texts in which it stands.
//!
//! The clauses lie in `clauses/*.toml`, names in `names.tsv`, goods, places, months and offices in `things.tsv`; all
//! are compiled in. A clause is a row of words and of slots for names, amounts and things. A passage is covered by
//! clauses so that as many of its words as possible stand in one; what no clause has is left as it stands. Words are
//! compared by their sounds without index, or by their signs, so that other readings of the same signs match.
//! `docs/formulary.md` says how a clause is added, and how much is covered.

mod amount;
mod clause;
mod cover;
mod draw;
mod error;
mod fill;
mod index;
mod number;
mod pattern;
mod plan;
mod tables;
mod word;

pub use clause::{Clause, SourceFile};
pub use cover::Formulary;
pub use draw::SyntheticPair;
pub use error::{FormularyError, FormularyProblem};
pub use word::PassageWord;

#[cfg(test)]
mod tests;
