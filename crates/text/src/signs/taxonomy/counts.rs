//! Counts of readings with their signs in the corpora: `reading_counts.tsv`, which is not part of the project.

use crate::signs::error::{RowProblem, TableError};

/// Reading as one glyph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingCount<'a> {
    /// Canonical reading; case counts (`ka`, `KA`), a determinative has its braces.
    pub reading: &'a str,
    /// Cuneiform of the sign, or the notation of the corpora where that is unknown.
    pub glyph: &'a str,
    /// Number of occurrences in all corpora.
    pub count: u64,
}

impl<'a> ReadingCount<'a> {
    /// Required columns; others are ignored.
    const COLUMNS: [&'static str; 5] = ["reading", "glyph", "oracc", "cdli_old_assyrian", "cdli_other"];

    /// Reads the table.
    ///
    /// # Errors
    /// [`TableError`] names the column that is missing, or the row without a count.
    pub fn parse(table: &'a str) -> Result<Vec<Self>, TableError> {
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
        let mut places = [0; 5];
        for (place, name) in places.iter_mut().zip(Self::COLUMNS) {
            let found = header.iter().position(|column| *column == name);
            *place = found.ok_or(TableError::NoColumn(name))?;
        }
        let row = |(number, line): (usize, &'a str)| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [reading, glyph, counts @ ..] = places.map(|place| cells.get(place).copied().unwrap_or(""));
            let mut count = 0;
            for cell in counts {
                count += cell.parse::<u64>().map_err(|_| RowProblem::Count(cell.to_owned()).in_row(number))?;
            }
            Ok(ReadingCount { reading, glyph, count })
        };
        (2..).zip(lines).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_summed() {
        let table = "reading\tglyph\tsign\toracc\tcdli_old_assyrian\tcdli_other\na\t𒀀\tA\t3\t2\t1\n";
        assert_eq!(ReadingCount::parse(table), Ok(vec![ReadingCount { reading: "a", glyph: "𒀀", count: 6 }]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |table| ReadingCount::parse(table).unwrap_err().to_string();
        assert_eq!(message("reading\toracc\n"), "the table of reading counts has no column \"glyph\"");
        let table = "reading\tglyph\toracc\tcdli_old_assyrian\tcdli_other\na\t𒀀\t3\t\t1\n";
        assert_eq!(message(table), "row 2: \"\" is no count");
    }
}
