//! Covers a passage with clauses of the formulary.

use super::clause::{Clause, SourceFile, read};
use super::error::FormularyError;
use super::fill::{Fill, Filler};
use super::pattern::{Literals, Pattern, SlotKind, Token};
use super::tables::Tables;
use super::word::PassageWord;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::OnceLock;
use tuppum_domain::formulary::{Cover, CoverPart, CoveredClause, FilledSlot};
use tuppum_text::{Document, Span};

/// Compiled-in files.
const FILES: [SourceFile; 7] = [
    SourceFile { name: "addresses.toml", text: include_str!("clauses/addresses.toml") },
    SourceFile { name: "letters.toml", text: include_str!("clauses/letters.toml") },
    SourceFile { name: "debts.toml", text: include_str!("clauses/debts.toml") },
    SourceFile { name: "witnesses.toml", text: include_str!("clauses/witnesses.toml") },
    SourceFile { name: "transport.toml", text: include_str!("clauses/transport.toml") },
    SourceFile { name: "accounts.toml", text: include_str!("clauses/accounts.toml") },
    SourceFile { name: "legal.toml", text: include_str!("clauses/legal.toml") },
];
const NAMES: SourceFile = SourceFile { name: "names.tsv", text: include_str!("names.tsv") };
const THINGS: SourceFile = SourceFile { name: "things.tsv", text: include_str!("things.tsv") };

/// Scores of a cover: the gain per covered word, and the costs of an unknown name and of a part. They rank covers by
/// most words, then fewest unknown names, then fewest parts. On a tie the clause that comes first in the files wins.
const WORD_GAIN: i64 = 1_000_000;
const UNKNOWN_NAME_COST: i64 = 10_000;
const PART_COST: i64 = 100;

/// Clauses with the tables that fill their slots.
#[derive(Clone, Debug, Default)]
pub struct Formulary {
    clauses: Vec<Clause>,
    pub(super) tables: Tables,
    literals: Literals,
    /// Patterns by their first word, as clause and pattern.
    by_first: HashMap<u32, Vec<(usize, usize)>>,
    others: Vec<(usize, usize)>,
}

/// A clause that matches at a place.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub clause: usize,
    /// Number of words.
    pub length: usize,
    /// Filled slots.
    pub slots: Vec<Slot>,
}

/// A filled slot: its name, first word and length, translation, and `true` if every name is known.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub name: String,
    pub start: usize,
    pub length: usize,
    pub english: String,
    pub is_known: bool,
}

