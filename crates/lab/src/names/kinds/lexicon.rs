//! Spellings that a lexicon has with one clear meaning: a kind of name, or no name.

use std::collections::{BTreeMap, HashMap};
use tuppum_corpus::glosses::LexiconRow;
use tuppum_corpus::hierarchy::readings;
use tuppum_corpus::names::NameClasses;
use tuppum_domain::names::NameKind;

/// Kinds of names that are not told apart (lines of families, objects, quarters), and parts of speech that say nothing.
const UNTOLD: [&str; 7] = ["LN", "ON", "QN", "AN", "FN", "NN", "X"];
/// Parts of speech with so many words that others of them can be expected.
const OPEN: [&str; 4] = ["N", "V", "AJ", "AV"];
/// Determinatives of settlements. Many editions call every place a region (`GN`); one that mostly has such a
/// determinative in front is a settlement.
const SETTLEMENTS: [&str; 2] = ["{URU}", "{IRI}"];
/// Share of a spelling's words from which on its meaning is clear.
const CLEAR: f64 = 0.9;

/// A spelling with a clear meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearSpelling {
    /// The place in [`NameClasses`].
    pub class: usize,
    /// Commonest lemma of the spelling, by which names are held out.
    pub lemma: String,
    /// `true` if more words of this kind can be expected; prepositions, pronouns and the like are never held out.
    pub open: bool,
}

/// Counts of the lexicon's rows for one spelling.
#[derive(Clone, Debug, Default)]
struct Counted {
    /// Words of each class; of untold names and parts of speech behind them.
    classes: [u32; NameClasses::COUNT + 1],
    /// Words of each lemma of each class, and whether its part of speech is open.
    lemmas: BTreeMap<(usize, String), (u32, bool)>,
}

/// Counts a lexicon, spelling by spelling.
#[derive(Clone, Debug, Default)]
pub struct LexiconCounter {
    spellings: HashMap<String, Counted>,
    /// Words of each lemma that is called a region: with a determinative of settlements, and all.
    regions: HashMap<String, [u32; 2]>,
}

impl LexiconCounter {
    /// Counts a row.
    pub fn add(&mut self, row: &LexiconRow) {
        let Some(readings) = readings(row.spelling) else { return };
        let kind = NameKind::of_letters(row.part_of_speech);
        let untold = UNTOLD.contains(&row.part_of_speech);
        let class = if untold { NameClasses::COUNT } else { NameClasses::place(kind) };
        let counted = self.spellings.entry(readings.join(" ")).or_default();
        counted.classes[class] += row.count;
        if kind == Some(NameKind::Region) {
            let [settled, all] = self.regions.entry(row.lemma.to_owned()).or_default();
            let is_settled = readings.first().is_some_and(|first| SETTLEMENTS.contains(&first.as_str()));
            *settled += row.count * u32::from(is_settled);
            *all += row.count;
        }
        let open = kind.is_some() || OPEN.contains(&row.part_of_speech);
        let lemma = counted.lemmas.entry((class, row.lemma.to_owned())).or_default();
        *lemma = (lemma.0 + row.count, lemma.1 || open);
    }

    /// Returns the spellings with a clear meaning, by their readings with spaces between.
    pub fn clear(self) -> HashMap<String, ClearSpelling> {
        let [region, settlement] = [NameKind::Region, NameKind::Settlement].map(|kind| NameClasses::place(Some(kind)));
        let is_settled = |lemma: &String| self.regions.get(lemma).is_some_and(|[settled, all]| 2 * settled > *all);
        let clear = |mut counted: Counted| {
            for ((class, lemma), (count, open)) in std::mem::take(&mut counted.lemmas) {
                let moved = if class == region && is_settled(&lemma) { settlement } else { class };
                counted.classes[class] -= count;
                counted.classes[moved] += count;
                let sum = counted.lemmas.entry((moved, lemma)).or_default();
                *sum = (sum.0 + count, sum.1 || open);
            }
            let all: u32 = counted.classes.iter().sum();
            let (class, most) = counted.classes.iter().enumerate().max_by_key(|(_, count)| **count)?;
            if class == NameClasses::COUNT || f64::from(*most) < CLEAR * f64::from(all) {
                return None;
            }
            let own = counted.lemmas.into_iter().filter(|((other, _), _)| *other == class);
            let ((_, lemma), (_, open)) = own.max_by_key(|(_, (count, _))| *count)?;
            Some(ClearSpelling { class, lemma, open })
        };
        self.spellings.into_iter().filter_map(|(spelling, counted)| Some((spelling, clear(counted)?))).collect()
    }
}
