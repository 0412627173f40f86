//! One passage with its translations, the one that the user chose, and the user's own wording.

use super::version::TranslatorVersion;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tuppum_protocol::translation::{Candidate, Question, Scope, Translated, Wording, wording};

/// Below this probability a word counts as unsure: the model would rather have bet against it.
const UNSURE: f32 = 0.5;
/// Below this it counts as very unsure: four other words of the same weight would have fitted beside it.
const VERY_UNSURE: f32 = 0.2;

/// With what a translation was made; two made alike from the same source are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The translator.
    pub model: TranslatorVersion,
    /// How much was translated at a time.
    pub scope: Scope,
    /// Whether accepted restorations were fed in.
    pub restored: bool,
    /// How many beginnings were followed at a time.
    pub beams: usize,
    /// The power of the length in the ranking.
    pub length_penalty: f32,
    /// How many translations were asked for.
    pub answers: usize,
    /// Most bytes of a translation.
    pub longest: usize,
    /// Whether the hyperbolic bias took part, where the model has one.
    pub bias: bool,
}

impl Made {
    /// What a question of this model makes.
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

    /// Whether the same source is translated in the same way. Whether restorations were fed in does not matter: where
    /// they were, the source tells.
    pub fn is_like(&self, other: &Self) -> bool {
        Self { restored: other.restored, ..self.clone() } == *other
    }
}

/// Why little is to be expected of a machine translation, whatever the machine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Doubt {
    /// Nothing like the passage was edited with a translation; how like the nearest is.
    Unlike(f32),
    /// It is Old Assyrian that the formulary has, which is right far more often.
    OldAssyrian,
    /// The formulary of Old Assyrian has a part of it, and the translator expects no more than this share of its words
    /// to be right.
    UnsureInFormulary(f32),
}

/// A passage as it is translated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// What the engine found.
    pub translated: Translated,
    /// How.
    pub made: Made,
    /// Which of the candidates the user chose; the first unless they say otherwise.
    #[serde(default)]
    pub chosen: usize,
    /// The user's own wording.
    #[serde(default)]
    pub edited: Option<String>,
    /// Whether the user's own wording stands, rather than the candidate.
    #[serde(default)]
    pub own: bool,
    /// What the user is typing as their own wording.
    #[serde(default)]
    pub draft: Option<String>,
    /// Whether the user asked to see what was held back.
    #[serde(default)]
    pub asked_for: bool,
    /// Why little is to be expected of the machine's translation, whatever the machine thinks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// The label of its lines in the text that it was made for.
    #[serde(default)]
    pub label: String,
}

/// How sure the model is of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// More likely than not.
    Sure,
    /// Less likely than not.
    Unsure,
    /// Less likely than one in five.
    VeryUnsure,
}

impl Confidence {
    /// Of a word with this probability.
    pub fn of(probability: f32) -> Self {
        match probability {
            p if p >= UNSURE => Self::Sure,
            p if p >= VERY_UNSURE => Self::Unsure,
            _ => Self::VeryUnsure,
        }
    }

    /// In words, for those who do not see the shading; nothing for a sure word.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sure => "",
            Self::Unsure => "unsure",
            Self::VeryUnsure => "very unsure",
        }
    }
}

impl Rendering {
    /// A passage as the engine has it so far.
    pub fn new(translated: Translated, made: Made) -> Self {
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

    /// By what passages are in order.
    pub fn place(&self) -> (usize, usize) {
        place(&self.translated)
    }

    fn signs(&self) -> Range<usize> {
        signs(&self.translated)
    }

    /// Whether both translate some signs of the same lines.
    pub fn overlaps(&self, other: &Self) -> bool {
        let meet = |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        meet(&self.translated.lines, &other.translated.lines) && meet(&self.signs(), &other.signs())
    }

    /// Whether there is something in it that the user wrote.
    pub fn is_the_users(&self) -> bool {
        self.edited.is_some() || self.draft.is_some()
    }

    /// What tells it from others of its text: its lines and what the model read.
    pub fn key(&self) -> (usize, String) {
        (self.translated.lines.start, self.translated.source.clone())
    }

    /// Whether this is the one with that key.
    pub fn is(&self, key: &(usize, String)) -> bool {
        self.translated.lines.start == key.0 && self.translated.source == key.1
    }

    /// The chosen candidate; none before the model has finished one.
    pub fn candidate(&self) -> Option<&Candidate> {
        self.translated.candidates.get(self.chosen).or(self.translated.candidates.first())
    }

    /// Whether the model was stopped before it had finished.
    pub fn is_unfinished(&self) -> bool {
        self.translated.candidates.is_empty()
    }

    /// The user's own wording, where it stands.
    pub fn own_wording(&self) -> Option<&str> {
        self.edited.as_deref().filter(|_| self.own)
    }

    /// Whether the machine's translation is expected to be mostly wrong, and nobody asked to see it.
    pub fn is_held_back(&self) -> bool {
        let is_doubted = |candidate: &Candidate| candidate.held_back || self.doubt.is_some();
        self.own_wording().is_none() && !self.asked_for && self.candidate().is_some_and(is_doubted)
    }

    /// The English as it stands; nothing where it is held back.
    pub fn text(&self) -> &str {
        if self.is_held_back() {
            return "";
        }
        let machine = || self.candidate().map_or(self.translated.partial.as_str(), |candidate| &candidate.text);
        self.own_wording().unwrap_or_else(machine)
    }

    /// The words of [`Rendering::text`]; none while it is unfinished.
    pub fn words(&self) -> Vec<Wording> {
        self.candidate()
            .filter(|_| !self.is_held_back())
            .map(|candidate| wording(candidate, self.own_wording()))
            .unwrap_or_default()
    }

    /// Chooses a candidate in place of the user's own wording, which is kept aside.
    pub fn choose(&mut self, candidate: usize) {
        self.chosen = candidate;
        self.own = false;
    }

    /// Takes the user's own wording; one that is the machine's to the letter is none.
    pub fn edit(&mut self, text: &str) {
        let text = text.trim();
        let same = self.candidate().is_some_and(|candidate| candidate.text.trim() == text);
        self.own = !same && !text.is_empty();
        if self.own {
            self.edited = Some(text.to_owned());
        }
    }

    /// Takes over what the user made of the same source before: the choice, if it was found again, and the own wording.
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

/// By what passages are in order: the first line, then the first sign.
pub fn place(translated: &Translated) -> (usize, usize) {
    (translated.lines.start, signs(translated).start)
}

fn signs(Translated { words, .. }: &Translated) -> Range<usize> {
    words.first().map_or(0, |word| word.signs.start)..words.last().map_or(usize::MAX, |word| word.signs.end)
}

#[cfg(test)]
mod tests {
    use super::super::toy::rendering;
    use super::*;

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
