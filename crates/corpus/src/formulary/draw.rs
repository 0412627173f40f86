//! Synthetic pairs: texts composed of clauses whose slots are filled at random, with their translation.

use super::clause::Clause;
use super::cover::Formulary;
use super::pattern::{SlotKind, Token};
use super::tables::{Entry, EntryKind, Unit};
use super::word::PassageWord;
use tuppum_domain::formulary::TextKind;
use tuppum_random::Random;

/// Number of attempts to draw a text that reads back as it was drawn.
const ATTEMPTS: usize = 100;
/// Spellings of fractions of a mina and a shekel.
const FRACTIONS: [&str; 6] = ["1/2", "1/3", "2/3", "1/4", "5/6", "1/6"];

/// A text composed of clauses, with its translation. No scribe wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntheticPair {
    /// Kind of text that the pair imitates.
    pub kind: TextKind,
    /// Akkadian text.
    pub source: String,
    /// English of the clauses in turn, as a cover of the Akkadian gives it.
    pub target: String,
    /// Names of the clauses in order.
    pub clauses: Vec<String>,
}

impl Formulary {
    /// Draws a pair; the same random numbers give the same pair. The cover of the Akkadian must give back the clauses
    /// that were drawn, and their English. Returns `None` if the formulary has too few clauses for a text.
    pub fn draw(&self, random: &mut Random) -> Option<SyntheticPair> {
        (0..ATTEMPTS).find_map(|_| self.attempt(random))
    }

    /// Draws a text and returns it if it reads back as drawn.
    fn attempt(&self, random: &mut Random) -> Option<SyntheticPair> {
        let kind = *TextKind::ALL.get(random.below(TextKind::ALL.len()))?;
        let (mut words, mut english, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps(kind) {
            let fitting: Vec<(usize, &Clause)> = self
                .clauses()
                .iter()
                .enumerate()
                .filter(|(_, clause)| step.parts.contains(&clause.part.as_str()))
                .collect();
            for _ in 0..step.least + random.below(step.most - step.least + 1) {
                let (number, clause) = *fitting.get(random.below(fitting.len()))?;
                let (drawn, translated) = self.drawn(number, clause, random)?;
                words.extend(drawn);
                english.push(translated);
                names.push(clause.name.clone());
            }
        }
        let source = words.join(" ");
        let cover = self.cover_words(&PassageWord::all_of(&source));
        let read: Vec<&str> =
            cover.parts.iter().filter_map(|part| part.clause.as_ref()).map(|clause| clause.name.as_str()).collect();
        let target = cover.english();
        let is_read_back = cover.covered() == cover.words() && read == names && target == english.join("; ");
        is_read_back.then_some(SyntheticPair { kind, source, target, clauses: names })
    }

    /// Draws the words of a clause, with their English by this clause alone.
    fn drawn(&self, number: usize, clause: &Clause, random: &mut Random) -> Option<(Vec<String>, String)> {
        let pattern = clause.patterns.get(random.below(clause.patterns.len()))?;
        let mut words: Vec<String> = Vec::new();
        for token in &pattern.tokens {
            match token {
                Token::Word { is_optional: true, .. } if random.below(2) == 0 => {}
                Token::Word { spellings, .. } => words.push(one_of(spellings, random)?.written.clone()),
                Token::Slot { kind, ending, .. } => {
                    let mut filled = self.filled(*kind, random)?;
                    if let (Some(last), Some(ending)) = (filled.last_mut(), ending) {
                        *last = format!("{last}-{}", ending.written);
                    }
                    words.extend(filled);
                }
            }
        }
        let own = PassageWord::all_of(&words.join(" "));
        let matches = self.whole_matches(number, pattern, &own);
        // All drawn names are known, so a match with an unknown one has mistaken another word for a name.
        let found = matches.iter().find(|found| found.slots.iter().all(|slot| slot.is_known))?;
        Some((words, found.english(clause)))
    }

    /// Draws the words of a slot.
    fn filled(&self, kind: SlotKind, random: &mut Random) -> Option<Vec<String>> {
        match kind {
            SlotKind::Name => self.spelling(EntryKind::Name, random),
            SlotKind::Person => self.person(random),
            SlotKind::Persons | SlotKind::Group => {
                let mut words = self.person(random)?;
                if random.below(4) == 0 {
                    words.push("u₃".into());
                    words.extend(self.person(random)?);
                }
                Some(words)
            }
            SlotKind::Eponym => {
                let before: &[&str] = if random.below(4) == 0 { &["ša", "qa₂-ti₂"] } else { &[] };
                let name = self.spelling(EntryKind::Name, random)?;
                Some(before.iter().map(|word| (*word).to_owned()).chain(name).collect())
            }
            SlotKind::Place => self.spelling(EntryKind::Place, random),
            SlotKind::Month => self.spelling(EntryKind::Month, random),
            SlotKind::Number => Some(vec![(1 + random.below(60)).to_string()]),
            SlotKind::Amount => weight(random),
            SlotKind::Rate => {
                let mut words = number(5, random);
                words.push("GIN₂-TA".into());
                Some(words)
            }
            SlotKind::Goods => self.spelling(either(EntryKind::Measured, EntryKind::Counted, random), random),
            SlotKind::Sum => self.sum(random),
            SlotKind::Count => {
                let mut words = vec![(1 + random.below(60)).to_string()];
                words.extend(self.spelling(EntryKind::Numbered, random)?);
                Some(words)
            }
        }
    }

    /// Draws a name, in one of three cases with the father's name.
    fn person(&self, random: &mut Random) -> Option<Vec<String>> {
        let mut words = self.spelling(EntryKind::Name, random)?;
        if random.below(3) == 0 {
            words.push("DUMU".into());
            words.extend(self.spelling(EntryKind::Name, random)?);
        }
        Some(words)
    }

    fn sum(&self, random: &mut Random) -> Option<Vec<String>> {
        let kind = either(EntryKind::Measured, EntryKind::Counted, random);
        let entry = self.entry(kind, random)?;
        let mut words = match entry.unit {
            Some(Unit::Weight) => weight(random)?,
            Some(Unit::Sack) => vec![(1 + random.below(30)).to_string(), "na-ru-uq".into()],
            Some(Unit::Jar) => vec![(1 + random.below(10)).to_string(), "DUG".into()],
            None => vec![(1 + random.below(100)).to_string()],
        };
        words.extend(spelled(entry, random)?);
        Some(words)
    }

    fn entry(&self, kind: EntryKind, random: &mut Random) -> Option<&Entry> {
        one_of(&self.tables.of_kind(kind).collect::<Vec<_>>(), random).copied()
    }

    fn spelling(&self, kind: EntryKind, random: &mut Random) -> Option<Vec<String>> {
        spelled(self.entry(kind, random)?, random)
    }
}

/// Draws one of two, with equal chance.
fn either<T>(one: T, other: T, random: &mut Random) -> T {
    if random.below(2) == 0 { one } else { other }
}

/// Draws one of several, with equal chance.
fn one_of<'a, T>(items: &'a [T], random: &mut Random) -> Option<&'a T> {
    items.get(random.below(items.len()))
}

