//! `tuppum translate --data`: a table of transliterations in, a table of translations out, as the Deep Past Challenge
//! gives `test.csv` and takes `submission.csv`.

use crate::failure::{About, Result, at};
use crate::input;
use crate::terminal::style;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tuppum_domain::translation::fractions::Fractions;
use tuppum_text::pair_table::{Columns, Table};

/// Name of the column by which the rows of the output are known; without it they are numbered from 0.
const ID: &str = "id";

/// Transliterations of a table, with the ids of their rows.
pub struct TranslationTable {
    rows: Vec<(String, String)>,
}

impl TranslationTable {
    /// Reads a table.
    ///
    /// # Errors
    /// It cannot be read, has no column of transliterations, or a row that does not fit its columns.
    pub fn read(path: &Path) -> Result<Self> {
        let table = Table::read(&input::read(path)?, None, Some(true));
        if let Some(fault) = table.faults.first() {
            return Err(at(path, format_args!("line {} is no row of the table: {}", fault.line, fault.reason)));
        }
        let Some(source) = Columns::guess(&table).source else {
            let columns = table.columns.join(", ");
            let problem = format_args!(
                "no column has transliterations; it has: {columns}. Name the column “transliteration” or “source”"
            );
            return Err(at(path, problem));
        };
        let id = table.columns.iter().position(|name| name.eq_ignore_ascii_case(ID));
        let cell = |cells: &[String], column: usize| cells.get(column).cloned().unwrap_or_default();
        let row = |(number, cells): (usize, &[String])| {
            (id.map_or_else(|| number.to_string(), |id| cell(cells, id)), cell(cells, source))
        };
        Ok(Self { rows: table.rows.iter().map(|row| row.cells.as_slice()).enumerate().map(row).collect() })
    }

    /// Translates every row by `translate` and writes it at once, so that what was translated stays if the program ends
    /// early.
    ///
    /// # Errors
    /// The table cannot be written; error of `translate`.
    pub fn translate(
        &self,
        translate: impl Fn(&str) -> Result<String>,
        fractions: Fractions,
        out: &Path,
    ) -> Result<()> {
        let mut file = BufWriter::new(File::create(out).cannot("be written", out)?);
        let bar =
            ProgressBar::new(self.rows.len() as u64).with_style(style("translating {bar:30} {pos}/{len}, {eta} left"));
        let mut write = |line: &str| writeln!(file, "{line}").and_then(|()| file.flush()).cannot("be written", out);
        write("id,translation")?;
        for (id, typed) in &self.rows {
            write(&format!("{},{}", quoted(id), quoted(&fractions.written(&translate(typed)?))))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        println!("{} translations in {}", self.rows.len(), out.display());
        Ok(())
    }
}

/// Returns a cell of CSV, in quotation marks if it needs them (RFC 4180).
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_known_by_their_id_or_their_number() {
        let folder = tuppum_testing::TemporaryFolder::new("table");
        let path = folder.join("test.csv");
        let rows = |text: &str| {
            std::fs::write(&path, text).unwrap();
            TranslationTable::read(&path).map(|table| table.rows)
        };
        let row = |id: &str, typed: &str| (id.to_owned(), typed.to_owned());
        assert_eq!(rows("id,transliteration\n7,\"a-na, um-ma\"\n").unwrap(), [row("7", "a-na, um-ma")]);
        assert_eq!(rows("source\ttarget\na-na\tto\n").unwrap(), [row("0", "a-na")]);
        assert!(rows("id,transliteration\n7,a,b\n").is_err());
    }

    #[test]
    fn cells_are_quoted_where_they_need_it() {
        assert_eq!(["plain", "a, b", "say \"no\""].map(quoted), ["plain", "\"a, b\"", "\"say \"\"no\"\"\""]);
    }
}
