//! Bonds between determinatives and their nouns.

use super::{Bond, MIN_STRENGTH};
use crate::hierarchy::is_determinative;
use std::collections::BTreeMap;
use tuppum_text::signs::taxonomy::SignTree;
use tuppum_text::{Document, Joiner};

/// Minimum occurrences of a sign beside a determinative; fewer are often a scribal or editorial slip.
const MIN_OCCURRENCES: u64 = 5;

/// Returns the bonds that these words show, with their occurrences, sorted by the numbers of their nodes.
///
/// A determinative at the end of a word belongs to the logogram or syllable before it, any other determinative to the
/// one behind it: the nearest sign and those joined to it by dots. A determinative beside another one binds nothing.
/// The strength is the share of the sign's occurrences that have the determinative. The opposite share, of the
/// determinative's occurrences that have the sign, would only count how many nouns there are.
pub fn bonds<'a>(words: impl IntoIterator<Item = (&'a str, u64)>, tree: &SignTree) -> Vec<Bond> {
    let mut signs: BTreeMap<u32, u64> = BTreeMap::new();
    let mut beside: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (word, count) in words {
        let document = Document::read(word);
        let readings: Option<Vec<(&str, Joiner)>> =
            document.signs().map(|sign| Some((sign.reading()?, sign.joiner))).collect();
        let readings = readings.unwrap_or_default();
        for (place, (reading, _)) in readings.iter().enumerate() {
            let own = tree.number_of(reading);
            if !is_determinative(reading) {
                *signs.entry(own).or_default() += count;
                continue;
            }
            for noun in noun(&readings, place) {
                *beside.entry((own, tree.number_of(noun))).or_default() += count;
            }
        }
    }
    let bond = |((one, other), count): ((u32, u32), u64)| {
        let all = signs.get(&other).copied().unwrap_or(0).max(1);
        Bond { one, other, strength: (count as f64 / all as f64).min(1.0) }
    };
    let is_known = |(one, other): (u32, u32)| one != SignTree::ROOT && other != SignTree::ROOT && one != other;
    let often = beside.into_iter().filter(|(pair, count)| *count >= MIN_OCCURRENCES && is_known(*pair));
    often.map(bond).filter(|bond| bond.strength >= MIN_STRENGTH).collect()
}

/// Returns the readings that the determinative at `place` belongs to.
fn noun<'a>(word: &[(&'a str, Joiner)], place: usize) -> Vec<&'a str> {
    let is_joined = |place: &usize| word.get(*place).is_some_and(|(_, joiner)| *joiner == Joiner::Dot);
    let places: Vec<usize> = if place + 1 == word.len() {
        let further = (1..place).rev().take_while(is_joined).map(|place| place - 1);
        place.checked_sub(1).into_iter().chain(further).collect()
    } else {
        std::iter::once(place + 1).chain((place + 2..word.len()).take_while(is_joined)).collect()
    };
    let readings = places.into_iter().filter_map(|place| Some(word.get(place)?.0));
    readings.take_while(|reading| !is_determinative(reading)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_bound_by_the_share_that_has_the_determinative() {
        let tree = SignTree::shared();
        let words =
            [("{d}UTU-ši", 30), ("UTU.E₃", 10), ("aš-šur{KI}", 90), ("šur", 10), ("{m}{d}UTU", 20), ("{d}x", 9)];
        let found = bonds(words, tree);
        let strength = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|reading| tree.number_of(reading));
            found.iter().find(|bond| (bond.one, bond.other) == (one, other)).map(|bond| bond.strength)
        };
        assert_eq!(strength("{d}", "UTU"), Some(50.0 / 60.0));
        assert_eq!(strength("{KI}", "šur"), Some(0.9));
        assert_eq!(strength("{KI}", "aš"), None, "beside it stands šur");
        assert_eq!(strength("{m}", "{d}"), None);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_logogram_of_several_signs_is_bound_as_a_whole() {
        let found = |word: &str, place: usize| {
            let document = Document::read(word);
            let readings: Vec<(&str, Joiner)> =
                document.signs().map(|sign| (sign.reading().unwrap(), sign.joiner)).collect();
            noun(&readings, place).join(" ")
        };
        assert_eq!(found("{d}AMAR.UTU-a", 0), "AMAR UTU");
        assert_eq!(found("KA₂.DINGIR.RA{KI}", 3), "RA DINGIR KA₂");
        assert_eq!(found("{m}{d}30-PAP", 0), "");
        assert_eq!(found("{m}{d}30-PAP", 1), "30");
        assert_eq!(found("ša{KI}", 1), "ša");
        assert_eq!(found("{d}", 0), "");
    }

    #[test]
    fn what_is_rare_or_weak_binds_nothing() {
        let tree = SignTree::shared();
        assert_eq!(bonds([("{d}IM", 4)], tree), []);
        assert_eq!(bonds([("{d}IM", 10), ("IM", 41)], tree), []);
        assert_eq!(bonds([("{d}IM", 10), ("IM", 40)], tree).len(), 1);
    }
}