/// Draws one of the spellings of an entry, as words.
fn spelled(entry: &Entry, random: &mut Random) -> Option<Vec<String>> {
    Some(one_of(&entry.spellings, random)?.iter().map(|word| word.written.clone()).collect())
}

/// Draws a number up to `most`, in one of three cases with a fraction.
fn number(most: usize, random: &mut Random) -> Vec<String> {
    let mut words = vec![(1 + random.below(most)).to_string()];
    if random.below(3) == 0 {
        words.extend(one_of(&FRACTIONS, random).map(|fraction| (*fraction).to_owned()));
    }
    words
}

/// Draws a weight in minas, shekels or both, in one of eight cases with talents.
fn weight(random: &mut Random) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let form = random.below(8);
    if form == 0 {
        words.extend([(1 + random.below(9)).to_string(), "GU₂".into()]);
    }
    if form < 5 {
        words.extend(number(59, random));
        words.push("MA-NA".into());
    }
    if form >= 3 {
        words.extend(number(19, random));
        words.push("GIN₂".into());
    }
    Some(words)
}

/// Consecutive clauses of some parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanStep {
    /// Parts from which each clause is drawn.
    pub parts: &'static [&'static str],
    /// Smallest number of clauses.
    pub least: usize,
    /// Largest number of clauses.
    pub most: usize,
}

const fn step(parts: &'static [&'static str], least: usize, most: usize) -> PlanStep {
    PlanStep { parts, least, most }
}

const LETTER: &[PlanStep] = &[
    step(&["address"], 1, 1),
    step(&["answer", "instruction", "time", "item", "payment", "handing over", "debt", "goods"], 1, 4),
    step(&["plea"], 0, 1),
    step(&["instruction"], 0, 1),
];
const DEBT_NOTE: &[PlanStep] = &[
    step(&["seal"], 0, 2),
    step(&["claim"], 1, 1),
    step(&["from"], 0, 1),
    step(&["date"], 0, 1),
    step(&["term"], 1, 1),
    step(&["default"], 0, 1),
    step(&["interest"], 0, 1),
    step(&["surety"], 0, 1),
    step(&["witness"], 0, 3),
];
const WITNESS_LIST: &[PlanStep] = &[step(&["seal"], 0, 3), step(&["witness"], 1, 4)];
const TRANSPORT: &[PlanStep] =
    &[step(&["consignment", "item"], 1, 3), step(&["handing over"], 1, 1), step(&["witness"], 0, 3)];
const ACCOUNT: &[PlanStep] = &[step(&["item"], 1, 4), step(&["payment"], 1, 3)];
const LEGAL: &[PlanStep] = &[
    step(&["preamble"], 0, 1),
    step(&["quotation"], 0, 1),
    step(&["payment", "debt", "oath", "release"], 1, 2),
    step(&["deposition"], 1, 2),
    step(&["witness"], 0, 2),
];

/// Returns the steps of a kind of text.
pub(super) fn steps(kind: TextKind) -> &'static [PlanStep] {
    match kind {
        TextKind::Letter => LETTER,
        TextKind::DebtNote => DEBT_NOTE,
        TextKind::WitnessList => WITNESS_LIST,
        TextKind::Transport => TRANSPORT,
        TextKind::Account => ACCOUNT,
        TextKind::Legal => LEGAL,
    }
}
