//! Renderings for tests.

use super::rendering::{Made, Rendering};
use tuppum_protocol::translation::{Candidate, Question, ShownWord, TargetWord, Translated, answer::words_of};

/// Returns the settings of all test renderings.
pub fn made() -> Made {
    Made::by("models/toy/".to_owned().into(), &Question::about(""), true)
}

/// Returns a passage of one line with these translations. Each word has probability 1/4 and attends to the source word
/// with the same number, or the last.
pub fn rendering(line: usize, source: &str, english: &[&str]) -> Rendering {
    let words: Vec<ShownWord> = source
        .split(' ')
        .enumerate()
        .map(|(sign, text)| ShownWord { text: text.into(), signs: sign..sign + 1, filled: false, restored: Vec::new() })
        .collect();
    let candidate = |text: &&str| {
        let target = |(number, bytes): (usize, _)| {
            let at = number.min(words.len() - 1);
            let attention = (0..words.len()).map(|place| if place == at { 1.0 } else { 0.0 }).collect();
            TargetWord { bytes, probability: 0.25, right: None, attention }
        };
        let words = words_of(text).enumerate().map(target).collect();
        Candidate {
            text: text.to_string(),
            score: -0.5,
            probability: 0.125,
            byte_probability: 0.9,
            ended: true,
            words,
            ..Candidate::default()
        }
    };
    let translated = Translated {
        lines: line..line + 1,
        source: source.into(),
        words: words.clone(),
        partial: String::new(),
        candidates: english.iter().map(candidate).collect(),
    };
    Rendering::new(translated, made())
}
