//! Measures of how well points keep the order of given distances: rank correlation, monotonicity, precision of
//! neighbours.

/// Returns Spearman's rank correlation of two series, with ties at their mean rank; 0 where either series is constant.
pub fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let ranks = ranks(one).into_iter().zip(ranks(other));
    super::distortion::Distortion::of(1.0, ranks).correlation
}

/// Returns the ranks, counted from 1; equal values share the mean of their ranks.
fn ranks(figures: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    let at = |place: &usize| figures.get(*place).copied().unwrap_or(0.0);
    order.sort_by(|one, other| at(one).total_cmp(&at(other)));
    let mut ranks = vec![0.0; figures.len()];
    let mut before = 0;
    for tied in order.chunk_by(|one, other| at(one) == at(other)) {
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        for place in tied {
            if let Some(slot) = ranks.get_mut(*place) {
                *slot = rank;
            }
        }
        before += tied.len();
    }
    ranks
}

/// Count of comparisons in which the nearer item is found farther away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Monotonicity {
    /// Number of pairs of items, both seen from a third, of which one is wanted nearer.
    pub comparable: u64,
    /// Number of comparable pairs in which the item that is wanted nearer is found farther away.
    pub violated: u64,
}

impl Monotonicity {
    /// Returns the share of violations; 0 where nothing is comparable.
    pub fn share(&self) -> f64 {
        if self.comparable == 0 { 0.0 } else { self.violated as f64 / self.comparable as f64 }
    }

    /// Adds the distances (wanted, found) from one item to all others. Sorts the row.
    pub fn add(&mut self, row: &mut [(f64, f64)]) {
        // Equal wanted distances are sorted by rising found ones, so that they add no inversions.
        row.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let pairs = |count: usize| (count * count.saturating_sub(1) / 2) as u64;
        let tied: u64 = row.chunk_by(|one, other| one.0 == other.0).map(|tied| pairs(tied.len())).sum();
        self.comparable += pairs(row.len()) - tied;
        let mut found: Vec<f64> = row.iter().map(|(_, found)| *found).collect();
        let mut spare = found.clone();
        self.violated += inversions(&mut found, &mut spare);
    }
}

/// Counts the pairs that stand in descending order, by merge sort; both slices have the same length.
fn inversions(figures: &mut [f64], spare: &mut [f64]) -> u64 {
    if figures.len() < 2 {
        return 0;
    }
    let middle = figures.len() / 2;
    let (low, high) = figures.split_at_mut(middle);
    let (spare_low, spare_high) = spare.split_at_mut(middle);
    let mut count = inversions(low, spare_low) + inversions(high, spare_high);
    let (mut left, mut right) = (0, 0);
    for slot in spare.iter_mut() {
        match (low.get(left), high.get(right)) {
            (Some(one), Some(other)) if other < one => {
                // Every number still left in the lower half is larger than this one and stands before it.
                count += (low.len() - left) as u64;
                *slot = *other;
                right += 1;
            }
            (Some(one), _) => {
                *slot = *one;
                left += 1;
            }
            (None, Some(other)) => {
                *slot = *other;
                right += 1;
            }
            (None, None) => {}
        }
    }
    figures.copy_from_slice(spare);
    count
}

/// Returns the mean average precision: for every item with neighbours, the mean over them of the share of neighbours
/// among all items found no farther away (Nickel and Kiela, "Poincaré embeddings", 2017); then the mean over the items.
///
/// `neighbours_of[i]` lists the neighbours of item i without i itself. 1 is perfect; the result is 0 where nothing has
/// neighbours.
pub fn mean_average_precision(neighbours_of: &[Vec<usize>], found: impl Fn(usize, usize) -> f64) -> f64 {
    let (mut sum, mut things) = (0.0, 0);
    for (thing, neighbours) in neighbours_of.iter().enumerate().filter(|(_, neighbours)| !neighbours.is_empty()) {
        things += 1;
        let mut near: Vec<f64> = neighbours.iter().map(|other| found(thing, *other)).collect();
        near.sort_by(f64::total_cmp);
        let others = (0..neighbours_of.len()).filter(|other| *other != thing);
        let mut all: Vec<f64> = others.map(|other| found(thing, other)).collect();
        all.sort_by(f64::total_cmp);
        let within = |figures: &[f64], distance: f64| figures.partition_point(|figure| *figure <= distance) as f64;
        let precisions: f64 = near.iter().map(|distance| within(&near, *distance) / within(&all, *distance)).sum();
        sum += precisions / near.len() as f64;
    }
    if things == 0 { 0.0 } else { sum / f64::from(things) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn ranks_share_their_places() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert!((rank_correlation(&[1.0, 2.0, 3.0], &[1.0, 10.0, 1e6]) - 1.0).abs() < 1e-15);
        assert!((rank_correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-15);
        assert_eq!(rank_correlation(&[1.0, 1.0], &[3.0, 2.0]), 0.0);
    }

    #[test]
    fn violations_are_those_that_counting_finds() {
        let mut random = Random::new(5);
        for length in 0..40 {
            let mut row: Vec<(f64, f64)> =
                (0..length).map(|_| (random.below(4) as f64, random.below(9) as f64)).collect();
            let mut expected = Monotonicity::default();
            for near in &row {
                for far in row.iter().filter(|far| near.0 < far.0) {
                    expected.comparable += 1;
                    expected.violated += u64::from(near.1 > far.1);
                }
            }
            let mut found = Monotonicity::default();
            found.add(&mut row);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn precision_on_a_line() {
        // The path 0 - 1 - 2 - 3 at its own places: neighbours come first for every item, but 2 is as near to 1 as 0
        // is.
        let path = [vec![1], vec![0, 2], vec![1, 3], vec![2]];
        let at = |places: [f64; 4]| move |one: usize, other: usize| (places[one] - places[other]).abs();
        assert_eq!(mean_average_precision(&path, at([0.0, 1.0, 2.0, 3.0])), 1.0);
        // 3 comes between 0 and 1, so the neighbour of 0 comes second.
        let found = mean_average_precision(&path, at([0.0, 1.0, 2.0, 0.5]));
        let from_1 = (2.0 / 3.0 + 2.0 / 3.0) / 2.0; // 3 at 0.5, then 0 and 2 both at 1
        let from_2 = (1.0 + 1.0) / 2.0; // 1 at 1, 3 at 1.5
        let from_3 = 1.0 / 3.0; // 0 and 1 at 0.5, 2 at 1.5
        assert!((found - (0.5 + from_1 + from_2 + from_3) / 4.0).abs() < 1e-15, "{found}");
        assert_eq!(mean_average_precision(&[vec![], vec![]], |_, _| 1.0), 0.0);
    }
}
