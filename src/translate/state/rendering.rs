//! A translated passage: the machine's candidates, the one that the user chose, and the user's own wording.

use super::translator::TranslatorVersion;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tuppum_protocol::translation::{Candidate, Question, Scope, Translated, Wording, wording};

/// Probability below which a word counts as unsure: the model would rather have bet against it.
const UNSURE: f32 = 0.5;
/// Probability below which a word counts as very unsure: four other words of the same weight would have fitted beside
/// it.
const VERY_UNSURE: f32 = 0.2;

/// Settings and model with which a translation was made; the same source with the same settings gives the same
/// translation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    pub model: TranslatorVersion,
    /// Amount of text translated at a time.
    pub scope: Scope,
    /// `true` if accepted restorations were part of the source.
    pub restored: bool,
    /// Number of beginnings followed at a time by the beam search.
    pub beams: usize,
    /// Power of the length in the ranking.
    pub length_penalty: f32,
    /// Number of translations asked for.
    pub answers: usize,
    /// Maximum length of a translation, in bytes.
    pub longest: usize,
    /// `true` if the hyperbolic bias was switched on; without effect on a model that has none.
    pub bias: bool,
}

impl Provenance {
    /// Returns the settings that a question to this model stands for.
    pub fn by(model: TranslatorVersion, question: &Question, restored: bool) -> Self {
        Self {
            model,
            scope: question.scope,
            restored,
            beams: question.beams,
            length_penalty: question.length_penalty,
            answers: question.answers,
            longest: question.longest,
            bias: question.bias,
        }
    }

    /// Returns `true` if the same source is translated in the same way. `restored` is ignored: restorations that were
    /// fed in are in the source.
    pub fn is_like(&self, other: &Self) -> bool {
        Self { restored: other.restored, ..self.clone() } == *other
    }
}

/// Reason to doubt a machine translation whatever probability the machine gives it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Doubt {
    /// No similar passage was edited with a translation; holds the similarity of the nearest one, from 0 to 1.
    Unlike(f32),
    /// The passage is Old Assyrian and in the formulary, which is right far more often.
    OldAssyrian,
    /// A part of the passage is in the Old Assyrian formulary, and the translator expects only this share of its words
    /// to be right.
    UnsureInFormulary(f32),
}

/// A translated passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// Answer of the engine.
    pub translated: Translated,
    /// Settings of the translation.
    pub made: Provenance,
    /// Index of the chosen candidate; 0 until the user chooses another.
    #[serde(default)]
    pub chosen: usize,
    /// The user's own wording; kept even where a candidate is shown instead.
    #[serde(default)]
    pub edited: Option<String>,
    /// `true` if the user's own wording is shown rather than the chosen candidate.
    #[serde(default)]
    pub own: bool,
    /// Unfinished text in the field for the user's own wording.
    #[serde(default)]
    pub draft: Option<String>,
    /// `true` if the user asked to see the translation although it is held back.
    #[serde(default)]
    pub asked_for: bool,
    /// Reason to doubt the machine's translation whatever probability the machine gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// Label of the passage's lines in the text that it was made for.
    #[serde(default)]
    pub label: String,
}

/// Confidence of the model in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Probability at least 0.5.
    Sure,
    /// Probability below 0.5, but at least 0.2.
    Unsure,
    /// Probability below 0.2, or unknown.
    VeryUnsure,
}

impl Confidence {
    /// Returns the confidence in a word with this probability.
    pub fn of(probability: f32) -> Self {
        match probability {
            p if p >= UNSURE => Self::Sure,
            p if p >= VERY_UNSURE => Self::Unsure,
            _ => Self::VeryUnsure,
        }
    }

    /// Returns the confidence in words, for users who do not see the shading; empty for a sure word.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sure => "",
            Self::Unsure => "unsure",
            Self::VeryUnsure => "very unsure",
        }
    }
}

