//! Interprets an output of the translator: its words, how sure each is, and which words of the source it attended to.

use super::super::generation::Output;
use super::calibration::{Calibration, JudgedWord};
use super::source::{Passage, SourceWord};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::Range;

/// Characters around words that are ignored when words are compared; as in `recipes/translator/sureness.py`.
const PUNCTUATION: [char; 19] =
    ['.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '"', '“', '”', '‘', '’', '\'', '—', '–', '…'];

/// Translations of a text; each answer is complete in itself and replaces the one before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranslationAnswer {
    /// One entry per passage, in order.
    pub passages: Vec<Translated>,
}

/// A passage with its translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translated {
    /// Indices of its lines in the document.
    pub lines: Range<usize>,
    /// Text that the model read.
    pub source: String,
    /// Words of the source.
    pub words: Vec<ShownWord>,
    /// Text written so far, while it is being written.
    pub partial: String,
    /// Translations, best first; empty until the search has finished.
    pub candidates: Vec<Candidate>,
}

/// A word of the source as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownWord {
    /// Text of the word, as the model read it.
    pub text: String,
    /// Signs of the word in the document.
    pub signs: Range<usize>,
    /// `true` if the word contains a machine's reading that the user accepted.
    pub filled: bool,
    /// Places of accepted readings in `text`, in bytes.
    #[serde(default)]
    pub restored: Vec<Range<usize>>,
}

/// One translation. A machine's proposal, never a reading of the tablet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// English text.
    pub text: String,
    /// Score by which candidates are ranked.
    pub score: f32,
    /// Probability of the translation under the model.
    pub probability: f32,
    /// Geometric mean of the probabilities of its bytes, end included: comparable between long and short translations.
    #[serde(default)]
    pub byte_probability: f32,
    /// `true` if the model ended it, rather than reaching the longest length.
    pub ended: bool,
    /// Share of its words that is expected to occur in an edition's translation; `None` if the translator has no
    /// [`Calibration`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<f32>,
    /// `true` if `right` is so low that the translation is shown only on request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_back: bool,
    /// Words of the translation.
    pub words: Vec<TargetWord>,
}

/// A word of a translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetWord {
    /// Place in the translation, in bytes.
    pub bytes: Range<usize>,
    /// Probability given the text before it.
    pub probability: f32,
    /// Probability that an edition's translation has such a word; `None` if the translator has no [`Calibration`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<f32>,
    /// Attention to each word of the source, in order: sums over the bytes of the source word, means over its own
    /// bytes, as shares of its attention to all words; empty if it was not kept.
    #[serde(rename = "looked_at")]
    pub attention: Vec<f32>,
}

impl Translated {
    /// Creates a passage with nothing written yet.
    pub fn beginning(passage: &Passage) -> Self {
        let word = |word: &SourceWord| ShownWord {
            text: passage.text[word.bytes.clone()].to_string(),
            signs: word.signs.clone(),
            filled: word.filled,
            restored: word.restored.iter().map(|r| r.start - word.bytes.start..r.end - word.bytes.start).collect(),
        };
        Self {
            lines: passage.lines.clone(),
            source: passage.text.clone(),
            words: passage.words.iter().map(word).collect(),
            ..Self::default()
        }
    }

    /// Takes the outputs of the search, and judges them by the translator's calibration, if it has one.
    pub fn finish(&mut self, passage: &Passage, outputs: &[Output], calibration: Option<&Calibration>) {
        self.candidates = outputs.iter().map(|output| Candidate::of(output, passage)).collect();
        if let Some(calibration) = calibration {
            self.candidates.iter_mut().for_each(|candidate| candidate.judge(calibration, &passage.text));
        }
        self.partial.clear();
    }
}

impl TargetWord {
    /// Returns the confidence in the word: `right` if it was measured, else its probability.
    pub fn confidence(&self) -> f32 {
        self.right.unwrap_or(self.probability)
    }

    /// Returns the source words that it attended to most: those with at least half of the strongest share.
    pub fn sources(&self) -> Vec<usize> {
        let strongest = self.attention.iter().copied().fold(0.0, f32::max);
        let counts = |share: f32| share > 0.0 && share >= strongest / 2.0;
        self.attention.iter().enumerate().filter(|(_, share)| counts(**share)).map(|(source, _)| source).collect()
    }
}

impl Candidate {
    /// Interprets an output as the translation of a passage.
    pub fn of(output: &Output, passage: &Passage) -> Self {
        let (probabilities, attention) = (output.byte_probabilities(), output.byte_attention());
        let words = words_of(&output.text).map(|bytes| TargetWord {
            probability: probabilities.get(bytes.clone()).unwrap_or_default().iter().product(),
            attention: attention_to(attention.get(bytes.clone()).unwrap_or_default(), &passage.words),
            bytes,
            right: None,
        });
        let logarithm: f32 = output.log_probabilities.iter().sum();
        Self {
            text: output.text.clone(),
            score: output.score,
            probability: logarithm.exp(),
            byte_probability: (logarithm / output.log_probabilities.len().max(1) as f32).exp(),
            ended: output.ended(),
            words: words.collect(),
            right: None,
            held_back: false,
        }
    }

