//! The answer to the first example, computed with the shipped model and delivered with the page, so that a first visit
//! shows proposals before the model is there.

use crate::kit::storage;
use serde::Deserialize;
use tuppum_protocol::{Answer, Question};

/// The stored answer: output of `tuppum restore --json` for the first example, numbers cut to three digits.
const STORED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/examples/first-answer.json"));

/// A question with its answer.
#[derive(Deserialize)]
pub struct Stored {
    pub question: Question,
    pub answer: Answer,
}

/// Returns the stored answer; `None` if the file cannot be read, which a test rules out.
pub fn answer() -> Option<Stored> {
    storage::read_json(STORED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::work::Work;
    use tuppum_text::examples;

    #[test]
    fn the_stored_answer_is_for_the_first_example_as_it_opens() {
        let stored = answer().expect("assets/examples/first-answer.json is read");
        assert_eq!(stored.question, Work::on(examples::ALL[0].text).question());
        assert!(!stored.answer.gaps.is_empty() && !stored.answer.joint.is_empty());
    }
}
