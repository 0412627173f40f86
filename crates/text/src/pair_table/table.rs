//! Text as rows of cells: separated by tabs, commas or semicolons, or one JSON object per line.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// Number of rows that guesses are based on.
pub(super) const GUESSED_FROM: usize = 50;
/// Largest size of a quoted cell, in bytes. In a longer one a quotation mark must be missing.
const LONGEST_QUOTED: usize = 20_000;

/// Names of columns, in order of preference.
pub(super) const SOURCE: [&str; 9] =
    ["source", "src", "transliteration", "translit", "akkadian", "akk", "source_text", "source_marked", "input"];
pub(super) const TARGET: [&str; 8] = ["target", "tgt", "translation", "english", "en", "eng", "target_text", "output"];
pub(super) const TEXT: [&str; 11] =
    ["text_id", "textid", "text", "tablet", "document", "p_number", "cdli", "oare_id", "id", "name", "publication"];
pub(super) const WEIGHT: [&str; 2] = ["weight", "w"];

/// Separator of the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Tabs, as in TSV and in cells copied from a spreadsheet.
    Tabs,
    /// Commas, as in CSV; cells may be quoted.
    Commas,
    /// Semicolons, as in the CSV of many countries.
    Semicolons,
    /// No separator: every line is a JSON object, whose keys are the columns.
    Json,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Tabs, Self::Commas, Self::Semicolons, Self::Json];

    /// Guesses the shape from the first lines.
    pub fn guess(text: &str) -> Self {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if first.trim_start().starts_with('{') && serde_json::from_str::<serde_json::Value>(first).is_ok() {
            return Self::Json;
        }
        let beginning: String = text.lines().take(GUESSED_FROM).flat_map(|line| [line, "\n"]).collect();
        // The first separator that cuts most rows into the same number of cells, more than one.
        let agreeing = |shape: &Self| {
            let rows = shape.rows(&beginning).0;
            let width = usual_width(&rows);
            if width < 2 { 0 } else { rows.iter().filter(|row| row.cells.len() == width).count() }
        };
        let [tabs, commas, semicolons] =
            [Self::Tabs, Self::Commas, Self::Semicolons].map(|shape| (agreeing(&shape), shape));
        [commas, semicolons].into_iter().fold(tabs, |best, other| if other.0 > best.0 { other } else { best }).1
    }

    /// Returns the rows, and the lines that are not a row.
    fn rows(self, text: &str) -> (Vec<TableRow>, Vec<Fault>) {
        match self {
            Self::Tabs => (tabbed(text), Vec::new()),
            Self::Commas => quoted(text, b','),
            Self::Semicolons => quoted(text, b';'),
            Self::Json => (Vec::new(), Vec::new()),
        }
    }
}

/// Rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Separator of the cells.
    pub shape: Shape,
    /// `true` if the first row names the columns.
    pub header: bool,
    /// Names of the columns; numbers if nothing names them.
    pub columns: Vec<String>,
    /// Rows with as many cells as there are columns.
    pub rows: Vec<TableRow>,
    /// Rows that are left out, with the reason.
    pub faults: Vec<Fault>,
}

impl Table {
    /// Reads text; separator and header are guessed if not given.
    pub fn read(text: &str, shape: Option<Shape>, header: Option<bool>) -> Self {
        Self::of_rows(text, shape, header, None)
    }

    /// Reads text whose rows have up to `columns` cells, of which only the first is required; missing cells are empty.
    /// Cells are separated by tabs if there are any, else by the semicolons or commas of the first line that has some,
    /// because most rows may have none.
    pub fn with_short_rows(text: &str, header: bool, columns: usize) -> Self {
        let shape = match text.lines().find(|line| line.contains(['\t', ';', ','])) {
            _ if text.contains('\t') => Shape::Tabs,
            Some(line) if line.contains(';') => Shape::Semicolons,
            Some(_) => Shape::Commas,
            None => Shape::Tabs,
        };
        Self::of_rows(text, Some(shape), Some(header), Some(columns))
    }