impl Rendering {
    /// Returns a passage as the engine has it so far, without changes by the user.
    pub fn new(translated: Translated, made: Provenance) -> Self {
        let label = String::new();
        Self {
            translated,
            made,
            chosen: 0,
            edited: None,
            own: false,
            draft: None,
            asked_for: false,
            doubt: None,
            label,
        }
    }

    /// Returns the first line and first sign of the passage, by which passages are sorted.
    pub fn place(&self) -> (usize, usize) {
        place(&self.translated)
    }

    fn signs(&self) -> Range<usize> {
        signs(&self.translated)
    }

    /// Returns `true` if both translate some of the same signs of the same lines.
    pub fn overlaps(&self, other: &Self) -> bool {
        let meet = |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        meet(&self.translated.lines, &other.translated.lines) && meet(&self.signs(), &other.signs())
    }

    /// Returns `true` if the user wrote a wording or a draft of it.
    pub fn is_the_users(&self) -> bool {
        self.edited.is_some() || self.draft.is_some()
    }

    /// Returns the key that identifies the passage within its text: its first line, and the source that the model read.
    pub fn key(&self) -> (usize, String) {
        (self.translated.lines.start, self.translated.source.clone())
    }

    /// Returns `true` if the passage has this key.
    pub fn is(&self, key: &(usize, String)) -> bool {
        self.translated.lines.start == key.0 && self.translated.source == key.1
    }

    /// Returns the chosen candidate; `None` before the model has finished one.
    pub fn candidate(&self) -> Option<&Candidate> {
        self.translated.candidates.get(self.chosen).or(self.translated.candidates.first())
    }

    /// Returns `true` if the model has not finished, because it is still writing or was stopped.
    pub fn is_unfinished(&self) -> bool {
        self.translated.candidates.is_empty()
    }

    /// Returns the user's own wording, if it is shown.
    pub fn own_wording(&self) -> Option<&str> {
        self.edited.as_deref().filter(|_| self.own)
    }

    /// Returns `true` if the machine's translation is expected to be mostly wrong and the user has not asked to see it.
    pub fn is_held_back(&self) -> bool {
        let is_doubted = |candidate: &Candidate| candidate.held_back || self.doubt.is_some();
        self.own_wording().is_none() && !self.asked_for && self.candidate().is_some_and(is_doubted)
    }

    /// Returns the English that is shown; empty where it is held back.
    pub fn text(&self) -> &str {
        if self.is_held_back() {
            return "";
        }
        let machine = || self.candidate().map_or(self.translated.partial.as_str(), |candidate| &candidate.text);
        self.own_wording().unwrap_or_else(machine)
    }

    /// Returns the words of [`Rendering::text`]; none while the passage is unfinished.
    pub fn words(&self) -> Vec<Wording> {
        self.candidate()
            .filter(|_| !self.is_held_back())
            .map(|candidate| wording(candidate, self.own_wording()))
            .unwrap_or_default()
    }

    /// Shows a candidate in place of the user's own wording, which is kept.
    pub fn choose(&mut self, candidate: usize) {
        self.chosen = candidate;
        self.own = false;
    }

    /// Sets the user's own wording; an empty one, or one that equals the machine's, shows the machine's again.
    pub fn edit(&mut self, text: &str) {
        let text = text.trim();
        let same = self.candidate().is_some_and(|candidate| candidate.text.trim() == text);
        self.own = !same && !text.is_empty();
        if self.own {
            self.edited = Some(text.to_owned());
        }
    }

    /// Takes over the user's changes from an earlier translation of the same source: the choice, if that candidate was
    /// found again, the user's own wording, and the doubt.
    pub fn take_over(&mut self, before: &Self) {
        let chosen = before.candidate().map(|candidate| candidate.text.as_str());
        let again = self.translated.candidates.iter().position(|candidate| Some(candidate.text.as_str()) == chosen);
        self.chosen = again.filter(|_| before.chosen > 0).unwrap_or(0);
        self.edited.clone_from(&before.edited);
        self.draft.clone_from(&before.draft);
        self.own = before.own;
        self.asked_for = before.asked_for;
        self.doubt = before.doubt;
    }
}

