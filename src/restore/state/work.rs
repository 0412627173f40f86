//! The user's work on one text: everything typed, chosen and accepted. Undo and the browser's storage keep it; a
//! [`Question`] to the engine is made from it.

use serde::{Deserialize, Serialize};
use tuppum_protocol::{Boundary, Filled, GapChoice, JointReading, ModelRef, Period, Proposal, Question, Traces};
use tuppum_text::{Document, ReadingOptions, Sign, SignIndex, SignKind};

/// Default number of hypotheses in the joint search.
pub const DEFAULT_BEAM: usize = 5;
/// Default number of proposals for each gap.
pub const DEFAULT_TOP: usize = 20;
/// Default longest length tried for a break.
pub const DEFAULT_LONGEST: usize = 10;

/// A text with all decisions about it. Sign numbers are those of the text as read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Work {
    /// The text as typed.
    pub text: String,
    /// Legible signs to treat as broken.
    pub chosen: Vec<SignIndex>,
    /// Illegible signs and breaks to leave alone.
    pub left_alone: Vec<SignIndex>,
    /// Knowledge about single gaps.
    pub choices: Vec<GapChoice>,
    /// Accepted proposals.
    pub accepted: Vec<Accepted>,
    /// Period by whose counts proposals are re-ranked.
    pub period: Option<Period>,
    /// Number of hypotheses in the joint search.
    pub beam: usize,
    /// Number of proposals for each gap.
    pub top: usize,
    /// Longest length tried for a break.
    pub longest: usize,
    /// `true` if attested contexts count beside the network.
    pub contexts: bool,
    /// Options for reading ambiguous text.
    pub reading: ReadingOptions,
}

/// Accepted readings for one gap: one for a sign, several for a break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    /// The gap.
    pub sign: SignIndex,
    /// Readings in order.
    pub readings: Vec<AcceptedReading>,
    /// The restorer that proposed them; `None` in work stored before there was a choice of restorers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
}

/// An accepted reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcceptedReading {
    /// Canonical reading.
    pub reading: String,
    /// Reading in the convention of the text.
    pub written: String,
    /// Cuneiform glyph, or empty.
    pub glyph: String,
    /// `true` if a word begins with the reading.
    pub starts_word: bool,
    /// Probability when it was accepted.
    pub probability: f32,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            text: String::new(),
            chosen: Vec::new(),
            left_alone: Vec::new(),
            choices: Vec::new(),
            accepted: Vec::new(),
            period: None,
            beam: DEFAULT_BEAM,
            top: DEFAULT_TOP,
            longest: DEFAULT_LONGEST,
            contexts: true,
            reading: ReadingOptions::default(),
        }
    }
}

