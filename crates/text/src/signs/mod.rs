//! Signs: the readings of each sign, the glyph of each reading, and its frequency in the corpora.
//!
//! Three small tables are compiled in and read once, on first use: the [`SignList`] (Oracc Sign List), the
//! [`Frequencies`] of readings by [`Period`], and the [`Priors`] of word boundaries and lengths of breaks. The page
//! uses the first only. `tuppum-lab assets` writes all three; `assets/signs/LICENCE.md` gives their sources.
//! [`hierarchy`] is the tree of signs, readings, words and phrases, which the page fetches; [`taxonomy`] turns signs
//! and readings into distances, for the translator.

mod error;
mod frequencies;
pub mod hierarchy;
mod list;
mod priors;
pub mod taxonomy;

pub use error::{RowProblem, TableError};
pub use frequencies::{Frequencies, Period};
pub use list::{SignEntry, SignList, glyph_of_parts};
pub use priors::{LONGEST_COUNTED, Neighbour, Priors};

/// Value of each sign. Signs of area and capacity (`2(ban₂)`) depend on what is measured, and are not in this list.
const WORTH: [(&str, u32); 10] = [
    ("diš", 1),
    ("DIŠ", 1),
    ("diš@t", 1),
    ("aš", 1),
    ("AŠ", 1),
    ("aš@c", 1),
    ("u", 10),
    ("U", 10),
    ("geš₂", 60),
    ("geš", 60),
];

/// Removes differences of case and convention from a reading: lower case, `ḫ` as `h`, `ŋ` as `g`.
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

/// Returns the part before the sign in a reading such as `4(diš)` or `1/3(diš)`, and the value of the sign; `None` for
/// every other reading. The part before the sign is not checked to be a number.
pub fn counted(reading: &str) -> Option<(&str, u32)> {
    let (count, sign) = reading.strip_suffix(')')?.split_once('(')?;
    WORTH.iter().find(|(own, _)| *own == sign).map(|(_, worth)| (count, *worth))
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

/// Reads a count in a cell, or returns an error that names the row.
fn count(cell: &str, row: usize) -> Result<u32, TableError> {
    cell.parse().map_err(|_| RowProblem::Count(cell.to_owned()).in_row(row))
}

#[cfg(test)]
mod tests {
    use super::{counted, fold};

    #[test]
    fn folding_keeps_letters_and_index() {
        for (reading, folded) in [("LUGAL", "lugal"), ("ŠE₃", "še₃"), ("Ḫa", "ha"), ("ŊEŠ₂", "geš₂"), ("{KI}", "{ki}")]
        {
            assert_eq!(fold(reading), folded);
        }
    }

    #[test]
    fn a_counted_sign_is_known_by_its_worth() {
        assert_eq!(counted("4(diš)"), Some(("4", 1)));
        assert_eq!(counted("1/3(diš)"), Some(("1/3", 1)));
        assert_eq!(counted("2(geš₂)"), Some(("2", 60)));
        for other in ["4", "2(ban₂)", "kuₓ(DU)", "(", ")(", "4(diš"] {
            assert_eq!(counted(other), None, "{other}");
        }
    }
}
