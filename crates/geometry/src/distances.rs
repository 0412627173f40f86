//! Distances between all pairs of a few hundred items, stored once per pair.

/// Symmetric table of distances with zeros on the diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    count: usize,
    /// Pairs (i, j) with i < j, row by row.
    pairs: Vec<f64>,
}

impl Distances {
    /// Builds the table for `count` items; `between(i, j)` is called once for every i < j.
    pub fn of(count: usize, mut between: impl FnMut(usize, usize) -> f64) -> Self {
        let mut pairs = Vec::with_capacity(count * count.saturating_sub(1) / 2);
        for one in 0..count {
            pairs.extend((one + 1..count).map(|other| between(one, other)));
        }
        Distances { count, pairs }
    }

    /// Returns the number of items.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the distance of two items, in either order; 0 between an item and itself and for numbers outside the
    /// table.
    pub fn at(&self, one: usize, other: usize) -> f64 {
        let (low, high) = (one.min(other), one.max(other));
        if low == high || high >= self.count {
            return 0.0;
        }
        let row = low * (2 * self.count - low - 1) / 2;
        self.pairs.get(row + high - low - 1).copied().unwrap_or(0.0)
    }

    /// Returns all pairs (i, j, distance) with i < j.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let pairs = (0..self.count).flat_map(|one| (one + 1..self.count).map(move |other| (one, other)));
        pairs.zip(&self.pairs).map(|((one, other), distance)| (one, other, *distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_its_place() {
        for count in 0..6 {
            let table = Distances::of(count, |one, other| (10 * one + other) as f64);
            assert_eq!(table.pairs().count(), count * count.saturating_sub(1) / 2);
            for (one, other, distance) in table.pairs() {
                assert_eq!(distance, (10 * one + other) as f64);
                assert_eq!((table.at(one, other), table.at(other, one)), (distance, distance));
            }
            assert_eq!((table.at(0, 0), table.at(0, count)), (0.0, 0.0));
        }
    }
}