impl Work {
    /// Creates untouched work on a text.
    pub fn on(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Creates untouched work on another text with the same settings.
    pub fn settings_on(&self, text: String) -> Self {
        let Self { period, beam, top, longest, contexts, .. } = *self;
        Self { period, beam, top, longest, contexts, ..Self::on(text) }
    }

    /// Returns the question for the engine.
    pub fn question(&self) -> Question {
        Question {
            text: self.text.clone(),
            reading: self.reading,
            chosen: self.chosen.clone(),
            left_alone: self.left_alone.clone(),
            only: None,
            choices: self.choices.iter().map(canonical_choice).collect(),
            filled: self.accepted.iter().map(Accepted::filled).collect(),
            period: self.period,
            beam: self.beam,
            top: self.top,
            longest: self.longest,
            contexts: self.contexts,
        }
    }

    /// Returns the accepted readings of a gap.
    pub fn accepted_at(&self, sign: SignIndex) -> Option<&Accepted> {
        self.accepted.iter().find(|accepted| accepted.sign == sign)
    }

    /// Returns what is known about a gap; an empty choice if nothing is.
    pub fn choice(&self, sign: SignIndex) -> GapChoice {
        self.choices.iter().find(|choice| choice.sign == sign).cloned().unwrap_or(GapChoice {
            sign,
            boundary: Boundary::Unknown,
            traces: Traces::default(),
            length: None,
        })
    }

    /// Sets what is known about a gap. An empty choice is forgotten.
    pub fn choose(&mut self, choice: GapChoice) {
        self.choices.retain(|other| other.sign != choice.sign);
        if says_something(&choice) {
            self.choices.push(choice);
            self.choices.sort_by_key(|choice| choice.sign);
        }
    }

    /// Accepts readings for a gap in place of earlier ones.
    pub fn accept(&mut self, accepted: Accepted) {
        self.accepted.retain(|other| other.sign != accepted.sign);
        self.accepted.push(accepted);
        self.accepted.sort_by_key(|accepted| accepted.sign);
    }

    /// Lists the restorers of the accepted readings, with commas; `present` stands for unknown ones.
    pub fn restorers(&self, present: &ModelRef) -> String {
        let models = self.accepted.iter().map(|accepted| accepted.model.as_ref().unwrap_or(present));
        let mut names: Vec<String> = models.map(ModelRef::to_string).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() { present.to_string() } else { names.join(", ") }
    }

    /// Returns `true` if a sign is to be restored: illegible, a break or chosen; in Akkadian; and not left alone.
    pub fn is_gap(&self, index: SignIndex, sign: &Sign) -> bool {
        let open = matches!(sign.kind, SignKind::Illegible | SignKind::Gap) || self.chosen.contains(&index);
        open && sign.is_akkadian() && !self.left_alone.contains(&index)
    }

    /// Moves decisions to an edited text by a mapping of its signs; decisions about lost signs are dropped.
    pub fn carry(&mut self, mapping: &Mapping) {
        let place = |sign: &SignIndex| mapping.place(*sign);
        self.chosen = self.chosen.iter().filter_map(place).collect();
        self.left_alone = self.left_alone.iter().filter_map(place).collect();
        self.choices.retain_mut(|choice| move_to(&mut choice.sign, mapping));
        self.accepted.retain_mut(|accepted| move_to(&mut accepted.sign, mapping));
    }
}

fn move_to(sign: &mut SignIndex, mapping: &Mapping) -> bool {
    mapping.place(*sign).map(|place| *sign = place).is_some()
}

/// Converts typed traces to canonical letters.
fn canonical_choice(choice: &GapChoice) -> GapChoice {
    let mut choice = choice.clone();
    for trace in [&mut choice.traces.starts_with, &mut choice.traces.contains] {
        *trace = canonical_letters(trace.trim());
    }
    choice
}

fn canonical_letters(typed: &str) -> String {
    let pairs = [
        ("sz", "š"),
        ("SZ", "Š"),
        ("s,", "ṣ"),
        ("S,", "Ṣ"),
        ("t,", "ṭ"),
        ("T,", "Ṭ"),
        ("ḫ", "h"),
        ("Ḫ", "H"),
        ("'", "ʾ"),
    ];
    pairs.iter().fold(typed.to_owned(), |letters, (from, to)| letters.replace(from, to))
}

fn says_something(choice: &GapChoice) -> bool {
    choice.boundary != Boundary::Unknown || choice.traces != Traces::default() || choice.length.is_some()
}

impl Accepted {
    /// Converts to the engine's form.
    pub fn filled(&self) -> Filled {
        Filled {
            sign: self.sign,
            readings: self.readings.iter().map(|reading| (reading.reading.clone(), reading.starts_word)).collect(),
        }
    }
}

impl From<&Proposal> for AcceptedReading {
    fn from(proposal: &Proposal) -> Self {
        Self {
            reading: proposal.reading.clone(),
            written: proposal.written.clone(),
            glyph: proposal.glyph.clone(),
            starts_word: proposal.starts_word,
            probability: proposal.probability,
        }
    }
}

impl From<&JointReading> for AcceptedReading {
    fn from(reading: &JointReading) -> Self {
        Self {
            reading: reading.reading.clone(),
            written: reading.written.clone(),
            glyph: reading.glyph.clone(),
            starts_word: reading.starts_word,
            probability: reading.probability,
        }
    }
}

/// Mapping of sign numbers across an edit: signs before and after the edited stretch stay the same signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    before: usize,
    behind: usize,
    old: usize,
    new: usize,
}