/// Returns the first line and first sign of a passage, by which passages are sorted.
pub fn place(translated: &Translated) -> (usize, usize) {
    (translated.lines.start, signs(translated).start)
}

fn signs(Translated { words, .. }: &Translated) -> Range<usize> {
    words.first().map_or(0, |word| word.signs.start)..words.last().map_or(usize::MAX, |word| word.signs.end)
}

/// Renderings for tests.
#[cfg(test)]
pub mod examples {
    use super::{Provenance, Rendering};
    use tuppum_protocol::translation::answer::words_of;
    use tuppum_protocol::translation::{Candidate, Question, ShownWord, TargetWord, Translated};

    /// Returns the settings of all test renderings.
    pub fn made() -> Provenance {
        Provenance::by("models/toy/".to_owned().into(), &Question::about(""), true)
    }

    /// Returns a passage of one line with these translations. Each word has probability 1/4 and attends to the source
    /// word with the same number, or the last.
    pub fn rendering(line: usize, source: &str, english: &[&str]) -> Rendering {
        let words: Vec<ShownWord> = source
            .split(' ')
            .enumerate()
            .map(|(sign, text)| ShownWord {
                text: text.into(),
                signs: sign..sign + 1,
                filled: false,
                restored: Vec::new(),
            })
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples::rendering;

    #[test]
    fn what_stands_is_the_choice_or_the_users_own() {
        let mut one = rendering(0, "a-na", &["to", "for"]);
        assert_eq!(one.text(), "to");
        one.choose(1);
        assert_eq!(one.text(), "for");
        one.edit(" unto ");
        assert_eq!((one.text(), one.own_wording()), ("unto", Some("unto")));
        assert!(one.words()[0].by_user);
        one.choose(0);
        assert_eq!((one.text(), one.edited.as_deref()), ("to", Some("unto")), "what was typed is kept aside");
        one.edit("to");
        assert_eq!(one.own_wording(), None);
        one.edit("  ");
        assert_eq!(one.text(), "to", "an empty wording is none");
    }

    #[test]
    fn what_is_held_back_is_shown_to_those_who_ask_and_to_those_who_wrote() {
        let mut one = rendering(0, "a-na", &["to", "for"]);
        one.translated.candidates[0].held_back = true;
        assert!(one.is_held_back() && one.text().is_empty() && one.words().is_empty());
        let mut asked = one.clone();
        asked.asked_for = true;
        assert_eq!(asked.text(), "to");
        let mut again = rendering(0, "a-na", &["to", "for"]);
        again.translated.candidates[0].held_back = true;
        again.take_over(&asked);
        assert_eq!(again.text(), "to", "asked once for the same source");
        one.edit("unto");
        assert_eq!(one.text(), "unto");
        one.choose(1);
        assert_eq!(one.text(), "for", "another candidate may be better");
        one.doubt = Some(Doubt::OldAssyrian);
        assert!(one.is_held_back(), "no candidate is, where the translator is doubted");
    }

    #[test]
    fn an_unfinished_passage_shows_what_there_is() {
        let mut one = rendering(0, "a-na", &[]);
        one.translated.partial = "to m".into();
        assert!(one.is_unfinished() && one.words().is_empty());
        assert_eq!(one.text(), "to m");
    }

    #[test]
    fn a_new_answer_takes_over_what_the_user_did() {
        let mut before = rendering(0, "a-na", &["to", "for"]);
        before.choose(1);
        let mut new = rendering(0, "a-na", &["for", "to"]);
        new.take_over(&before);
        assert_eq!(new.text(), "for");
        before.edit("unto");
        let mut new = rendering(0, "a-na", &["towards"]);
        new.take_over(&before);
        assert_eq!((new.text(), new.chosen), ("unto", 0));
    }

    #[test]
    fn sureness_is_said_in_words() {
        for (probability, expected) in
            [(0.9, ""), (0.5, ""), (0.49, "unsure"), (0.1, "very unsure"), (f32::NAN, "very unsure")]
        {
            assert_eq!(Confidence::of(probability).words(), expected, "{probability}");
        }
    }
}
