//! Counts of what makes a source hard: rare readings, polyvalent signs, determinatives.

use std::collections::{BTreeMap, BTreeSet};
use tuppum_text::Document;
use tuppum_text::signs::SignList;

/// Number of occurrences in the training sources below which a reading is rare.
pub const RARE: u32 = 10;

/// Counts of the training sources: occurrences of each reading, and the readings of each sign.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    counts: BTreeMap<String, u32>,
    readings: BTreeMap<String, BTreeSet<String>>,
}

/// Measures of how hard a source is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hardness {
    /// Number of signs that are read.
    pub signs: usize,
    /// Number of signs whose reading is rare in training, or not there.
    pub rare: usize,
    /// Number of signs that have at least two readings in training.
    pub polyvalent: usize,
    /// Number of determinatives.
    pub determinatives: usize,
}

impl Seen {
    /// Counts the signs of these sources.
    pub fn of<'t>(sources: impl IntoIterator<Item = &'t str>) -> Self {
        let mut seen = Self::default();
        for source in sources {
            for reading in readings(source) {
                if let Some(sign) = sign_of(&reading) {
                    seen.readings.entry(sign).or_default().insert(bare(&reading).to_owned());
                }
                *seen.counts.entry(reading).or_default() += 1;
            }
        }
        seen
    }

    /// Measures how hard a source is for a model that has seen these sources.
    pub fn hardness(&self, source: &str) -> Hardness {
        let mut hardness = Hardness::default();
        for reading in readings(source) {
            let is_polyvalent = |sign: String| self.readings.get(&sign).is_some_and(|readings| readings.len() > 1);
            hardness.signs += 1;
            hardness.rare += usize::from(self.counts.get(&reading).copied().unwrap_or(0) < RARE);
            hardness.polyvalent += usize::from(sign_of(&reading).is_some_and(is_polyvalent));
            hardness.determinatives += usize::from(reading.starts_with('{'));
        }
        hardness
    }
}

impl Hardness {
    /// Returns the share of rare signs, in percent; 0 if nothing is read.
    pub fn rare_share(&self) -> f64 {
        100.0 * self.rare as f64 / self.signs.max(1) as f64
    }
}

/// Returns the readings of a source, determinatives with their braces.
fn readings(source: &str) -> Vec<String> {
    let document = Document::read(source);
    document.lines.iter().flat_map(|line| &line.signs).filter_map(|sign| sign.reading().map(str::to_owned)).collect()
}

/// Returns a reading without the braces of a determinative.
fn bare(reading: &str) -> &str {
    reading.trim_matches(['{', '}'])
}

/// Returns the name of the sign of a reading.
fn sign_of(reading: &str) -> Option<String> {
    SignList::shared().sign_of(reading).map(|entry| entry.name.into_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_polyvalent_and_determinatives_are_counted() {
        // KA is read ka and inim (a logogram), an is read only so; ten times ka.
        let often = "ka ".repeat(10);
        let seen = Seen::of([often.as_str(), "INIM an"]);
        let hardness = seen.hardness("ka an-ka {d}EN");
        // an once only, {d} and EN never.
        assert_eq!(hardness, Hardness { signs: 5, rare: 3, polyvalent: 2, determinatives: 1 });
        assert!((hardness.rare_share() - 60.0).abs() < 1e-9);
    }

    #[test]
    fn a_source_without_readings_is_not_hard() {
        let seen = Seen::of([]);
        assert_eq!(seen.hardness("... x"), Hardness::default());
        assert_eq!(seen.hardness("").rare_share(), 0.0);
    }
}
