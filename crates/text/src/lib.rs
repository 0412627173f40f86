//! Transliterations: reading what was typed, and writing it back.
//!
//! Reading never fails: [`Document::read`] keeps every byte of the input, marks what it could not read and says why.
//! Canonical form is Oracc Unicode (`u₂`, `š`, plain `h`, `{d}`, capitals for logograms).

pub mod augment;
pub mod bytes;
pub mod changes;
mod convention;
mod counted;
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
pub mod span;
pub mod style;
mod table_cell;
pub mod tokens;
mod translations;
pub mod write;

pub use convention::{Convention, ConventionFound, Evidence};
pub use counted::counted;
pub use document::{
    Diagnostic, Document, Edit, Joiner, Language, Line, LineKind, ReadingOptions, Severity, Sign, SignIndex, SignKind,
    State,
};
pub use letters::is_logogram;
pub use read::speaks_of_a_break;
pub use sign_state::SignState;
pub use span::Span;
pub use style::Style;
pub use table_cell::table_cell;
pub use translations::TypedTranslation;
