//! The augmentations of training, applied to a line one after the other, with the changes of each step marked.

use tuppum_random::Random;
use tuppum_text::augment::{Rates, drop_signs, shuffle_words, vary_determinatives};

/// A line after one step of the augmentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Name of the step.
    pub what: &'static str,
    /// The whole line.
    pub text: String,
    /// Words of the line, each with `true` if it differs from the word at the same position one step before.
    pub words: Vec<(String, bool)>,
}

/// Returns the line as read, and after each of the three augmentations, as training makes it with `seed`.
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
