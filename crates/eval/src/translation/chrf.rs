//! chrF++ (Popović 2017, "chrF++: words helping character n-grams"), as sacreBLEU computes it: stretches of 1 to 6
//! letters without white space and of 1 and 2 words, precision and recall averaged over the orders that both sides
//! have, then F with β = 2.

use super::ngrams::{Shared, compare, is_space, words};

/// Longest stretch of letters.
const LETTERS: usize = 6;
/// Longest stretch of words.
const WORDS: usize = 2;
/// Number of orders; orders of letters come first.
pub const ORDERS: usize = LETTERS + WORDS;
/// Square of β, the weight of recall relative to precision.
const BETA_SQUARED: f64 = 4.0;

/// Counts for chrF++, by order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChrfCounts {
    /// Stretches of the translation; none where the reference has none of this order.
    pub translation: [u64; ORDERS],
    /// Stretches of the reference.
    pub reference: [u64; ORDERS],
    /// Stretches that the two share.
    pub shared: [u64; ORDERS],
}

impl ChrfCounts {
    /// Counts one sentence.
    pub fn of(translation: &str, reference: &str) -> Self {
        let (translated, expected) = (letters(translation), letters(reference));
        let mut counts = Self::default();
        for order in 0..LETTERS {
            counts.put(order, compare(&translated, &expected, order + 1));
        }
        let (translated, expected) = (separated(translation), separated(reference));
        for order in 0..WORDS {
            counts.put(LETTERS + order, compare(&translated, &expected, order + 1));
        }
        counts
    }

    fn put(&mut self, order: usize, found: Shared) {
        self.translation[order] = if found.reference > 0 { found.translation } else { 0 };
        self.reference[order] = found.reference;
        self.shared[order] = found.shared;
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        for order in 0..ORDERS {
            self.translation[order] += other.translation[order];
            self.reference[order] += other.reference[order];
            self.shared[order] += other.shared[order];
        }
    }

    /// chrF++ of a sentence or of a corpus, from 0 to 100.
    pub fn score(&self) -> f64 {
        let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
        for order in 0..ORDERS {
            let (translation, reference) = (self.translation[order] as f64, self.reference[order] as f64);
            if translation > 0.0 && reference > 0.0 {
                precision += self.shared[order] as f64 / translation;
                recall += self.shared[order] as f64 / reference;
                orders += 1.0;
            }
        }
        if precision + recall == 0.0 {
            return 0.0;
        }
        (precision, recall) = (precision / orders, recall / orders);
        100.0 * (1.0 + BETA_SQUARED) * precision * recall / (BETA_SQUARED * precision + recall)
    }
}

fn letters(sentence: &str) -> Vec<char> {
    sentence.chars().filter(|letter| !is_space(*letter)).collect()
}

/// Returns the words, with one mark split off the end, or else off the beginning: `(hi)` is `(hi` and `)`, as in
/// sacreBLEU.
fn separated(sentence: &str) -> Vec<&str> {
    let mut separated = Vec::new();
    for word in words(sentence) {
        let inner = |rest: &str| !rest.is_empty();
        if let Some(rest) = word.strip_suffix(|letter: char| letter.is_ascii_punctuation()).filter(|rest| inner(rest)) {
            separated.extend([rest, &word[rest.len()..]]);
        } else if let Some(rest) =
            word.strip_prefix(|letter: char| letter.is_ascii_punctuation()).filter(|rest| inner(rest))
        {
            separated.extend([&word[..word.len() - rest.len()], rest]);
        } else {
            separated.push(word);
        }
    }
    separated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_is_split_off() {
        assert_eq!(separated("(hi) \"a , so... ₂!"), ["(hi", ")", "\"", "a", ",", "so..", ".", "₂", "!"]);
    }

    #[test]
    fn scores_by_hand() {
        let counts = ChrfCounts::of("ab c", "ab d");
        assert_eq!(counts.shared, [2, 1, 0, 0, 0, 0, 1, 0]);
        assert_eq!(counts.translation, [3, 2, 1, 0, 0, 0, 2, 1]);
        // Five orders on both sides; precision and recall are the same, hence also F.
        let expected = 100.0 * (2.0 / 3.0 + 1.0 / 2.0 + 0.0 + 1.0 / 2.0 + 0.0) / 5.0;
        assert!((counts.score() - expected).abs() < 1e-12, "{}", counts.score());
        assert!((ChrfCounts::of("a", "a").score() - 100.0).abs() < 1e-12);
        assert_eq!(ChrfCounts::of("a", "b").score(), 0.0);
        assert_eq!(ChrfCounts::of("", "").score(), 0.0);
    }

    #[test]
    fn recall_weighs_more_than_precision() {
        let (longer, shorter) =
            (ChrfCounts::of("the king spoke", "the king"), ChrfCounts::of("the king", "the king spoke"));
        assert!(longer.score() > shorter.score());
    }
}
