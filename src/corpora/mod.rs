//! The corpora of edited texts on the page: attested readings for gaps, parallels of passages, published translations,
//! words, names and origin, each with links to editions; and the user's own archives.

pub mod attested;
pub mod card;
pub mod clauses;
pub mod origin;
pub mod own;
pub mod own_view;
pub mod parallels;
pub mod place;
pub mod remembered;
pub mod state;
pub mod words;
