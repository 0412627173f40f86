//! What is asked of the translator.

use super::super::generation::{Method, Options};
use super::super::restoration::Filled;
use super::source::{Passage, Scope, passages};
use serde::{Deserialize, Serialize};
use tuppum_text::{Document, ReadingOptions};

/// A text to translate. It travels as typed; both sides read it with the same reader, so that sign numbers agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The transliteration as typed.
    pub text: String,
    /// How it is read where the user has said so.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Readings that stand in gaps: accepted proposals. They are translated as if they were read.
    pub filled: Vec<Filled>,
    /// How much at a time.
    pub scope: Scope,
    /// Numbers of lines of the document: only passages in which one of them lies are translated. None for all.
    #[serde(default)]
    pub only: Option<Vec<usize>>,
    /// How many beginnings are followed at a time; 1 takes the likeliest byte each time.
    pub beams: usize,
    /// Outputs are ranked by the logarithm of their probability over this power of their length.
    pub length_penalty: f32,
    /// How many translations of each passage.
    pub answers: usize,
    /// Most bytes of a translation.
    pub longest: usize,
    /// Whether the hyperbolic bias of the model takes part, where it has one.
    pub bias: bool,
}

impl Question {
    /// A question about `text` with the defaults of the design.
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

    /// The passages that it asks for, in order; `document` is its text as read.
    pub fn passages(&self, document: &Document) -> Vec<Passage> {
        let asked = |passage: &Passage| match &self.only {
            Some(lines) => lines.iter().any(|line| passage.lines.contains(line)),
            None => true,
        };
        passages(document, &self.filled, self.scope).into_iter().filter(asked).collect()
    }

    /// The search that it asks for. A beam of 1 is greedy.
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
