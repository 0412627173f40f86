//! What the augmentations do to a line, step by step, with what differs from the line before.

use tuppum_random::Random;
use tuppum_text::augment::{Rates, drop_signs, shuffle_words, vary_determinatives};

/// A line with what was done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What was done.
    pub what: &'static str,
    /// The whole line.
    pub text: String,
    /// Its words; whether each differs from the one at its place before.
    pub words: Vec<(String, bool)>,
}

/// The line, and the line after each of the three steps, as training sees it with this seed.
pub fn made(text: &str, seed: u64, rates: &Rates) -> [Made; 4] {
    let mut draws = Random::new(seed);
    let dropped = drop_signs(text, rates.drop, rates.keep, &mut draws);
    let shuffled = shuffle_words(&dropped, rates.shuffle, rates.within, &mut draws);
    let varied = vary_determinatives(&shuffled, rates.vary, &mut draws);
    [
        Made { what: "As read", words: words(text, text), text: text.to_owned() },
        Made { what: "Signs lost", words: words(text, &dropped), text: dropped.clone() },
        Made { what: "Words moved", words: words(&dropped, &shuffled), text: shuffled.clone() },
        Made { what: "Notation varied", words: words(&shuffled, &varied), text: varied },
    ]
}

fn words(before: &str, after: &str) -> Vec<(String, bool)> {
    let mut before = before.split(' ');
    after.split(' ').map(|word| (word.to_owned(), before.next() != Some(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::augment::augment;

    #[test]
    fn the_last_line_is_what_training_sees_and_changes_are_marked() {
        let (text, rates) = ("a-na {d}UTU be-li₂-ni qi₂-bi₂-ma um-ma", Rates::default());
        let mut changed = 0;
        for seed in 1..20 {
            let steps = made(text, seed, &rates);
            assert_eq!(steps[3].text, augment(text, &rates, &mut Random::new(seed)));
            for two in steps.windows(2) {
                let marked = two[1].words.iter().filter(|(_, differs)| *differs).count();
                assert_eq!(marked == 0, two[0].text == two[1].text);
                changed += marked;
            }
        }
        assert!(changed > 10);
    }
}
