//! Questions to the translator.

use super::super::generation::{Method, Options};
use super::super::restoration::Filled;
use super::source::{Passage, Scope, passages};
use serde::{Deserialize, Serialize};
use tuppum_text::{Document, ReadingOptions};

/// A text to translate. It travels as typed; both sides read it with the same reader, so that sign indices agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Transliteration as typed.
    pub text: String,
    /// Options of reading that the user has set.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Accepted proposals in gaps. They are translated as if they were read.
    pub filled: Vec<Filled>,
    /// Amount of text translated at a time.
    pub scope: Scope,
    /// Indices of lines of the document: only passages with one of these lines are translated. `None` for all.
    #[serde(default)]
    pub only: Option<Vec<usize>>,
    /// Number of beams; 1 takes the most likely byte each time.
    pub beams: usize,
    /// Exponent of the length: outputs are ranked by log-probability divided by length to this power.
    pub length_penalty: f32,
    /// Number of translations of each passage.
    pub answers: usize,
    /// Maximum bytes of a translation.
    pub longest: usize,
    /// `true` to use the hyperbolic bias of the model, if it has one.
    pub bias: bool,
}

impl Question {
    /// Creates a question about `text` with the default options.
    pub fn about(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reading: ReadingOptions::default(),
            filled: Vec::new(),
            scope: Scope::Lines,
            only: None,
            beams: 5,
            length_penalty: 1.0,
            answers: 3,
            longest: 512,
            bias: true,
        }
    }

    /// Returns the passages that the question asks for, in order; `document` is its text as read.
    pub fn passages(&self, document: &Document) -> Vec<Passage> {
        let asked = |passage: &Passage| match &self.only {
            Some(lines) => lines.iter().any(|line| passage.lines.contains(line)),
            None => true,
        };
        passages(document, &self.filled, self.scope).into_iter().filter(asked).collect()
    }

    /// Returns the options of the search. A single beam is greedy search.
    pub fn options(&self) -> Options {
        let method = match self.beams {
            0 | 1 => Method::Greedy,
            beams => Method::Beam { beams, length_penalty: self.length_penalty, early: false },
        };
        Options { method, longest: self.longest, answers: self.answers, attention: true, read_every: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_asked_for_are_translated() {
        let mut question = Question::about("a-na\n$ ruling\num-ma\nqi₂-bi₂-ma");
        let document = Document::read(&question.text);
        let texts = |question: &Question| -> Vec<String> {
            question.passages(&document).into_iter().map(|passage| passage.text).collect()
        };
        assert_eq!(texts(&question), ["a-na", "um-ma", "qi₂-bi₂-ma"]);
        question.only = Some(vec![1, 2]);
        assert_eq!(texts(&question), ["um-ma"]);
        question.scope = Scope::Whole;
        assert_eq!(texts(&question), ["a-na um-ma qi₂-bi₂-ma"], "a passage is never cut in two");
    }

    #[test]
    fn a_question_from_before_lines_could_be_chosen_is_about_all() {
        let mut value = serde_json::to_value(Question::about("a")).unwrap();
        value.as_object_mut().unwrap().remove("only");
        assert_eq!(serde_json::from_value::<Question>(value).unwrap(), Question::about("a"));
    }
}
