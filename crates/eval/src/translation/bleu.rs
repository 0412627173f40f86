//! BLEU (Papineni et al. 2002) with exponential smoothing (Chen and Cherry 2014, method 3), as sacreBLEU computes it.
//!
//! BLEU = min(1, e^(1 − r/c)) · (p₁ p₂ p₃ p₄)^¼ with c and r the lengths of translation and reference in tokens, and pₙ
//! the share of the translation's stretches of n tokens that the reference has too, in percent.

use super::ngrams::compare;
use super::tokens::tokenised;

/// Longest stretch of tokens.
pub const ORDER: usize = 4;

/// Counts for BLEU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BleuCounts {
    /// Tokens of the translation.
    pub translation: u64,
    /// Tokens of the reference.
    pub reference: u64,
    /// Stretches of 1, 2, 3 and 4 tokens that the two share.
    pub shared: [u64; ORDER],
    /// Stretches of the translation.
    pub all: [u64; ORDER],
}

impl BleuCounts {
    /// Counts one sentence.
    pub fn of(translation: &str, reference: &str) -> Self {
        let (translation, reference) = (tokenised(translation), tokenised(reference));
        let (translation, reference) = (split(&translation), split(&reference));
        let mut counts =
            Self { translation: translation.len() as u64, reference: reference.len() as u64, ..Self::default() };
        for (order, (shared, all)) in (1..).zip(counts.shared.iter_mut().zip(&mut counts.all)) {
            let found = compare(&translation, &reference, order);
            (*shared, *all) = (found.shared, found.translation);
        }
        counts
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        self.translation += other.translation;
        self.reference += other.reference;
        for order in 0..ORDER {
            self.shared[order] += other.shared[order];
            self.all[order] += other.all[order];
        }
    }

    /// BLEU of a corpus, from 0 to 100; 0 when some order has no stretch at all.
    pub fn score(&self) -> f64 {
        self.smoothed(false)
    }

    /// BLEU of a single sentence: orders longer than it are left out (sacreBLEU's effective order).
    pub fn sentence_score(&self) -> f64 {
        self.smoothed(true)
    }

    fn smoothed(&self, effective_order: bool) -> f64 {
        if self.shared.iter().all(|shared| *shared == 0) {
            return 0.0;
        }
        let (mut halved, mut orders, mut sum) = (1.0, 0_u32, 0.0);
        for (shared, all) in self.shared.iter().zip(self.all) {
            if all == 0 {
                break;
            }
            let shared = if *shared == 0 {
                halved /= 2.0;
                halved
            } else {
                *shared as f64
            };
            orders += 1;
            sum += (100.0 * shared / all as f64).ln();
        }
        if !effective_order && (orders as usize) < ORDER {
            return 0.0;
        }
        self.brevity() * (sum / f64::from(orders)).exp()
    }

    /// Returns the penalty for translations that are too short.
    fn brevity(&self) -> f64 {
        let (translation, reference) = (self.translation as f64, self.reference as f64);
        if translation < reference { (1.0 - reference / translation).exp() } else { 1.0 }
    }
}

fn split(tokens: &str) -> Vec<&str> {
    tokens.split(' ').filter(|token| !token.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The f64 functions of two systems may differ in the last bits.
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn scores_by_hand() {
        let counts = BleuCounts::of("the king of the land spoke", "the king of the land");
        assert_eq!((counts.translation, counts.reference), (6, 5));
        assert_eq!((counts.shared, counts.all), ([5, 4, 3, 2], [6, 5, 4, 3]));
        near(counts.score(), 100.0 * (5.0 / 6.0 * 4.0 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0_f64).powf(0.25));
        let short = BleuCounts::of("the king of the", "the king of the land spoke");
        near(short.score(), 100.0 * (1.0_f64 - 6.0 / 4.0).exp());
    }

    #[test]
    fn orders_without_a_hit_are_smoothed_and_orders_without_a_stretch_are_not() {
        // 2 of 4 tokens, then no pair of 3, no triple of 2, no four of 1: halves, quarters, eighths.
        let counts = BleuCounts::of("the a king b", "the king");
        near(counts.score(), 100.0 * (2.0 / 4.0 * 0.5 / 3.0 * 0.25 / 2.0 * 0.125_f64).powf(0.25));
        let word = BleuCounts::of("king", "king");
        assert_eq!(word.score(), 0.0);
        near(word.sentence_score(), 100.0);
        assert_eq!(BleuCounts::of("", "king").sentence_score(), 0.0);
        assert_eq!(BleuCounts::default().score(), 0.0);
    }
}
