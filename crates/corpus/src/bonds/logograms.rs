//! Bonds between logograms and the syllables that they are read as.

use super::{Bond, MIN_STRENGTH};
use crate::hierarchy::{is_determinative, readings};
use std::collections::BTreeMap;
use tuppum_text::signs::taxonomy::SignTree;

/// Spellings of a lemma: occurrences by node.
#[derive(Default)]
struct Lemma {
    /// Occurrences of each single sign that writes the lemma as a logogram.
    logograms: BTreeMap<u32, f64>,
    /// Occurrences of the signs in syllabic spellings; a sign counts once per word.
    syllables: BTreeMap<u32, f64>,
    /// Number of words written with syllables.
    written_out: f64,
}

/// Returns the bonds of a lexicon's forms (spelling, lemma, occurrences), sorted by the numbers of their nodes.
///
/// A spelling of one sign in capitals writes its lemma as a logogram, a spelling without capitals in syllables;
/// determinatives and the plural's MEŠ do not count. The strength is the geometric mean of two shares: how often a word
/// that this logogram may stand for contains the syllable when written out, and which part of the syllable's
/// occurrences belongs to such words. Either share alone would bind a logogram to every common syllable.
pub fn bonds<'a>(forms: impl IntoIterator<Item = (&'a str, &'a str, u64)>, tree: &SignTree) -> Vec<Bond> {
    let mut lemmas: BTreeMap<&str, Lemma> = BTreeMap::new();
    for (spelling, lemma, count) in forms {
        let Some(readings) = readings(spelling) else { continue };
        let numbers = |readings: &[&String]| {
            let mut numbers: Vec<u32> = readings.iter().map(|reading| tree.number_of(reading)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.retain(|number| *number != SignTree::ROOT);
            numbers
        };
        let signs: Vec<&String> =
            readings.iter().filter(|reading| !is_determinative(reading) && *reading != "MEŠ").collect();
        let own = lemmas.entry(lemma).or_default();
        if signs.iter().all(|reading| !is_capital(reading)) {
            own.written_out += count as f64;
            numbers(&signs).into_iter().for_each(|sign| *own.syllables.entry(sign).or_default() += count as f64);
        } else if let [logogram] = signs[..] {
            numbers(&[logogram]).into_iter().for_each(|sign| *own.logograms.entry(sign).or_default() += count as f64);
        }
    }
    of_lemmas(lemmas.values())
}

/// Returns `true` if a reading is written like a logogram.
fn is_capital(reading: &str) -> bool {
    reading.chars().any(char::is_uppercase)
}

fn of_lemmas<'a>(lemmas: impl Iterator<Item = &'a Lemma> + Clone) -> Vec<Bond> {
    let (mut of_logogram, mut of_syllable) = (BTreeMap::<u32, f64>::new(), BTreeMap::<u32, f64>::new());
    for lemma in lemmas.clone() {
        lemma.logograms.iter().for_each(|(sign, count)| *of_logogram.entry(*sign).or_default() += count);
        lemma.syllables.iter().for_each(|(sign, count)| *of_syllable.entry(*sign).or_default() += count);
    }
    // For logogram and syllable: the share of the words with the syllable, and the share of the syllable's occurrences
    // in such words.
    let mut shares: BTreeMap<(u32, u32), [f64; 2]> = BTreeMap::new();
    for lemma in lemmas {
        let by_logogram: f64 = lemma.logograms.values().sum();
        for (logogram, count) in &lemma.logograms {
            for (syllable, written) in &lemma.syllables {
                let [there, back] = shares.entry((*logogram, *syllable)).or_default();
                let all = |counts: &BTreeMap<u32, f64>, sign| counts.get(sign).copied().unwrap_or(0.0).max(1.0);
                *there += count / all(&of_logogram, logogram) * written / lemma.written_out.max(1.0);
                *back += written / all(&of_syllable, syllable) * count / by_logogram.max(1.0);
            }
        }
    }
    let bond = |((one, other), [there, back]): ((u32, u32), [f64; 2])| Bond {
        one,
        other,
        strength: (there * back).sqrt().min(1.0),
    };
    shares.into_iter().map(bond).filter(|bond| bond.strength >= MIN_STRENGTH && bond.one != bond.other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logogram_is_bound_to_the_syllables_that_are_its_own() {
        let tree = SignTree::shared();
        let forms = [
            ("LUGAL", "šarru", 70),
            ("LUGAL.MEŠ", "šarru", 20),
            ("MAN", "šarru", 10),
            ("šar-ru", "šarru", 8),
            ("šar-ra", "šarru", 2),
            ("šu-ru", "other", 32),
            ("DUMU-šu", "neither logogram nor syllables", 50),
        ];
        let found = bonds(forms, tree);
        let strength = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|reading| tree.number_of(reading));
            found.iter().find(|bond| (bond.one, bond.other) == (one, other)).map(|bond| bond.strength)
        };
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|own| (own - expected).abs() < 1e-12);
        assert!(near(strength("LUGAL", "šar"), 0.9f64.sqrt()), "{found:?}");
        assert!(near(strength("LUGAL", "ru"), (0.8f64 * 0.9 * 8.0 / 40.0).sqrt()), "ru is of other words, mostly");
        assert!(near(strength("MAN", "šar"), 0.1f64.sqrt()));
        assert_eq!(strength("MAN", "ru"), None, "too weak");
        assert_eq!(strength("DUMU", "šu"), None);
    }
}