impl Formulary {
    /// Returns the compiled-in formulary.
    pub fn shared() -> &'static Self {
        static FORMULARY: OnceLock<Formulary> = OnceLock::new();
        // A test reads the compiled-in files. If they were broken, nothing would be covered, and nothing else would
        // fail.
        FORMULARY.get_or_init(|| Self::compiled_in().unwrap_or_default())
    }

    /// Reads the compiled-in files.
    ///
    /// # Errors
    /// Names the file, the line and the problem.
    pub fn compiled_in() -> Result<Self, FormularyError> {
        Self::read(&FILES, NAMES, THINGS)
    }

    /// Reads files of clauses, the table of names and the table of things.
    ///
    /// # Errors
    /// Names the file, the line and the problem.
    pub fn read(files: &[SourceFile], names: SourceFile, things: SourceFile) -> Result<Self, FormularyError> {
        let (clauses, literals) = read(files)?;
        let tables = Tables::read((names.name, names.text), (things.name, things.text))?;
        let (mut by_first, mut others) = (HashMap::<u32, Vec<(usize, usize)>>::new(), Vec::new());
        for (number, clause) in clauses.iter().enumerate() {
            for (place, pattern) in clause.patterns.iter().enumerate() {
                match pattern.tokens.first() {
                    Some(Token::Word { numbers, is_optional: false, .. }) => {
                        for word in numbers {
                            by_first.entry(*word).or_default().push((number, place));
                        }
                    }
                    // A pattern that begins with a slot or an optional word can match at any word.
                    _ => others.push((number, place)),
                }
            }
        }
        Ok(Self { clauses, tables, literals, by_first, others })
    }

    /// Returns all clauses in the order of their files.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Covers all lines of transliteration of a document as one passage.
    pub fn cover(&self, document: &Document) -> Cover {
        self.cover_words(&PassageWord::all_in(document))
    }

    /// Covers a passage so that as many words as possible stand in clauses; on a tie the cover with fewer unknown names
    /// wins, then the one with fewer parts. Words outside all clauses get no translation.
    pub fn cover_words(&self, words: &[PassageWord]) -> Cover {
        let numbers: Vec<Vec<u32>> = words.iter().map(|word| self.literals.of(word)).collect();
        let passage = Passage::new(self, words, &numbers);
        // Dynamic programming from the end: the best score of the remaining words, and the clause that the best cover
        // begins with.
        let mut best: Vec<(i64, Option<Match>)> = vec![(0, None); words.len() + 1];
        for at in (0..words.len()).rev() {
            let worth_from = |place: usize| best.get(place).map_or(0, |(worth, _)| *worth);
            let mut here = (worth_from(at + 1), None);
            for found in passage.matches(at) {
                let worth = found.worth() + worth_from(at + found.length);
                if worth > here.0 {
                    here = (worth, Some(found));
                }
            }
            if let Some(place) = best.get_mut(at) {
                *place = here;
            }
        }
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let found = best.get_mut(at).and_then(|(_, found)| found.take());
            let length = found.as_ref().map_or(1, |found| found.length);
            let stretch = words.get(at..at + length).unwrap_or_default();
            self.push_part(&mut parts, stretch, found);
            at += length;
        }
        Cover { parts }
    }

    /// Appends a clause, or adds a word to the uncovered ones before it.
    fn push_part(&self, parts: &mut Vec<CoverPart>, words: &[PassageWord], found: Option<Match>) {
        let span = span_of(words);
        let written: Vec<String> = words.iter().map(|word| word.written.clone()).collect();
        if found.is_none()
            && let Some(last) = parts.last_mut().filter(|last| last.clause.is_none())
        {
            last.span = Span::new(last.span.start, span.end);
            last.words.extend(written);
            return;
        }
        let clause = found.and_then(|found| self.covered(words, &found));
        parts.push(CoverPart { span, words: written, clause });
    }

    /// Returns a clause with its slots filled from the words that it covers.
    fn covered(&self, words: &[PassageWord], found: &Match) -> Option<CoveredClause> {
        let clause = self.clauses.get(found.clause)?;
        let slots = found.slots.iter().map(|slot| {
            let own = words.get(slot.start..slot.start + slot.length).unwrap_or_default();
            let written: Vec<&str> = own.iter().map(|word| word.written.as_str()).collect();
            FilledSlot {
                slot: slot.name.clone(),
                written: written.join(" "),
                english: slot.english.clone(),
                is_known: slot.is_known,
            }
        });
        Some(CoveredClause {
            name: clause.name.clone(),
            kind: clause.kind,
            english: found.english(clause),
            slots: slots.collect(),
            texts: clause.texts.clone(),
        })
    }

    /// Counts the matches of each clause anywhere in a passage, so that a test can see if a clause stands in a text.
    pub fn clauses_in(&self, words: &[PassageWord]) -> BTreeMap<&str, usize> {
        let numbers: Vec<Vec<u32>> = words.iter().map(|word| self.literals.of(word)).collect();
        let passage = Passage::new(self, words, &numbers);
        let mut counts = BTreeMap::new();
        for found in (0..words.len()).flat_map(|at| passage.matches(at)) {
            if let Some(clause) = self.clauses.get(found.clause) {
                *counts.entry(clause.name.as_str()).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the matches of a pattern that cover all of the words.
    pub(super) fn whole_matches(&self, clause: usize, pattern: &Pattern, words: &[PassageWord]) -> Vec<Match> {
        let numbers: Vec<Vec<u32>> = words.iter().map(|word| self.literals.of(word)).collect();
        let passage = Passage::new(self, words, &numbers);
        let mut found = Vec::new();
        passage.follow(&pattern.tokens, 0, &mut Match { clause, length: 0, slots: Vec::new() }, &mut found);
        found.into_iter().filter(|found| found.length == words.len()).collect()
    }
}

impl Match {
    fn worth(&self) -> i64 {
        let unknown = self.slots.iter().filter(|slot| !slot.is_known).count() as i64;
        WORD_GAIN * self.length as i64 - UNKNOWN_NAME_COST * unknown - PART_COST
    }

    /// Returns the translation of a clause with its slots filled.
    pub(super) fn english(&self, clause: &Clause) -> String {
        let value = |name: &str| self.slots.iter().find(|slot| slot.name == name).map(|slot| slot.english.as_str());
        clause.filled(value)
    }
}

/// Fills by place and kind of slot.
type KnownFills = HashMap<(usize, SlotKind), Rc<[Fill]>>;

/// A passage being covered.
struct Passage<'a> {
    formulary: &'a Formulary,
    words: &'a [PassageWord],
    /// Pattern words that each word may be.
    numbers: &'a [Vec<u32>],
    /// Cache of fills by place and kind, since many patterns begin with the same slot.
    fills: RefCell<KnownFills>,
}

impl<'a> Passage<'a> {
    fn new(formulary: &'a Formulary, words: &'a [PassageWord], numbers: &'a [Vec<u32>]) -> Self {
        Self { formulary, words, numbers, fills: RefCell::default() }
    }

    /// Returns the fills of a slot at a place.
    fn fills(&self, at: usize, kind: SlotKind, ending: Option<&PassageWord>) -> Rc<[Fill]> {
        let filler = Filler { tables: &self.formulary.tables, literals: &self.formulary.literals };
        let words = self.words.get(at..).unwrap_or_default();
        if let Some(ending) = ending {
            return filler.fills_with(kind, words, ending).into();
        }
        let mut known = self.fills.borrow_mut();
        known.entry((at, kind)).or_insert_with(|| filler.fills(kind, words).into()).clone()
    }

    /// Returns all matches of all clauses at a place.
    fn matches(&self, at: usize) -> Vec<Match> {
        let firsts = self.numbers.get(at).into_iter().flatten();
        let beginning = firsts.filter_map(|first| self.formulary.by_first.get(first)).flatten();
        let mut found = Vec::new();
        for &(clause, pattern) in beginning.chain(&self.formulary.others) {
            let pattern = self.formulary.clauses.get(clause).and_then(|clause| clause.patterns.get(pattern));
            let Some(pattern) = pattern else { continue };
            let mut start = Match { clause, length: 0, slots: Vec::new() };
            self.follow(&pattern.tokens, at, &mut start, &mut found);
        }
        found
    }

    /// Matches the remaining tokens of a pattern and adds every completed match to `found`.
    fn follow(&self, tokens: &[Token], from: usize, so_far: &mut Match, found: &mut Vec<Match>) {
        let at = from + so_far.length;
        let Some((token, rest)) = tokens.split_first() else {
            found.push(so_far.clone());
            return;
        };
        match token {
            Token::Word { numbers, is_optional, .. } => {
                if self.numbers.get(at).is_some_and(|own| own.iter().any(|number| numbers.contains(number))) {
                    // One match is extended and restored, which spares a copy for every branch.
                    so_far.length += 1;
                    self.follow(rest, from, so_far, found);
                    so_far.length -= 1;
                }
                if *is_optional {
                    self.follow(rest, from, so_far, found);
                }
            }
            Token::Slot { name, kind, ending } => {
                for fill in self.fills(at, *kind, ending.as_ref()).iter() {
                    let (start, length) = (so_far.length, fill.length);
                    let (english, is_known) = (fill.english.clone(), fill.is_known);
                    so_far.slots.push(Slot { name: name.clone(), start, length, english, is_known });
                    so_far.length += length;
                    self.follow(rest, from, so_far, found);
                    so_far.length -= length;
                    so_far.slots.pop();
                }
            }
        }
    }
}

/// Returns the span from the first character of the first word to the last of the last.
fn span_of(words: &[PassageWord]) -> Span {
    Span::new(words.first().map_or(0, |word| word.span.start), words.last().map_or(0, |word| word.span.end))
}
