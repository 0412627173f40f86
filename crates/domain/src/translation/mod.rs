//! Translation of a transliteration: the question, the input of the model, and the interpretation of its output, sign
//! by sign.
//!
//! There are no tensors, so that the page can use these types without linking burn. A [`Question`] about a text becomes
//! [`Passage`]s ([`source`]), each one or more lines in the form that the translator was trained on. An output of
//! [`generation`](super::generation) becomes a [`Candidate`] ([`answer`]), whose words know the words they come from;
//! [`calibration`] estimates how many of them are right. [`wording`] compares it with the user's version, [`names`]
//! finds proper names, [`fractions`] writes fractions in another form, [`quantities`] compares numbers and weights with
//! those of the source, [`attention`] has questions about attention. [`training`] is the plan of training, [`learns`]
//! the trained part, [`bias`] the attached bias, and [`points`] the training of its points.

pub mod answer;
mod as_read;
pub mod attention;
pub mod bias;
pub mod calibration;
mod clauses;
pub mod fractions;
pub mod learns;
pub mod names;
mod numbers;
pub mod points;
pub mod quantities;
mod question;
pub mod source;
pub mod training;
pub mod wording;

pub use answer::{Candidate, ShownWord, TargetWord, Translated, TranslationAnswer};
pub use calibration::Calibration;
pub use question::Question;
pub use source::{Passage, Scope, SourceWord, passages};
pub use wording::{Wording, wording};
