//! From rows to pairs, piece by piece, so that a page stays alive over a large corpus.

use super::{Columns, Damage, Fault, LeftOut, Table, TableRow};
use crate::Document;
use std::collections::BTreeMap;

/// A source and its translation.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedPair {
    /// The line of the row, from 1.
    pub line: usize,
    /// The name of its text; empty where none is given.
    pub text: String,
    /// The transliteration as typed.
    pub typed: String,
    /// The transliteration as the model reads it.
    pub source: String,
    /// The translation.
    pub target: String,
    /// How much the pair counts.
    pub weight: f32,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corpus {
    /// Pairs in the order of the rows.
    pub pairs: Vec<ImportedPair>,
    /// Rows that are left out, by line.
    pub left_out: Vec<Fault>,
    /// Number of rows that are left out as repetitions.
    pub duplicates: usize,
    /// How the signs of all sources are preserved.
    pub damage: Damage,
}

/// An import in progress.
pub struct Import {
    columns: Columns,
    rows: std::vec::IntoIter<TableRow>,
    total: usize,
    corpus: Corpus,
    /// The line in which each pair stands first.
    seen: BTreeMap<(String, String), usize>,
}

impl Import {
    /// Begins with the rows of a table; a row becomes a pair only if `columns` names both its halves.
    pub fn new(table: Table, columns: Columns) -> Self {
        let corpus = Corpus { left_out: table.faults, ..Corpus::default() };
        let total = table.rows.len();
        Self { columns, rows: table.rows.into_iter(), total, corpus, seen: BTreeMap::new() }
    }

    /// How many rows are done, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.total - self.rows.len(), self.total)
    }

    /// Reads `rows` rows more; returns whether there are still others. `read` turns a transliteration into what the
    /// model reads, empty where it holds no reading.
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

    /// The result of the import.
    pub fn finish(mut self) -> Corpus {
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

/// The text without line ends and doubled spaces.
fn one_line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text cut to a length that can be shown.
fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let beginning: String = letters.by_ref().take(30).collect();
    if letters.next().is_some() { beginning + "…" } else { beginning }
}
