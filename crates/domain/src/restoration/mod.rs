//! Restoration: which readings stood in the gaps of a text.
//!
//! [`Question`] is what is asked, [`Answer`] what was found; the search between them knows the model only as a
//! [`Scorer`] of masked rows.

pub mod answer;
mod assemble;
pub mod export;
mod joint;
mod knowledge;
mod lengths;
mod plan;
pub mod question;
pub mod rank;
pub mod saliency;
pub mod scorer;
pub mod search;
mod singles;
mod template;
pub mod texts;
#[cfg(test)]
mod toy;
pub mod training;
mod window;

pub use answer::{Answer, GapAnswer, Joint, JointReading, LengthAnswer, Proposal, Variant};
pub use plan::QuestionError;
pub use question::{Boundary, Filled, GapChoice, Period, Question, Traces};
pub use scorer::{Logits, Row, Scorer};
