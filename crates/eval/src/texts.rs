//! Groups of measured pairs by text. Whole texts are held out, and the pairs of a text depend on each other, so a
//! bootstrap that draws pairs takes them for more than they are. Where the texts are known it draws texts, each with
//! all its pairs (the cluster bootstrap: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section
//! 3.8).

use std::collections::BTreeMap;

/// Text of each pair, or of each other thing that is measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextGroups {
    /// The number of each pair's text.
    numbers: Vec<usize>,
    count: usize,
}

impl TextGroups {
    /// Pairs with equal keys belong to one text.
    pub fn of<K: Ord>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut known = BTreeMap::new();
        let mut numbers = Vec::new();
        for key in keys {
            let next = known.len();
            numbers.push(*known.entry(key).or_insert(next));
        }
        Self { numbers, count: known.len() }
    }

    /// Groups in which each of `pairs` pairs is a text of its own, for pairs whose texts are unknown.
    pub fn each_its_own(pairs: usize) -> Self {
        Self { numbers: (0..pairs).collect(), count: pairs }
    }

    /// Returns the number of texts.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number of a pair's text; texts are numbered as they first occur.
    pub fn number(&self, pair: usize) -> Option<usize> {
        self.numbers.get(pair).copied()
    }

    /// Returns the pairs of the text of this number, in order.
    pub fn places(&self, which: impl Fn(usize) -> bool) -> Vec<usize> {
        self.numbers.iter().enumerate().filter(|(_, text)| which(**text)).map(|(pair, _)| pair).collect()
    }

    /// Returns the texts of some of the pairs, in this order.
    ///
    /// # Panics
    /// When there is no such pair.
    pub fn part(&self, places: &[usize]) -> Self {
        Self::of(places.iter().map(|place| self.numbers[*place]))
    }

    /// Sums up the pairs of each text, text by text; `add` adds a pair.
    pub fn sums<T: Clone + Default, P>(&self, pairs: impl IntoIterator<Item = P>, add: impl Fn(&mut T, P)) -> Vec<T> {
        let mut sums = vec![T::default(); self.count];
        self.numbers.iter().zip(pairs).for_each(|(number, pair)| add(&mut sums[*number], pair));
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_is_summed_together() {
        let texts = TextGroups::of(["P2", "P1", "P2", "P3"]);
        assert_eq!((texts.count(), texts.pairs()), (3, 4));
        let add = |sum: &mut u32, pair: u32| *sum += pair;
        assert_eq!(texts.sums([1, 2, 4, 8], add), [5, 2, 8]);
        assert_eq!(texts.part(&[3, 1]).sums([8, 2], add), [8, 2]);
        assert_eq!(TextGroups::each_its_own(4), TextGroups::of(0..4));
        assert_eq!(texts.part(&[]), TextGroups::default());
        assert_eq!((texts.number(2), texts.number(4), texts.places(|text| text != 1)), (Some(0), None, vec![0, 2, 3]));
    }
}
