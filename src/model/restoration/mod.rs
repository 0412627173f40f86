//! Restoration: which readings stood in the gaps of a text.
//!
//! [`Question`] says what is asked, [`Answer`] what was found; the search between them knows the model only as a
//! [`Scorer`] of masked rows.

pub mod answer;
pub mod joint;
pub mod knowledge;
pub mod question;
pub mod scorer;
pub mod sheet;
pub mod singles;
#[cfg(test)]
mod toy;
pub mod window;

pub use answer::{Answer, GapAnswer, Joint, JointReading, LengthAnswer, Proposal, Variant};
pub use question::{Boundary, Filled, GapChoice, Period, Question, Traces};
pub use scorer::{Logits, Row, Scorer};