impl Mapping {
    /// Compares two readings of a text from both ends.
    pub fn between(old: &Document, new: &Document) -> Self {
        let from: Vec<&SignKind> = old.signs().map(|sign| &sign.kind).collect();
        let to: Vec<&SignKind> = new.signs().map(|sign| &sign.kind).collect();
        let before = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let room = from.len().min(to.len()) - before;
        let behind = from.iter().rev().zip(to.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        Self { before, behind, old: from.len(), new: to.len() }
    }

    /// Returns the new number of a sign, if it is still there.
    pub fn place(&self, sign: SignIndex) -> Option<SignIndex> {
        if sign < self.before {
            return Some(sign);
        }
        let from_end = self.old.checked_sub(sign)?;
        (from_end <= self.behind && from_end > 0).then(|| self.new - from_end)
    }

    /// Returns `true` if every sign keeps its number.
    pub fn is_identity(&self) -> bool {
        self.old == self.new && self.before == self.old
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::{ConventionFound, Joiner, Language, Line, LineKind, Span, State, Style};

    /// Makes a document of one line whose signs are the words of `words`; `x` is illegible.
    fn document(words: &str) -> Document {
        let sign = |word: &str| Sign {
            span: Span::default(),
            kind: if word == "x" { SignKind::Illegible } else { SignKind::Reading(word.into()) },
            state: State::Preserved,
            joiner: Joiner::Space,
            language: Language::default(),
        };
        let signs = words.split_whitespace().map(sign).collect();
        let label_is_inferred = false;
        let line = Line { span: Span::default(), label: None, label_is_inferred, kind: LineKind::Text, signs };
        Document {
            source: words.into(),
            convention: ConventionFound::default(),
            style: Style::default(),
            lines: vec![line],
            edits: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn check_mapping(old: &str, new: &str, expected: &[Option<usize>]) {
        let mapping = Mapping::between(&document(old), &document(new));
        let found: Vec<_> = (0..expected.len()).map(|sign| mapping.place(sign)).collect();
        assert_eq!(found, expected, "{old:?} to {new:?}");
    }

    #[test]
    fn what_was_accepted_keeps_the_restorer_that_proposed_it() {
        let mut work = Work::on("x x x");
        let shipped = ModelRef::shipped("models/restorer/");
        assert_eq!(work.restorers(&shipped), "models/restorer/");
        let archive = Some(ModelRef::stored("archive"));
        for (sign, model) in [(0, None), (1, archive.clone()), (2, archive)] {
            work.accept(Accepted { sign, readings: Vec::new(), model });
        }
        assert_eq!(work.restorers(&shipped), "kept:archive, models/restorer/");
        let older: Accepted = serde_json::from_str(r#"{"sign":0,"readings":[]}"#).unwrap();
        assert_eq!(older.model, None);
    }

    #[test]
    fn signs_keep_their_place_outside_the_edited_stretch() {
        check_mapping("a x b", "a x b", &[Some(0), Some(1), Some(2)]);
        check_mapping("a x b", "a na x b", &[Some(0), Some(2), Some(3)]);
        check_mapping("a x b", "a b", &[Some(0), None, Some(1)]);
        check_mapping("x x x", "x x", &[Some(0), Some(1), None]);
        check_mapping("a", "", &[None]);
        check_mapping("a x", "a x b", &[Some(0), Some(1), None]);
    }

    #[test]
    fn decisions_follow_their_signs() {
        let mut work = Work::on("a x b");
        work.chosen = vec![0, 2];
        work.accept(Accepted { sign: 1, readings: Vec::new(), model: None });
        work.carry(&Mapping::between(&document("a x b"), &document("na a x")));
        assert_eq!(work.chosen, Vec::<usize>::new());
        assert!(work.accepted.is_empty());
        let mut work = Work::on("a x b");
        work.accept(Accepted { sign: 1, readings: Vec::new(), model: None });
        work.carry(&Mapping::between(&document("a x b"), &document("na x b")));
        assert_eq!(work.accepted_at(1).map(|accepted| accepted.sign), Some(1));
    }

    #[test]
    fn a_choice_that_says_nothing_is_forgotten() {
        let mut work = Work::on("x");
        let mut choice = work.choice(0);
        choice.boundary = Boundary::Inside;
        work.choose(choice.clone());
        assert_eq!(work.choices.len(), 1);
        choice.boundary = Boundary::Unknown;
        work.choose(choice);
        assert!(work.choices.is_empty());
    }

    #[test]
    fn traces_are_asked_for_in_canonical_letters() {
        for (typed, expected) in [(" sza", "ša"), ("ḫi", "hi"), ("s,i", "ṣi"), ("LUGAL", "LUGAL")] {
            let mut work = Work::on("x");
            let traces = Traces { starts_with: typed.into(), ..Traces::default() };
            work.choose(GapChoice { traces, ..work.choice(0) });
            assert_eq!(work.question().choices[0].traces.starts_with, expected);
        }
    }

    #[test]
    fn stored_work_with_missing_fields_takes_the_defaults() {
        let work: Work = serde_json::from_str(r#"{"text":"a-na"}"#).unwrap();
        assert_eq!(work, Work::on("a-na"));
    }

    #[test]
    fn the_question_has_the_defaults_of_the_design() {
        assert_eq!(Work::on("x").question(), Question::about("x"));
    }
}