    /// Estimates how many words are right, each and together, and holds the translation back if they are too few.
    pub fn judge(&mut self, calibration: &Calibration, source: &str) {
        let times_as_long = (self.text.len() + 1) as f32 / (source.len() + 1) as f32;
        let (mut sum, mut written) = (0.0, HashSet::new());
        for (before, word) in self.words.iter_mut().enumerate() {
            let own = self.text.get(word.bytes.clone()).unwrap_or_default().trim_matches(PUNCTUATION).to_lowercase();
            let right = calibration.right(&JudgedWord {
                probability: word.probability,
                byte_probability: self.byte_probability,
                times_as_long,
                before,
                is_repeated: !written.insert(own),
            });
            word.right = Some(right);
            sum += right;
        }
        let right = calibration.right_of_whole(sum / self.words.len().max(1) as f32);
        self.right = Some(right);
        self.held_back = right < calibration.least_right;
    }
}

/// Returns the places of a text's words, which are separated by white space.
pub fn words_of(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.split_whitespace().map(move |word| {
        // `split_whitespace` returns slices of the text, so the difference of addresses is the place.
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// Returns the attention of some bytes to each word of the source.
fn attention_to(attention: &[&[f32]], words: &[SourceWord]) -> Vec<f32> {
    if attention.is_empty() {
        return Vec::new();
    }
    let at = |word: &SourceWord| -> f32 {
        attention.iter().map(|places| places.get(word.bytes.clone()).unwrap_or_default().iter().sum::<f32>()).sum()
    };
    let sums: Vec<f32> = words.iter().map(at).collect();
    let whole: f32 = sums.iter().sum();
    if whole > 0.0 { sums.into_iter().map(|sum| sum / whole).collect() } else { sums }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::Filled;
    use crate::translation::{Scope, passages};
    use tuppum_text::Document;
    use tuppum_text::bytes::{END, encode};

    fn passage() -> Passage {
        passages(&Document::read("a-na be-li₂"), &[], Scope::Lines).remove(0)
    }

    /// Returns an output in which every byte has probability 1/2 and attends to the byte of the source at its place,
    /// the last one beyond it.
    fn output(text: &str) -> Output {
        let tokens = encode(text);
        let source = passage().text.len() + 1;
        let look = |place: usize| (0..source).map(|at| if at == place.min(source - 1) { 1.0 } else { 0.0 }).collect();
        Output {
            text: text.into(),
            score: -1.0,
            log_probabilities: vec![0.5f32.ln(); tokens.len()],
            attention: (0..tokens.len()).map(look).collect(),
            tokens,
        }
    }

    #[test]
    fn words_have_their_bytes_probabilities() {
        let found = Candidate::of(&output("to  my"), &passage());
        assert_eq!(found.words.iter().map(|word| word.bytes.clone()).collect::<Vec<_>>(), [0..2, 4..6]);
        assert_eq!(found.words.iter().map(|word| word.probability).collect::<Vec<_>>(), [0.25, 0.25]);
        assert_eq!(found.probability, 0.5f32.powi(7));
        // Tolerance: seven equal factors, and the rounding of the logarithm.
        assert!((found.byte_probability - 0.5).abs() < 1e-6, "{}", found.byte_probability);
        assert!(found.ended);
        assert_eq!(output("to").tokens.last(), Some(&END));
    }

    #[test]
    fn what_a_word_attended_to_is_summed_over_words() {
        // Bytes 0 to 3 are `a-na`, 4 is a space, 5 on is `be-li₂`; the bytes of `lord` are 3 to 6.
        let found = Candidate::of(&output("to lord"), &passage());
        assert_eq!(found.words[0].attention, [1.0, 0.0]);
        assert_eq!(found.words[1].attention, [1.0 / 3.0, 2.0 / 3.0]);
        for word in &found.words {
            assert!((word.attention.iter().sum::<f32>() - 1.0).abs() < 1e-6, "parts of a whole");
        }
    }

    #[test]
    fn a_source_word_knows_what_was_restored_in_it() {
        let filled = [Filled { sign: 3, readings: vec![("li₂".to_string(), false)] }];
        let passage = passages(&Document::read("a-na be-x"), &filled, Scope::Lines).remove(0);
        let words = Translated::beginning(&passage).words;
        assert_eq!((words[0].filled, words[1].filled), (false, true));
        assert_eq!(words[1].restored.iter().map(|r| &words[1].text[r.clone()]).collect::<Vec<_>>(), ["li₂"]);
    }

    #[test]
    fn a_word_comes_from_what_it_attended_to_most() {
        let check = |attention: &[f32], expected: &[usize]| {
            let word = TargetWord { bytes: 0..1, probability: 1.0, right: None, attention: attention.to_vec() };
            assert_eq!(word.sources(), expected, "{attention:?}");
        };
        check(&[0.1, 0.6, 0.3], &[1, 2]);
        check(&[0.2, 0.7, 0.1], &[1]);
        check(&[0.0, 0.0], &[]);
        check(&[], &[]);
    }

    #[test]
    fn without_attention_nothing_is_claimed() {
        let found = Candidate::of(&Output { attention: Vec::new(), ..output("to") }, &passage());
        assert!(found.words[0].attention.is_empty());
    }

    #[test]
    fn letters_of_several_bytes_and_broken_ones_keep_places() {
        let mut broken = output("šu a");
        broken.tokens.insert(0, 3 + 0xC5); // half a letter, which the text leaves out
        broken.log_probabilities.insert(0, 0.1f32.ln());
        broken.attention.insert(0, vec![0.0; broken.attention[0].len()]);
        broken.text = tuppum_text::bytes::decode(&broken.tokens);
        let found = Candidate::of(&broken, &passage());
        let words: Vec<&str> = found.words.iter().map(|word| &found.text[word.bytes.clone()]).collect();
        assert_eq!(words, ["šu", "a"]);
        assert_eq!(found.words[0].probability, 0.125);
    }

    #[test]
    fn a_translation_whose_words_are_mostly_wrong_is_held_back() {
        let calibration = Calibration {
            constant: -1.0,
            word: 0.5,
            translation: 0.5,
            length: -1.0,
            place: 0.0,
            repeated: -4.0,
            whole_constant: 0.0,
            whole: 1.0,
            least_right: 0.5,
        };
        let judged = |words: &[(&str, f32)], byte_probability: f32| {
            let text = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
            let word = |(bytes, (_, probability)): (Range<usize>, &(&str, f32))| TargetWord {
                bytes,
                probability: *probability,
                ..TargetWord::default()
            };
            let words = words_of(&text).zip(words).map(word).collect();
            let mut candidate = Candidate { byte_probability, words, text, ..Candidate::default() };
            candidate.judge(&calibration, &"a".repeat(candidate.text.len()));
            candidate
        };
        let poor = judged(&[("king", 0.5), ("land", 0.2)], 0.6);
        assert!(poor.held_back && poor.right.is_some_and(|right| right < 0.5));
        let good = judged(&[("To", 0.999), ("king", 0.99)], 0.999);
        assert!(!good.held_back && good.words[0].right > good.words[1].right);
        let again = judged(&[("The", 0.9), ("king,", 0.9), ("the", 0.9), ("King", 0.9)], 0.9);
        let right: Vec<f32> = again.words.iter().filter_map(|word| word.right).collect();
        assert!(right[0] == right[1] && right[2] == right[3] && right[1] > right[2], "{right:?}");
        let empty = judged(&[], 0.9);
        assert_eq!((empty.right, empty.held_back), (Some(0.0), true), "nothing is no translation");
    }

    #[derive(Deserialize)]
    struct Golden {
        calibration: Calibration,
        cases: Vec<GoldenCase>,
    }

    #[derive(Deserialize)]
    struct GoldenCase {
        source: String,
        text: String,
        byte_probabilities: Vec<f32>,
        right: Vec<f32>,
        whole: f32,
    }

    /// Compares with the output of `recipes/golden_calibration.py`, written by the program that fits the calibration.
    #[test]
    fn words_are_judged_as_they_were_when_the_calibration_was_fitted() {
        let file = std::fs::read(tuppum_testing::project("tests/golden/calibration.json")).expect("the golden file");
        let golden: Golden = serde_json::from_slice(&file).expect("the golden file of the calibration");
        for GoldenCase { source, text, byte_probabilities, right, whole } in golden.cases {
            let word = |bytes: Range<usize>| TargetWord {
                probability: byte_probabilities[bytes.clone()].iter().product(),
                bytes,
                ..TargetWord::default()
            };
            let logarithms: f32 = byte_probabilities.iter().map(|own| own.ln()).sum();
            let byte_probability = (logarithms / byte_probabilities.len() as f32).exp();
            let words = words_of(&text).map(word).collect();
            let mut candidate = Candidate { byte_probability, words, text, ..Candidate::default() };
            candidate.judge(&golden.calibration, &source);
            let found: Vec<f32> = candidate.words.iter().filter_map(|word| word.right).collect();
            assert_eq!(found.len(), right.len(), "{}", candidate.text);
            // The program computes in 64 bits and rounds to six digits.
            let is_near = found.iter().zip(&right).all(|(own, other)| (own - other).abs() < 1e-5);
            assert!(is_near, "{}: {found:?} {right:?}", candidate.text);
            assert!(candidate.right.is_some_and(|own| (own - whole).abs() < 1e-5), "{:?} {whole}", candidate.right);
        }
    }
}
