//! Import of rows as pairs, in steps, so that a page stays responsive over a large table; and what is measured on the
//! pairs: damage, and leaks between training and held-out pairs.

use super::{Columns, Fault, LeftOut, Table, TableRow};
use crate::{Document, SignKind, State};
use std::collections::{BTreeMap, BTreeSet};

/// Source with its translation.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedPair {
    /// Line of the row, from 1.
    pub line: usize,
    /// Name of the text; empty if there is none.
    pub text: String,
    /// Transliteration as typed.
    pub typed: String,
    /// Transliteration as the model reads it.
    pub source: String,
    /// Translation of the source.
    pub target: String,
    /// Weight of the pair.
    pub weight: f32,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedPairs {
    /// Pairs in the order of the rows.
    pub pairs: Vec<ImportedPair>,
    /// Rows that were left out, by line.
    pub left_out: Vec<Fault>,
    /// Number of rows that were left out as repetitions.
    pub duplicates: usize,
    /// Counts of damaged signs in all sources.
    pub damage: Damage,
}

/// Import in progress.
pub struct Import {
    columns: Columns,
    rows: std::vec::IntoIter<TableRow>,
    total: usize,
    corpus: ImportedPairs,
    /// Line of each pair's first occurrence.
    seen: BTreeMap<(String, String), usize>,
}

impl Import {
    /// Starts with the rows of a table; a row becomes a pair only if `columns` names both its halves.
    pub fn new(table: Table, columns: Columns) -> Self {
        let corpus = ImportedPairs { left_out: table.faults, ..ImportedPairs::default() };
        let total = table.rows.len();
        Self { columns, rows: table.rows.into_iter(), total, corpus, seen: BTreeMap::new() }
    }

    /// Returns the number of rows done, and the number of all rows.
    pub fn progress(&self) -> (usize, usize) {
        (self.total - self.rows.len(), self.total)
    }

    /// Reads `rows` more rows; returns `true` if there are still others. `read` turns a transliteration into the
    /// model's input, empty if it has no reading.
    pub fn go_on(&mut self, rows: usize, read: impl Fn(&Document) -> String) -> bool {
        for _ in 0..rows {
            let Some(row) = self.rows.next() else { return false };
            let line = row.line;
            match self.pair(row, &read) {
                Ok(pair) => self.corpus.pairs.push(pair),
                Err(reason) => self.corpus.left_out.push(Fault { line, reason }),
            }
        }
        self.rows.len() > 0
    }

    /// Returns the result of the import.
    pub fn finish(mut self) -> ImportedPairs {
        self.corpus.left_out.sort_by_key(|fault| fault.line);
        self.corpus
    }

    fn pair(&mut self, row: TableRow, read: impl Fn(&Document) -> String) -> Result<ImportedPair, LeftOut> {
        let cell =
            |column: Option<usize>| column.and_then(|column| row.cells.get(column)).map_or("", |cell| cell.trim());
        let (typed, target) = (cell(self.columns.source), one_line(cell(self.columns.target)));
        if typed.is_empty() {
            return Err(LeftOut::NoTransliteration);
        }
        if target.is_empty() {
            return Err(LeftOut::NoTranslation);
        }
        let weight = match cell(self.columns.weight) {
            "" => 1.0,
            written => match written.parse::<f32>() {
                Ok(weight) if weight > 0.0 && weight <= 1.0 => weight,
                _ => return Err(LeftOut::Weight(cut(written))),
            },
        };
        let document = Document::read(typed);
        let source = read(&document);
        if source.is_empty() {
            return Err(LeftOut::Unreadable(cut(typed)));
        }
        if let Some(&first) = self.seen.get(&(source.clone(), target.clone())) {
            self.corpus.duplicates += 1;
            return Err(LeftOut::Duplicate { first });
        }
        self.seen.insert((source.clone(), target.clone()), row.line);
        self.corpus.damage.add(&document);
        Ok(ImportedPair {
            line: row.line,
            text: cell(self.columns.text).to_owned(),
            typed: typed.to_owned(),
            source,
            target,
            weight,
        })
    }
}

/// Returns the text without line ends and doubled spaces.
pub fn one_line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts the text to a length that can be shown.
fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let beginning: String = letters.by_ref().take(30).collect();
    if letters.next().is_some() { beginning + "…" } else { beginning }
}

/// Counts of signs. Breaks of unknown length are not counted: their number of signs is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Number of all signs.
    pub signs: usize,
    /// Number of signs that are damaged, restored by the editor, or illegible.
    pub damaged: usize,
}

impl Damage {
    /// Adds the signs of a document.
    pub fn add(&mut self, document: &Document) {
        for sign in document.signs().filter(|sign| sign.kind != SignKind::Gap) {
            self.signs += 1;
            let legible = matches!(sign.kind, SignKind::Reading(_)) && sign.state == State::Preserved;
            self.damaged += usize::from(!legible);
        }
    }

    /// Returns the share of damaged signs; `None` without signs.
    pub fn rate(&self) -> Option<f64> {
        (self.signs > 0).then(|| self.damaged as f64 / self.signs as f64)
    }
}

/// Returns the pairs set aside whose source also belongs to a training pair: a model that memorised it would look
/// better than it is. Both arguments are numbers of pairs.
pub fn leaks(pairs: &[ImportedPair], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let sources: Vec<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
    leaks_among(&sources, training, held_out)
}

/// Returns the leaks among pairs that are given by the sources of all pairs.
pub fn leaks_among(sources: &[&str], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let source = |number: &usize| sources.get(*number).copied();
    let known: BTreeSet<&str> = training.iter().filter_map(source).collect();
    held_out.iter().copied().filter(|number| source(number).is_some_and(|source| known.contains(source))).collect()
}
