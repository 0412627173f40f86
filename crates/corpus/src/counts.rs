//! Counts the corpora for the tables of `signs`: readings by period, word starts by neighbours, lengths of breaks.

use super::signs_row::{CorpusSign, SignsRow};
use std::collections::BTreeMap;
use tuppum_text::SignState;
use tuppum_text::signs::{Neighbour, Period};

/// Number of count columns of a reading: one per period, oldest first, and one for all other texts.
pub const COLUMNS: usize = Period::ALL.len() + 1;

/// Returns the period of a text from Oracc's project and language or CDLI's name of the period; `None` for other
/// periods (Middle Assyrian, unmarked).
///
/// Plain `akk` marks royal inscriptions. Assyrian ones (`riao`, `rinap`, `suhu`) are a period of their own here.
/// Babylonian ones (`ribo`) count as Middle Babylonian up to the Second Dynasty of Isin and as Neo-Babylonian after it.
pub fn period(project: &str, language: &str) -> Option<Period> {
    let first = project.split('/').next().unwrap_or("");
    match language {
        "akk-x-oldass" => return Some(Period::OldAssyrian),
        "akk-x-oldbab" => return Some(Period::OldBabylonian),
        "akk-x-mbperi" | "akk-x-midbab" => return Some(Period::MiddleBabylonian),
        "akk-x-neoass" => return Some(Period::NeoAssyrian),
        "akk-x-neobab" | "akk-x-ltebab" => return Some(Period::NeoBabylonian),
        "akk-x-stdbab" => return Some(Period::StandardBabylonian),
        _ => {}
    }
    match first {
        "riao" | "rinap" | "suhu" => Some(Period::RoyalInscriptions),
        "ribo" if project == "ribo/babylon2" => Some(Period::MiddleBabylonian),
        "ribo" => Some(Period::NeoBabylonian),
        _ if first.starts_with("Old Assyrian") => Some(Period::OldAssyrian),
        _ if first.starts_with("Old Babylonian") || first.starts_with("Early Old Babylonian") => {
            Some(Period::OldBabylonian)
        }
        _ if first.starts_with("Middle Babylonian") => Some(Period::MiddleBabylonian),
        _ if first.starts_with("Neo-Assyrian") => Some(Period::NeoAssyrian),
        _ if first.starts_with("Neo-Babylonian") => Some(Period::NeoBabylonian),
        _ => None,
    }
}

/// Counts of the corpora.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorpusCounts {
    /// Counts of each reading by column; preserved and damaged signs only.
    pub readings: BTreeMap<String, [u32; COLUMNS]>,
    /// Counts of word starts and of all legible signs, by the neighbours before and after (indices in
    /// [`Neighbour::ALL`]).
    pub word_starts: BTreeMap<(usize, usize), (u32, u32)>,
    /// Number of stretches restored by the editor inside a line, by their length in signs.
    pub lengths: BTreeMap<usize, u32>,
}

impl CorpusCounts {
    /// Counts a line.
    pub fn add(&mut self, row: &SignsRow) {
        let column = period(row.project, row.language).map_or(COLUMNS - 1, |period| period as usize);
        let mut length = 0;
        for (place, sign) in row.signs.iter().enumerate() {
            if sign.state.is_read() {
                let counts = self.readings.entry(sign.reading.to_string()).or_default();
                if let Some(count) = counts.get_mut(column) {
                    *count += 1;
                }
            }
            if sign.state.is_legible() {
                let previous = place.checked_sub(1).and_then(|before| row.signs.get(before));
                let slot =
                    self.word_starts.entry((neighbour(previous), neighbour(row.signs.get(place + 1)))).or_default();
                slot.0 += u32::from(sign.starts_word);
                slot.1 += 1;
            }
            if sign.state == SignState::Restored {
                length += 1;
            } else {
                self.end_stretch(&mut length);
            }
        }
        self.end_stretch(&mut length);
    }

    /// Counts a stretch of restored signs that has ended, if there was one.
    fn end_stretch(&mut self, length: &mut usize) {
        if *length > 0 {
            *self.lengths.entry(*length).or_default() += 1;
        }
        *length = 0;
    }
}

/// Returns the index in [`Neighbour::ALL`] of the item beside a sign.
fn neighbour(sign: Option<&CorpusSign>) -> usize {
    let neighbour = match sign {
        None => Neighbour::LineEdge,
        Some(sign) => match sign.state {
            SignState::Break => Neighbour::Gap,
            SignState::Illegible => Neighbour::Illegible,
            SignState::Preserved | SignState::Damaged | SignState::Restored => {
                Neighbour::of_sign(sign.reading, sign.starts_word)
            }
        },
    };
    neighbour as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(readings: &str, states: &str, starts: &str) -> CorpusCounts {
        let line = format!("P1\tsaao/saa01\takk-x-neoass\to 1\t-\t{readings}\t-\t{states}\t{starts}");
        let mut counts = CorpusCounts::default();
        counts.add(&SignsRow::parse(&line).unwrap_or_else(|message| panic!("{message}")));
        counts
    }

    #[test]
    fn stretches_of_restored_signs_end_at_other_signs_and_at_the_line() {
        let counts = counts("a na be li ia x {d} UTU", "MMPMMXMM", "10100110");
        assert_eq!(counts.lengths, BTreeMap::from([(2, 3)]));
    }

    #[test]
    fn word_starts_by_neighbours() {
        let counts = counts("{d} UTU ... a na", "PPGMP", "10110");
        let at =
            |previous: Neighbour, next: Neighbour| counts.word_starts.get(&(previous as usize, next as usize)).copied();
        assert_eq!(at(Neighbour::LineEdge, Neighbour::Inside), Some((1, 1)));
        assert_eq!(at(Neighbour::LeadingDeterminative, Neighbour::Gap), Some((0, 1)));
        assert_eq!(at(Neighbour::Gap, Neighbour::Inside), Some((1, 1)));
        assert_eq!(at(Neighbour::WordStart, Neighbour::LineEdge), Some((0, 1)));
        assert_eq!(counts.word_starts.len(), 4, "the gap itself is not counted");
    }

    #[test]
    fn readings_are_counted_where_they_can_be_seen() {
        let counts = counts("a na a", "PMD", "101");
        assert_eq!(counts.readings.len(), 1);
        assert_eq!(counts.readings.get("a").map(|row| row[Period::NeoAssyrian as usize]), Some(2));
    }

    #[test]
    fn periods_of_projects_and_languages() {
        for (project, language, expected) in [
            ("riao", "akk", Some(Period::RoyalInscriptions)),
            ("rinap/rinap5", "akk", Some(Period::RoyalInscriptions)),
            ("ribo/babylon7", "akk", Some(Period::NeoBabylonian)),
            ("ribo/babylon2", "akk", Some(Period::MiddleBabylonian)),
            ("contrib/amarna", "akk-x-mbperi", Some(Period::MiddleBabylonian)),
            ("saao/saa08", "akk-x-stdbab", Some(Period::StandardBabylonian)),
            ("Old Assyrian (ca. 1950-1850 BC)", "akk", Some(Period::OldAssyrian)),
            ("Early Old Babylonian (ca. 2000-1900 BC)", "akk", Some(Period::OldBabylonian)),
            ("Neo-Assyrian (ca. 911-612 BC) ?", "akk", Some(Period::NeoAssyrian)),
            ("glass", "akk-x-midass", None),
        ] {
            assert_eq!(period(project, language), expected, "{project} {language}");
        }
    }
}