    /// Reads text; `short` is the number of columns of a table whose rows may end early.
    fn of_rows(text: &str, shape: Option<Shape>, header: Option<bool>, short: Option<usize>) -> Self {
        let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n").replace('\r', "\n");
        let shape = shape.unwrap_or_else(|| Shape::guess(&text));
        if shape == Shape::Json {
            let (columns, rows, faults) = objects(&text);
            return Self { shape, header: false, columns, rows, faults };
        }
        let (mut rows, mut faults) = shape.rows(&text);
        let header = header.unwrap_or_else(|| rows.first().is_some_and(|first| is_header(&first.cells)));
        let named: Vec<String> = match header && !rows.is_empty() {
            true => rows.remove(0).cells.into_iter().map(|name| name.trim().to_owned()).collect(),
            false => Vec::new(),
        };
        let named_columns = named.len();
        // With tabs, most rows may have more cells than there are names; nobody needs the extra columns. With commas
        // and semicolons an extra cell may be part of a translation whose quotation marks are missing.
        let most = if named_columns > 0 && shape != Shape::Tabs { named_columns } else { usual_width(&rows) };
        let most = if named_columns == 0 { most.max(short.unwrap_or_default()) } else { most };
        let unnamed = (named_columns + 1..=most).map(|number| format!("Column {number}"));
        let columns: Vec<String> = named.into_iter().chain(unnamed).collect();
        let width = columns.len();
        let needed = if named_columns > 0 { named_columns } else { width };
        let needed = if short.is_some() { 1 } else { needed };
        rows.retain_mut(|row| {
            // A separator at the end of a row does not begin a cell.
            while row.cells.len() > width && row.cells.last().is_some_and(|cell| cell.trim().is_empty()) {
                row.cells.pop();
            }
            let found = row.cells.len();
            let fits = (needed..=width).contains(&found);
            if fits {
                row.cells.resize(width, String::new());
            } else {
                let columns = if short.is_some() { width } else { needed };
                let reason = LeftOut::Cells { found, columns, named: named_columns > 0 };
                faults.push(Fault { line: row.line, reason });
            }
            fits
        });
        faults.sort_by_key(|fault| fault.line);
        Self { shape, header, columns, rows, faults }
    }
}

/// Returns the number of cells that most rows have; of two equally frequent numbers, the larger.
fn usual_width(rows: &[TableRow]) -> usize {
    let mut widths = BTreeMap::new();
    for row in rows {
        *widths.entry(row.cells.len()).or_insert(0) += 1;
    }
    widths.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

/// Splits lines at tabs. A cell that is wholly quoted loses its quotation marks, and doubled ones inside become single.
fn tabbed(text: &str) -> Vec<TableRow> {
    let lines = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| TableRow { line: number + 1, cells: line.split('\t').map(unquoted).collect() }).collect()
}

fn unquoted(cell: &str) -> String {
    let inside = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) if !inside.replace("\"\"", "").contains('"') => inside.replace("\"\"", "\""),
        _ => cell.to_owned(),
    }
}

/// Splits rows at a separator; a quoted cell may contain it, and line ends too.
fn quoted(text: &str, separator: u8) -> (Vec<TableRow>, Vec<Fault>) {
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let end_of_line = text[at..].find('\n').map_or(text.len(), |length| at + length);
        if text[at..end_of_line].trim().is_empty() {
            (at, line) = (end_of_line + 1, line + 1);
            continue;
        }
        match record(text, at, separator) {
            Some((cells, end)) => {
                rows.push(TableRow { line, cells });
                line += text[at..end].matches('\n').count() + 1;
                at = end + 1;
            }
            None => {
                faults.push(Fault { line, reason: LeftOut::OpenQuotation });
                (at, line) = (end_of_line + 1, line + 1);
            }
        }
    }
    (rows, faults)
}

