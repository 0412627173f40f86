//! Finds what fills a slot at a place of a passage, and translates it.

use super::amount::amounts;
use super::number::{is_digit, number};
use super::pattern::{Literals, SlotKind};
use super::tables::{Entry, EntryKind, Tables};
use super::word::PassageWord;

/// Largest number of persons in one list.
const MAX_PERSONS: usize = 8;
/// Sound of "and", which joins names.
const AND: &str = "u";
/// Sounds of the words between a person and their father or master, with their translation.
const CHILDREN: [(&str, &str); 4] =
    [("dumu", "son of"), ("dumumunus", "daughter of"), ("merat", "daughter of"), ("arad", "servant of")];
/// Sounds of the two words before an eponym whose successor has not been named yet; the second has two forms.
const SUCCESSOR: (&str, [&str; 2]) = ("ša", ["qati", "qate"]);

/// Words that fit a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    /// Number of words.
    pub length: usize,
    /// Translation.
    pub english: String,
    /// `true` if every name in the fill is known.
    pub is_known: bool,
}

/// Tables from which slots are filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filler<'a> {
    pub tables: &'a Tables,
    pub literals: &'a Literals,
}

impl Filler<'_> {
    /// Returns all fills of a slot at the beginning of words.
    pub fn fills(self, kind: SlotKind, words: &[PassageWord]) -> Vec<Fill> {
        match kind {
            SlotKind::Person => self.person(words),
            SlotKind::Persons => self.persons(words, false),
            SlotKind::Group => self.persons(words, true),
            SlotKind::Name => self.person(words).into_iter().filter(|fill| fill.is_known).collect(),
            SlotKind::Place => self.entries(words, EntryKind::Place),
            SlotKind::Month => self.entries(words, EntryKind::Month),
            SlotKind::Eponym => self.eponym(words),
            SlotKind::Number => number(words)
                .map(|(number, length)| Fill { length, english: number.to_string(), is_known: true })
                .into_iter()
                .collect(),
            SlotKind::Amount | SlotKind::Rate => {
                let fitting = amounts(words).into_iter().filter(|amount| amount.is_rate == (kind == SlotKind::Rate));
                fitting.map(|amount| Fill { length: amount.length, english: amount.english, is_known: true }).collect()
            }
            SlotKind::Goods => {
                let goods = self.tables.at_beginning(words).filter_map(|(length, entry)| {
                    let english = match entry.kind {
                        EntryKind::Measured => &entry.english,
                        EntryKind::Counted => &entry.plural,
                        _ => return None,
                    };
                    Some(Fill { length, english: english.clone(), is_known: true })
                });
                goods.collect()
            }
            SlotKind::Sum => self.sum(words),
            SlotKind::Count => self.number_of(words, EntryKind::Numbered),
        }
    }

    /// Returns all fills of a slot whose last word has an ending.
    pub fn fills_with(self, kind: SlotKind, words: &[PassageWord], ending: &PassageWord) -> Vec<Fill> {
        let mut found = Vec::new();
        for last in 0..words.len().min(2 * MAX_PERSONS) {
            let Some(stem) = words.get(last).and_then(|word| word.without(ending)) else { continue };
            let mut own = words.get(..last).unwrap_or_default().to_vec();
            own.push(stem);
            found.extend(self.fills(kind, &own).into_iter().filter(|fill| fill.length == own.len()));
        }
        found
    }

    /// Returns entries of a kind at the beginning of words.
    fn entries(self, words: &[PassageWord], kind: EntryKind) -> Vec<Fill> {
        let found = self.tables.at_beginning(words).filter(|(_, entry)| entry.kind == kind);
        found.map(|(length, entry)| Fill { length, english: entry.english.clone(), is_known: true }).collect()
    }

    /// Returns persons: an office, a known name, or one otherwise unknown word; each alone and with the father's name.
    fn person(self, words: &[PassageWord]) -> Vec<Fill> {
        let mut found = Vec::new();
        for own in self.bare_person(words) {
            let rest = words.get(own.length..).unwrap_or_default();
            let child = rest.first().and_then(|word| CHILDREN.iter().find(|(sounds, _)| *sounds == word.sounds));
            if let Some((_, of)) = child {
                for father in self.bare_person(rest.get(1..).unwrap_or_default()) {
                    found.push(Fill {
                        length: own.length + 1 + father.length,
                        english: format!("{}, {of} {}", own.english, father.english),
                        is_known: own.is_known && father.is_known,
                    });
                }
            }
            found.push(own);
        }
        found
    }

    fn bare_person(self, words: &[PassageWord]) -> Vec<Fill> {
        let mut found = self.entries(words, EntryKind::People);
        found.extend(self.entries(words, EntryKind::Name));
        if let Some(word) = words.first()
            && found.is_empty()
            && self.may_be_name(word)
        {
            found.push(Fill { length: 1, english: as_spelled(&word.written), is_known: false });
        }
        found
    }

    /// Returns `true` if a word that no table has may be a name.
    fn may_be_name(self, word: &PassageWord) -> bool {
        let is_known = || !self.literals.of(word).is_empty() || self.tables.is_no_name(word);
        word.is_legible()
            && !word.sounds.is_empty()
            && !is_digit(word)
            && !word.sounds.starts_with(is_number)
            && !is_known()
    }

    /// Returns one or more persons joined by "and"; lists without "and" only if `ends_surely`.
    fn persons(self, words: &[PassageWord], ends_surely: bool) -> Vec<Fill> {
        let mut found = Vec::new();
        let mut open: Vec<(Vec<String>, usize, bool)> = vec![(Vec::new(), 0, true)];
        while let Some((names, length, is_known)) = open.pop() {
            if names.len() >= MAX_PERSONS {
                continue;
            }
            let rest = words.get(length..).unwrap_or_default();
            let and = usize::from(!names.is_empty() && rest.first().is_some_and(|word| word.sounds == AND));
            for next in self.person(rest.get(and..).unwrap_or_default()) {
                if !names.is_empty() && and == 0 && !ends_surely {
                    continue;
                }
                let mut all = names.clone();
                all.push(next.english);
                let (length, is_known) = (length + and + next.length, is_known && next.is_known);
                found.push(Fill { length, english: listed(&all), is_known });
                open.push((all, length, is_known));
            }
        }
        found
    }

    fn eponym(self, words: &[PassageWord]) -> Vec<Fill> {
        let (of, hand) = SUCCESSOR;
        let is = |at: usize, sounds: &[&str]| words.get(at).is_some_and(|word| sounds.contains(&word.sounds.as_str()));
        if is(0, &[of]) && is(1, &hand) {
            let persons = self.person(words.get(2..).unwrap_or_default()).into_iter();
            let after = |fill: Fill| Fill {
                length: fill.length + 2,
                english: format!("the successor of {}", fill.english),
                is_known: fill.is_known,
            };
            return persons.map(after).collect();
        }
        self.person(words)
    }

    fn sum(self, words: &[PassageWord]) -> Vec<Fill> {
        let mut found = Vec::new();
        for amount in amounts(words).into_iter().filter(|amount| !amount.is_rate) {
            for goods in self.entries(words.get(amount.length..).unwrap_or_default(), EntryKind::Measured) {
                let english = format!("{} of {}", amount.english, goods.english);
                found.push(Fill { length: amount.length + goods.length, english, is_known: true });
            }
        }
        found.extend(self.number_of(words, EntryKind::Counted));
        found
    }

    /// Returns a number followed by an entry of a kind.
    fn number_of(self, words: &[PassageWord], kind: EntryKind) -> Vec<Fill> {
        let Some((number, length)) = number(words) else { return Vec::new() };
        let rest = words.get(length..).unwrap_or_default();
        let entries = self.tables.at_beginning(rest).filter(|(_, entry)| entry.kind == kind);
        let fill = |(more, entry): (usize, &Entry)| {
            let english = format!("{number} {}", counted(entry, number.is_singular()));
            Fill { length: length + more, english, is_known: true }
        };
        entries.map(fill).collect()
    }
}

/// Returns the singular or plural of a counted thing.
fn counted(entry: &Entry, is_singular: bool) -> &str {
    if is_singular { &entry.english } else { &entry.plural }
}

fn is_number(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Writes an unknown name as it is spelled: signs joined, first letter capital, in angle quotes.
fn as_spelled(written: &str) -> String {
    let place = written.find('}').filter(|_| written.starts_with('{')).map_or(0, |place| place + 1);
    let (before, name) = written.split_at(place);
    let mut letters = name.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("‹{before}{first}{}›", letters.as_str())
}

/// Writes names as a list.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
