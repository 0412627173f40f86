//! Tables that fill slots: names of persons, and things, places, months and offices, each with its spellings.

use super::error::{FormularyError, FormularyProblem};
use super::word::{PassageWord, SpellingIndex};

/// First line of the table of names.
const NAMES: &str = "name\tspellings";
/// First line of the table of things.
const THINGS: &str = "kind\tenglish\tplural_or_unit\tspellings";
/// Separator of spellings in a cell.
const APART: &str = " | ";

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// A person with a name.
    Name,
    /// A person or body without a name, such as `DAM.GAR₃`.
    People,
    Place,
    Month,
    /// Goods that are weighed or measured.
    Measured,
    /// Goods that are counted.
    Counted,
    /// Counted things that are not goods: days, tablets.
    Numbered,
    /// A word that is not a name.
    Word,
}

impl EntryKind {
    const ALL: [(&str, Self); 7] = [
        ("people", Self::People),
        ("place", Self::Place),
        ("month", Self::Month),
        ("measured", Self::Measured),
        ("counted", Self::Counted),
        ("numbered", Self::Numbered),
        ("word", Self::Word),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind)
    }
}

/// Unit in which goods are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Talents, minas, shekels.
    Weight,
    Sack,
    Jar,
}

impl Unit {
    const ALL: [(&str, Self); 3] = [("weight", Self::Weight), ("sack", Self::Sack), ("jar", Self::Jar)];
}

/// Row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub kind: EntryKind,
    /// Translation or name; the singular of a counted thing.
    pub english: String,
    /// Plural of a counted thing.
    pub plural: String,
    /// Unit of a measured thing.
    pub unit: Option<Unit>,
    /// Spellings, most frequent first.
    pub spellings: Vec<Vec<PassageWord>>,
}

/// Entries with an index of their spellings.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    entries: Vec<Entry>,
    index: SpellingIndex,
}

impl Tables {
    /// Reads the tables of names and of things, each given with the name of its file.
    pub fn read(names: (&str, &str), things: (&str, &str)) -> Result<Self, FormularyError> {
        let mut tables = Self::default();
        for (line, cells) in rows(names, NAMES)? {
            let [name, spellings] = cells[..] else { continue };
            tables.add(EntryKind::Name, [name, "", spellings]).map_err(|problem| at(names.0, line, problem))?;
        }
        for (line, cells) in rows(things, THINGS)? {
            let [kind, english, plural, spellings] = cells[..] else { continue };
            let known = || EntryKind::ALL.map(|(name, _)| name).join(", ");
            let unknown = || at(things.0, line, FormularyProblem::Kind(kind.to_owned(), known()));
            let kind = EntryKind::named(kind).ok_or_else(unknown)?;
            tables.add(kind, [english, plural, spellings]).map_err(|problem| at(things.0, line, problem))?;
        }
        Ok(tables)
    }

    fn add(&mut self, kind: EntryKind, cells: [&str; 3]) -> Result<(), FormularyProblem> {
        let [english, plural, spelled] = cells;
        let needed = [(english, "the English"), (spelled, "the column of spellings")];
        if let Some((_, what)) = needed.iter().find(|(cell, _)| cell.trim().is_empty()) {
            return Err(FormularyProblem::Empty(what));
        }
        if matches!(kind, EntryKind::Counted | EntryKind::Numbered) && plural.is_empty() {
            return Err(FormularyProblem::Empty("the plural of what is counted"));
        }
        let unit = Unit::ALL.iter().find(|(name, _)| *name == plural).map(|(_, unit)| *unit);
        if kind == EntryKind::Measured && unit.is_none() {
            let units = Unit::ALL.map(|(name, _)| name).join(", ");
            return Err(FormularyProblem::Unit(plural.to_owned(), units));
        }
        let spellings: Vec<Vec<PassageWord>> = spelled.split(APART).map(PassageWord::all_of).collect();
        let number = self.entries.len() as u32;
        for (words, spelling) in spellings.iter().zip(spelled.split(APART)) {
            if words.is_empty() || words.iter().any(|word| !word.is_legible()) {
                return Err(FormularyProblem::Empty("a spelling"));
            }
            let others = self.index.sounding_like(words).iter().filter_map(|other| self.entry(*other));
            if let Some(other) = others.into_iter().find(|other| other.english != english) {
                return Err(FormularyProblem::SameSpelling(spelling.to_owned(), other.english.clone()));
            }
            self.index.add(words, number);
        }
        self.entries.push(Entry { kind, english: english.to_owned(), plural: plural.to_owned(), unit, spellings });
        Ok(())
    }

    fn entry(&self, number: u32) -> Option<&Entry> {
        self.entries.get(number as usize)
    }

    /// Returns all entries of a kind.
    pub fn of_kind(&self, kind: EntryKind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// Returns the entries whose spelling stands at the beginning of words, with its length in words.
    pub fn at_beginning(&self, words: &[PassageWord]) -> impl Iterator<Item = (usize, &Entry)> {
        let found = self.index.at_beginning(words);
        found.into_iter().filter_map(|(length, number)| Some((length, self.entry(number)?)))
    }

    /// Returns `true` if a word is an entry other than a name.
    pub fn is_no_name(&self, word: &PassageWord) -> bool {
        let numbers = self.index.numbers(std::slice::from_ref(word));
        numbers.iter().filter_map(|number| self.entry(*number)).any(|entry| entry.kind != EntryKind::Name)
    }
}

/// Creates an error about a line of a table.
fn at(file: &str, line: usize, problem: FormularyProblem) -> FormularyError {
    FormularyError::new(file, line, problem)
}

/// Returns the rows of a table below its first line, with their line numbers from 1. Skips empty lines and those that
/// begin with `#`.
fn rows<'a>(
    (file, text): (&str, &'a str),
    header: &str,
) -> Result<impl Iterator<Item = (usize, Vec<&'a str>)> + use<'a>, FormularyError> {
    let is_row = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
    let found = text.lines().enumerate().map(|(number, line)| (number + 1, line)).filter(is_row);
    let rows: Vec<(usize, Vec<&str>)> = found.map(|(number, line)| (number, line.split('\t').collect())).collect();
    let expected = header.split('\t').count();
    if let Some((line, cells)) = rows.iter().find(|(_, cells)| cells.len() != expected) {
        return Err(at(file, *line, FormularyProblem::Cells { expected, found: cells.len() }));
    }
    let is_header = |cells: &[&str]| cells.iter().copied().eq(header.split('\t'));
    if !rows.first().is_some_and(|(_, cells)| is_header(cells)) {
        return Err(at(file, 1, FormularyProblem::Empty("the first line, which names the columns,")));
    }
    Ok(rows.into_iter().skip(1))
}