/// Returns the cells of the row that begins at `start`, and its end; `None` if a quotation mark is not closed.
fn record(text: &str, start: usize, separator: u8) -> Option<(Vec<String>, usize)> {
    let bytes = text.as_bytes();
    let mut cells = Vec::new();
    let mut at = start;
    loop {
        let mut cell = String::new();
        let padding = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
        if bytes.get(at + padding) == Some(&b'"') {
            at += padding + 1;
            loop {
                let length = bytes[at..].iter().take(LONGEST_QUOTED).position(|byte| *byte == b'"')?;
                cell.push_str(&text[at..at + length]);
                at += length + 1;
                if cell.len() > LONGEST_QUOTED {
                    return None;
                }
                if bytes.get(at) != Some(&b'"') {
                    break;
                }
                cell.push('"');
                at += 1;
            }
        }
        let rest = bytes[at..].iter().position(|byte| *byte == separator || *byte == b'\n');
        let end = rest.map_or(text.len(), |length| at + length);
        cell.push_str(text[at..end].trim_end_matches(' '));
        cells.push(cell);
        if bytes.get(end) != Some(&separator) {
            return Some((cells, end));
        }
        at = end + 1;
    }
}

/// Returns `true` if these cellsare names of columns and not a pair.
fn is_header(cells: &[String]) -> bool {
    let known = |cell: &String| {
        let cell = cell.trim().to_lowercase();
        SOURCE.contains(&cell.as_str()) || TARGET.contains(&cell.as_str())
    };
    cells.iter().any(known)
}

/// Returns the keys of all objects in the order of their first use, the rows, and the lines that are not such an
/// object.
fn objects(text: &str) -> (Vec<String>, Vec<TableRow>, Vec<Fault>) {
    let mut columns = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        match object_cells(line, &mut columns, &mut numbers) {
            Ok(cells) => rows.push(TableRow { line: number, cells }),
            Err(reason) => faults.push(Fault { line: number, reason }),
        }
    }
    rows.iter_mut().for_each(|row| row.cells.resize(columns.len(), String::new()));
    (columns, rows, faults)
}

fn object_cells(
    line: &str,
    columns: &mut Vec<String>,
    numbers: &mut BTreeMap<String, usize>,
) -> Result<Vec<String>, LeftOut> {
    let object = match serde_json::from_str(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Err(LeftOut::NoObject),
        Err(error) => return Err(LeftOut::NoJson(error.to_string())),
    };
    let mut cells = vec![String::new(); columns.len()];
    for (name, value) in object {
        let cell = match value {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let column = *numbers.entry(name).or_insert_with_key(|name| {
            columns.push(name.clone());
            columns.len() - 1
        });
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = cell;
    }
    Ok(cells)
}

/// Row with the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Number of the row's first line, from 1.
    pub line: usize,
    /// Cells of the row.
    pub cells: Vec<String>,
}

/// Row that is left out, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of the row's first line, from 1.
    pub line: usize,
    /// Reason, for the user.
    pub reason: LeftOut,
}

/// Reason why a row is left out.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LeftOut {
    /// The row has more or fewer cells than there are columns.
    #[error(
        "it has {found} cell{}, while {} {columns}",
        if *.found == 1 { "" } else { "s" },
        if *.named { "the first line names" } else { "most rows have" }
    )]
    Cells {
        /// Number of cells of the row.
        found: usize,
        /// Number of cells of the other rows.
        columns: usize,
        /// `true` if the first line names the columns.
        named: bool,
    },
    /// A quotation mark is missing.
    #[error("a quotation mark is opened in it and never closed")]
    OpenQuotation,
    /// The line is JSON, but not an object.
    #[error("it is JSON, but not an object with names, such as {{\"source\": …, \"target\": …}}")]
    NoObject,
    /// The line is not JSON, for this reason.
    #[error("it is not a JSON object: {0}")]
    NoJson(String),
    /// There is no transliteration.
    #[error("the transliteration is empty")]
    NoTransliteration,
    /// There is no translation.
    #[error("the translation is empty")]
    NoTranslation,
    /// The weight is not a number, or is out of range.
    #[error("the weight “{0}” is not a number above 0 and up to 1")]
    Weight(String),
    /// The transliteration has no legible sign.
    #[error("no sign of “{0}” can be read")]
    Unreadable(String),
    /// The pair occurred before.
    #[error("the same pair is in line {first}")]
    Duplicate {
        /// Line of the pair's first occurrence.
        first: usize,
    },
}
