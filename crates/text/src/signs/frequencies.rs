//! Frequencies of readings in the corpora, by period.

use super::error::TableError;
use super::{count, rows};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/signs/counts.tsv"));

/// First line of the table: one column per period, oldest first, then texts of no named period.
const HEADER: &str = "reading\told_assyrian\told_babylonian\tmiddle_babylonian\troyal_inscriptions\t\
    neo_assyrian\tneo_babylonian\tstandard_babylonian\tother";

/// Number of columns: the periods and one for other texts.
const COLUMNS: usize = Period::ALL.len() + 1;

/// Period of the corpora, for re-ranking by its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Period {
    /// Old Assyrian, about 1950-1850 BC.
    OldAssyrian,
    /// Old Babylonian, about 2000-1600 BC.
    OldBabylonian,
    /// Middle Babylonian and the western periphery (Amarna, Nuzi), about 1400-1100 BC.
    MiddleBabylonian,
    /// Assyrian royal inscriptions.
    RoyalInscriptions,
    /// Neo-Assyrian archives and scholarship, 911-612 BC.
    NeoAssyrian,
    /// Neo- and Late Babylonian.
    NeoBabylonian,
    /// Standard Babylonian literature.
    StandardBabylonian,
}

impl Period {
    /// All periods, oldest first.
    pub const ALL: [Period; 7] = [
        Period::OldAssyrian,
        Period::OldBabylonian,
        Period::MiddleBabylonian,
        Period::RoyalInscriptions,
        Period::NeoAssyrian,
        Period::NeoBabylonian,
        Period::StandardBabylonian,
    ];

    /// Returns the name that a reader knows.
    pub fn name(self) -> &'static str {
        match self {
            Period::OldAssyrian => "Old Assyrian",
            Period::OldBabylonian => "Old Babylonian",
            Period::MiddleBabylonian => "Middle Babylonian, Amarna, Nuzi",
            Period::RoyalInscriptions => "Assyrian royal inscriptions",
            Period::NeoAssyrian => "Neo-Assyrian",
            Period::NeoBabylonian => "Neo- and Late Babylonian",
            Period::StandardBabylonian => "Standard Babylonian",
        }
    }

    /// Returns the column in the counts: 0 for the oldest.
    fn column(self) -> usize {
        self as usize
    }
}

/// Counts of preserved and damaged signs in the training corpora.
///
/// They are counted without the word boundary: how often `na` stands inside a word says no more about a period than how
/// often `na` occurs, and half as many cells are empty. Case counts: `KA` and `ka` are two readings.
#[derive(Debug, Default)]
pub struct Frequencies {
    counts: HashMap<&'static str, [u32; COLUMNS]>,
    sums: [u64; COLUMNS],
}

impl Frequencies {
    /// First line of the table, which names the columns.
    pub const HEADER: &str = HEADER;

    /// Returns the counts that are compiled in.
    pub fn shared() -> &'static Frequencies {
        static FREQUENCIES: OnceLock<Frequencies> = OnceLock::new();
        // The table is our own and a test reads it. If it were broken, periods would re-rank nothing.
        FREQUENCIES.get_or_init(|| Frequencies::parse(TABLE).unwrap_or_default())
    }

    /// Reads a table of counts.
    ///
    /// # Errors
    /// [`TableError`] names the row.
    pub fn parse(table: &'static str) -> Result<Self, TableError> {
        let mut frequencies = Frequencies::default();
        for (row, cells) in rows(table, HEADER)? {
            let mut counts = [0; COLUMNS];
            let Some((reading, cells)) = cells.split_first() else { continue };
            for ((cell, place), sum) in cells.iter().zip(&mut counts).zip(&mut frequencies.sums) {
                *place = count(cell, row)?;
                *sum += u64::from(*place);
            }
            frequencies.counts.insert(reading, counts);
        }
        Ok(frequencies)
    }

    /// Returns the number of occurrences of a canonical reading in texts of the period.
    pub fn count(&self, reading: &str, period: Period) -> u32 {
        self.counts.get(reading).map_or(0, |counts| counts[period.column()])
    }

    /// Returns the number of occurrences of a canonical reading in all texts.
    pub fn total(&self, reading: &str) -> u32 {
        self.counts.get(reading).map_or(0, |counts| counts.iter().sum())
    }

    /// Returns the number of counted signs in texts of the period.
    pub fn period_signs(&self, period: Period) -> u64 {
        self.sums[period.column()]
    }

    /// Returns the number of counted signs.
    pub fn signs(&self) -> u64 {
        self.sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_period_and_in_all() {
        let table: &'static str =
            Box::leak(format!("{HEADER}\na\t1\t2\t0\t0\t0\t0\t0\t4\nb\t3\t0\t0\t0\t0\t0\t0\t0\n").into());
        let frequencies = Frequencies::parse(table).unwrap_or_default();
        assert_eq!(frequencies.count("a", Period::OldBabylonian), 2);
        assert_eq!(frequencies.total("a"), 7);
        assert_eq!(frequencies.period_signs(Period::OldAssyrian), 4);
        assert_eq!(frequencies.signs(), 10);
        assert_eq!(frequencies.total("c"), 0);
    }

    #[test]
    fn a_row_without_counts_is_refused() {
        let table: &'static str = Box::leak(format!("{HEADER}\na\t1\tmany\n").into());
        assert_eq!(Frequencies::parse(table).unwrap_err().to_string(), "row 2: \"many\" is no count");
    }

    #[test]
    fn the_table_compiled_in_has_every_period() {
        let frequencies = Frequencies::parse(TABLE).unwrap_or_default();
        for period in Period::ALL {
            assert!(frequencies.period_signs(period) > 50_000, "{period:?}");
        }
        // Old Assyrian scribes write di₂ (the sign HI) for di; nobody else does.
        assert!(frequencies.count("di₂", Period::OldAssyrian) > 100 * frequencies.count("di₂", Period::NeoAssyrian));
    }
}
