//! Scores of links and kinds.

/// Returns the area under the curve of true against false alarms: the probability that a link scores above a pair
/// without a link, ties counting half. NaN if there are no links, or no other pairs.
pub fn area_under_curve(links: &[f32], others: &[f32]) -> f64 {
    let mut all: Vec<(f32, bool)> =
        links.iter().map(|score| (*score, true)).chain(others.iter().map(|score| (*score, false))).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    // The sum of the links' ranks (Mann and Whitney 1947); equal scores have the mean of their ranks.
    let (mut ranks, mut at) = (0.0, 0);
    while at < all.len() {
        let same = all[at..].iter().take_while(|(score, _)| score.total_cmp(&all[at].0).is_eq()).count();
        let of_links = all[at..at + same].iter().filter(|(_, is_link)| *is_link).count();
        ranks += of_links as f64 * (at as f64 + (same as f64 + 1.0) / 2.0);
        at += same;
    }
    let [count, other] = [links.len() as f64, others.len() as f64];
    (ranks - count * (count + 1.0) / 2.0) / (count * other)
}

/// Returns F1 as the paper counts it: for two kinds the F1 of the second; for more the share of right answers, which is
/// the F1 over all kinds together. `pairs` are the kind of a node and the answer for it.
pub fn f1(pairs: &[[usize; 2]], kinds: usize) -> f64 {
    let count = |wanted: &dyn Fn(&[usize; 2]) -> bool| pairs.iter().filter(|pair| wanted(pair)).count() as f64;
    if kinds == 2 {
        let either = count(&|pair| pair[0] == 1) + count(&|pair| pair[1] == 1);
        return 2.0 * count(&|pair| *pair == [1, 1]) / either.max(1.0);
    }
    count(&|[own, told]| own == told) / pairs.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_geometry::Random;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        assert_eq!(area_under_curve(&[2.0, 3.0], &[0.0, 1.0]), 1.0);
        assert_eq!(area_under_curve(&[0.0], &[1.0, 2.0]), 0.0);
        assert_eq!(area_under_curve(&[1.0, 1.0], &[1.0]), 0.5);
        let mut random = Random::new(6);
        let mut drawn = |count: usize, more: f64| -> Vec<f32> {
            (0..count).map(|_| (4.0 * (random.uniform() + more)).round() as f32).collect()
        };
        let (links, others) = (drawn(40, 0.3), drawn(60, 0.0));
        let better = |one: f32, other: f32| match one.total_cmp(&other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        let pairs: f64 = links.iter().flat_map(|one| others.iter().map(move |other| better(*one, *other))).sum();
        assert!((area_under_curve(&links, &others) - pairs / 2_400.0).abs() < 1e-12);
    }

    #[test]
    fn f1_is_of_the_second_of_two_kinds_and_else_the_share_that_is_right() {
        assert_eq!(f1(&[[1, 1], [1, 0], [0, 0], [0, 1], [1, 1]], 2), 4.0 / 6.0);
        assert_eq!(f1(&[[1, 1], [2, 0], [0, 0], [0, 1]], 3), 0.5);
        assert_eq!((f1(&[], 2), f1(&[], 3)), (0.0, 0.0));
    }
}
