//! Transliterations: reading what was typed, and writing it back.
//!
//! Reading never fails: [`Document::read`] keeps every byte of the input, marks what it could not read and says why.
//! Canonical form is Oracc Unicode (`u₂`, `š`, plain `h`, `{d}`, capitals for logograms).

#![warn(missing_docs)]

pub mod augment;
pub mod bytes;
mod convention;
pub mod document;
pub mod editorial;
pub mod encode;
pub mod examples;
pub mod export;
mod letters;
pub mod pair_table;
pub mod parts;
mod read;
mod sign_state;
pub mod signs;
pub mod tokens;
mod translations;
pub mod write;

pub use convention::{
    Convention, ConventionEvidence, ConventionFound, DeterminativeStyle, IndexStyle, LetterStyle, Style,
};
pub use document::{
    Diagnostic, Document, Edit, Joiner, Language, Line, LineKind, ReadingOptions, Severity, Sign, SignIndex, SignKind,
    Span, State,
};
pub use export::table_cell;
pub use letters::is_logogram;
pub use read::speaks_of_a_break;
pub use sign_state::SignState;
pub use signs::counted;
pub use translations::TypedTranslation;
