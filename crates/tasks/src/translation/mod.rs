//! Translating a transliteration: what is asked, what the model is given to read, and what its output means, sign by
//! sign.
//!
//! No tensors here, so that the page can speak of it without linking burn. A [`Question`] about a text becomes
//! [`Passage`]s ([`source`]), each a line or some lines in the form that the translator was trained on; an output of
//! [`generation`](super::generation) becomes a [`Candidate`] ([`answer`]), whose words know which words they come from;
//! how many of them are expected to be right, a [`calibration`] tells. What a user makes of it is in [`wording`], its
//! proper names in [`names`]; [`attention`] is what can be asked of its attention; [`training`] is how it is trained,
//! [`learns`] says what of it trains, [`bias`] which bias it is given, [`points`] how the points of a bias learn.

pub mod answer;
mod as_read;
pub mod attention;
pub mod bias;
pub mod calibration;
pub mod learns;
pub mod names;
mod numbers;
pub mod points;
mod question;
pub mod source;
pub mod training;
pub mod wording;

pub use answer::{Candidate, ShownWord, TargetWord, Translated, TranslationAnswer};
pub use calibration::Calibration;
pub use question::Question;
pub use source::{Passage, Scope, SourceWord, passages};
pub use wording::{Wording, wording};
