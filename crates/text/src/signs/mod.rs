//! Signs: which readings a sign has, which glyph a reading is, and how often the corpora have it.
//!
//! Three small tables are compiled in and read once, when first asked for: the [`SignList`] (Oracc Sign List), the
//! [`Frequencies`] of readings by [`Period`], and the [`Priors`] of word boundaries and lengths of breaks. The page
//! uses the first only. `tuppum-lab assets` writes all three; `assets/signs/LICENCE.md` says where they come from.
//! [`hierarchy`] is the tree of signs, readings, words and phrases, which the page fetches; [`taxonomy`] turns signs
//! and readings into distances, for the translator.

mod error;
mod frequencies;
pub mod hierarchy;
mod list;
mod nearest;
mod period;
mod priors;
pub mod taxonomy;

pub use error::{RowProblem, TableError};
pub use frequencies::Frequencies;
pub use list::{SignEntry, SignList, glyph_of_parts};
pub use period::Period;
pub use priors::{LONGEST_COUNTED, Neighbour, Priors};

/// A reading without the differences that are only case or convention: lower case, `ḫ` as `h`, `ŋ` as `g`.
pub fn fold(reading: &str) -> String {
    reading
        .chars()
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            'ḫ' => 'h',
            'ŋ' => 'g',
            other => other,
        })
        .collect()
}

/// Splits a table compiled in or just written: rows of tab-separated cells under the expected header.
fn rows<'a>(
    table: &'a str,
    header: &'static str,
) -> Result<impl Iterator<Item = (usize, Vec<&'a str>)> + use<'a>, TableError> {
    let mut lines = table.lines().enumerate();
    let columns = header.split('\t').count();
    match lines.next() {
        Some((_, first)) if first == header => {}
        other => {
            let found = other.map(|(_, line)| line.to_owned());
            return Err(TableError::Header { expected: header, found });
        }
    }
    Ok(lines.map(move |(number, line)| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        cells.resize(columns, "");
        (number + 1, cells)
    }))
}

/// A count in a cell, or an error that names the row.
fn count(cell: &str, row: usize) -> Result<u32, TableError> {
    cell.parse().map_err(|_| RowProblem::Count(cell.to_owned()).in_row(row))
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn folding_keeps_letters_and_index() {
        for (reading, folded) in [("LUGAL", "lugal"), ("ŠE₃", "še₃"), ("Ḫa", "ha"), ("ŊEŠ₂", "geš₂"), ("{KI}", "{ki}")]
        {
            assert_eq!(fold(reading), folded);
        }
    }
}
