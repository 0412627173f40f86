//! Masking of a sequence for training, as in the recipe that made the shipped restorer (`recipes/train_restorer.py`,
//! `corrupt`): single signs, or short spans such as a break leaves.

use crate::sequences::TokenKind;
use tuppum_domain::restoration::training::Masking;
use tuppum_random::Draws;

/// Maximum number of signs of a span after its first.
const MAX_SPAN_REACH: usize = 5;
/// Probability that a span goes on for one more sign; d more signs have this probability to the power of d.
const SPAN_CONTINUES: f64 = 0.75;
/// Divisor of the masked share in the probability that a span begins. A span has 3.3 signs on average.
const SIGNS_OF_SPAN: f64 = 3.0;

/// Returns the masked places in ascending order. Legible signs and editors' restorations can be masked, and at least
/// one is masked if there is one. The share of a sequence is drawn once. Spans may have holes and overlap, as in the
/// recipe.
pub fn places(kinds: &[TokenKind], masking: &Masking, draws: &mut impl Draws) -> Vec<usize> {
    let Masking { least, most, spans } = *masking;
    let share = least + (most - least) * draws.uniform();
    let mut chosen = vec![false; kinds.len()];
    if draws.uniform() < spans {
        for start in 0..kinds.len() {
            if draws.uniform() < share / SIGNS_OF_SPAN {
                chosen[start] = true;
                for further in 1..=MAX_SPAN_REACH.min(kinds.len() - 1 - start) {
                    chosen[start + further] |= draws.uniform() < SPAN_CONTINUES.powi(further as i32);
                }
            }
        }
    } else {
        chosen.iter_mut().for_each(|chosen| *chosen = draws.uniform() < share);
    }
    let legible = || kinds.iter().enumerate().filter(|(_, kind)| **kind != TokenKind::Special).map(|(place, _)| place);
    let places: Vec<usize> = legible().filter(|place| chosen[*place]).collect();
    if !places.is_empty() {
        return places;
    }
    // A sequence without a masked sign would cost as much as any other and teach nothing.
    let all: Vec<usize> = legible().collect();
    all.get(draws.below(all.len())).copied().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tuppum_random::Random;

    fn kinds(text: &str) -> Vec<TokenKind> {
        text.chars()
            .map(|letter| match letter {
                'r' => TokenKind::Read,
                'm' => TokenKind::Restored,
                _ => TokenKind::Special,
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn only_legible_signs_are_masked_and_one_at_least(
            text in "[rm.]{0,60}",
            seed: u64,
            least in 0.0..0.5,
            more in 0.0..0.5,
            spans in 0.0..1.0,
        ) {
            let kinds = kinds(&text);
            let masking = Masking { least, most: least + more, spans };
            let found = places(&kinds, &masking, &mut Random::new(seed));
            prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(found.iter().all(|place| kinds[*place] != TokenKind::Special));
            prop_assert_eq!(found.is_empty(), kinds.iter().all(|kind| *kind == TokenKind::Special));
            prop_assert_eq!(found, places(&kinds, &masking, &mut Random::new(seed)));
        }
    }

    /// Returns the shares of masked signs over many sequences of 400 legible ones.
    fn shares(masking: Masking) -> Vec<f64> {
        let kinds = vec![TokenKind::Read; 400];
        let mut draws = Random::new(1);
        (0..3_000).map(|_| places(&kinds, &masking, &mut draws).len() as f64 / 400.0).collect()
    }

    fn mean(shares: &[f64]) -> f64 {
        shares.iter().sum::<f64>() / shares.len() as f64
    }

    #[test]
    fn single_signs_are_masked_at_the_share_that_was_drawn() {
        let shares = shares(Masking { spans: 0.0, ..Masking::default() });
        // Uniform between 0.05 and 0.5: 0.275, with a standard error of 0.0024 over 3,000 sequences.
        assert!((mean(&shares) - 0.275).abs() < 0.012, "{}", mean(&shares));
        let [few, many] = [0.05, 0.5].map(|bound| shares.iter().filter(|share| **share < bound).count());
        // Only chance within a sequence (0.011 and 0.025) leads beyond the bounds: about 1 in 100.
        assert!(few < 60 && many > 2_900, "{few} {many}");
        let same = self::shares(Masking { least: 0.15, most: 0.15, spans: 0.0 });
        // 1.2 million draws at 0.15: ± 5 standard deviations of 3.3e-4.
        assert!((mean(&same) - 0.15).abs() < 1.7e-3, "{}", mean(&same));
    }

    #[test]
    fn spans_cover_about_the_share_and_hang_together() {
        let masking = Masking { least: 0.15, most: 0.15, spans: 1.0 };
        // A place stays unmasked if no span begins there or reaches it from one of the five places before: with p =
        // 0.05 that is (1 − p) · Π (1 − p · 0.75^d) = 0.846.
        let expected = 1.0 - (0..=5).map(|further| 1.0 - 0.05 * 0.75_f64.powi(further)).product::<f64>();
        let found = mean(&shares(masking));
        assert!((found - expected).abs() < 0.003, "{found} {expected}");
        let together = |spans| {
            let (kinds, mut draws) = (vec![TokenKind::Read; 400], Random::new(3));
            let (mut beside, mut all) = (0, 0);
            for _ in 0..500 {
                let found = places(&kinds, &Masking { spans, ..masking }, &mut draws);
                beside += found.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
                all += found.len();
            }
            beside as f64 / all as f64
        };
        // Masked one by one, signs have a masked neighbour with probability equal to the share.
        assert!((together(0.0) - 0.15).abs() < 0.01, "{}", together(0.0));
        assert!(together(1.0) > 0.5, "{}", together(1.0));
    }
}
