//! Names of gods, persons and places, known as such by the determinatives of their spellings, in a part to learn from
//! and a part to measure on, without the determinatives.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use thiserror::Error;
use tuppum_corpus::hierarchy::readings;
use tuppum_geometry::Random;

/// Kind of a name, as a determinative marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkedKind {
    /// A god: `{d}` in front.
    Divine,
    /// A person: `{m}`, `{f}`, `{MUNUS}` or `{MI₂}` in front.
    Personal,
    /// A place: `{KUR}`, `{URU}` or `{IRI}` in front, or `{KI}` behind.
    Place,
}

impl MarkedKind {
    /// All kinds.
    pub const ALL: [MarkedKind; 3] = [MarkedKind::Divine, MarkedKind::Personal, MarkedKind::Place];

    /// Returns the kind of a spelling's readings: that of the determinative in front, else of the one behind.
    fn of(readings: &[String]) -> Option<Self> {
        let marks = |reading: &str| match reading.to_uppercase().as_str() {
            "{D}" => Some(MarkedKind::Divine),
            "{M}" | "{F}" | "{MUNUS}" | "{MI₂}" => Some(MarkedKind::Personal),
            "{KUR}" | "{URU}" | "{IRI}" => Some(MarkedKind::Place),
            _ => None,
        };
        let behind = readings.last().filter(|last| last.to_uppercase() == "{KI}").map(|_| MarkedKind::Place);
        readings.first().and_then(|first| marks(first)).or(behind)
    }
}

impl fmt::Display for MarkedKind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Divine => "divine",
            Self::Personal => "personal",
            Self::Place => "place",
        })
    }
}

/// A spelling without determinatives, as numbers of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameSpelling {
    /// The spelling that is left, readings with spaces between.
    pub spelling: String,
    /// Features of the spelling: its readings, and the ones that begin and end it.
    pub features: Vec<usize>,
    /// Kind of the name; of several kinds the one with most occurrences.
    pub kind: MarkedKind,
}

/// Names in two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSplit {
    /// To learn from.
    pub train: Vec<NameSpelling>,
    /// To measure on: other spellings.
    pub test: Vec<NameSpelling>,
    /// Number of features.
    pub features: usize,
    /// Spellings that occur as names of more than one kind.
    pub ambiguous: usize,
}

/// There are too few names to learn from; this is their number.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "there are {0} names, too few to learn from. Names are words with a determinative such as {{d}}, {{m}} or {{KI}}."
)]
pub struct TooFewNames(pub usize);

impl NameSplit {
    /// Returns the names among words with their occurrences. One of five spellings is held out, by chance and seed;
    /// features that no spelling to learn from has are left out.
    ///
    /// # Errors
    /// There are too few names.
    pub fn of<'a>(words: impl IntoIterator<Item = (&'a str, u64)>, seed: u64) -> Result<Self, TooFewNames> {
        let mut counts: BTreeMap<Vec<String>, BTreeMap<MarkedKind, u64>> = BTreeMap::new();
        for (word, times) in words {
            let Some(readings) = readings(word) else { continue };
            let Some(kind) = MarkedKind::of(&readings) else { continue };
            let bare: Vec<String> = readings.into_iter().filter(|reading| !reading.starts_with('{')).collect();
            if !bare.is_empty() {
                *counts.entry(bare).or_default().entry(kind).or_default() += times;
            }
        }
        let ambiguous = counts.values().filter(|kinds| kinds.len() > 1).count();
        let mut all: Vec<(Vec<String>, MarkedKind)> =
            counts.into_iter().filter_map(|(bare, kinds)| Some((bare, commonest(&kinds)?))).collect();
        let mut random = Random::new(seed);
        random.shuffle(&mut all);
        let learnt = all.split_off(all.len() / 5);
        if learnt.len() < 10 || all.is_empty() {
            return Err(TooFewNames(learnt.len() + all.len()));
        }
        let known: BTreeSet<String> = learnt.iter().flat_map(|(bare, _)| features(bare)).collect();
        let numbers: BTreeMap<&str, usize> =
            known.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let name = |(bare, kind): &(Vec<String>, MarkedKind)| NameSpelling {
            spelling: bare.join(" "),
            features: features(bare).iter().filter_map(|name| numbers.get(name.as_str()).copied()).collect(),
            kind: *kind,
        };
        let [train, test] = [&learnt, &all].map(|part| part.iter().map(name).collect());
        Ok(Self { train, test, features: numbers.len(), ambiguous })
    }
}

fn commonest(kinds: &BTreeMap<MarkedKind, u64>) -> Option<MarkedKind> {
    kinds.iter().max_by_key(|(kind, times)| (**times, std::cmp::Reverse(**kind))).map(|(kind, _)| *kind)
}

fn features(bare: &[String]) -> Vec<String> {
    let [first, last] = [bare.first(), bare.last()].map(|one| one.map_or("", String::as_str));
    bare.iter().cloned().chain([format!("{first}-"), format!("-{last}")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_from_determinatives_which_are_then_left_out() {
        let of = |word: &str| MarkedKind::of(&readings(word).unwrap());
        assert_eq!(of("{d}marduk"), Some(MarkedKind::Divine));
        assert_eq!(of("{m}{d}30-PAP-MEŠ-SU"), Some(MarkedKind::Personal));
        assert_eq!(of("{KUR}aš-šur{KI}"), Some(MarkedKind::Place));
        assert_eq!(of("KA₂.DINGIR.RA{KI}"), Some(MarkedKind::Place));
        assert_eq!(of("a-na"), None);
        assert_eq!(of("{GIŠ}TUKUL"), None);
        let syllables = ["ba", "da", "ga", "ka"];
        let mut words: Vec<String> = Vec::new();
        for one in syllables {
            for other in syllables {
                words.push(format!("{{d}}{one}-{other}"));
                words.push(format!("{{m}}{other}-{one}-ni"));
            }
        }
        words.push("{KUR}ba-da{KI}".into());
        let names = NameSplit::of(words.iter().map(|word| (word.as_str(), 2)), 1).unwrap();
        assert_eq!((names.train.len() + names.test.len(), names.ambiguous), (32, 1));
        assert!(names.train.iter().chain(&names.test).all(|name| !name.spelling.contains('{')));
        let ni = names.train.iter().find(|name| name.spelling.ends_with(" ni")).unwrap();
        assert_eq!((ni.features.len(), ni.kind), (5, MarkedKind::Personal));
        assert!(names.train.iter().all(|one| names.test.iter().all(|other| one.spelling != other.spelling)));
        assert_eq!(NameSplit::of(words.iter().map(|word| (word.as_str(), 2)), 1).unwrap(), names);
        assert!(NameSplit::of([("{d}a", 1)], 1).is_err_and(|error| error.to_string().contains("too few")));
    }
}
