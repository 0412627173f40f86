//! Words of a translation in its current form: the machine's, and those that a user wrote in their place.

use super::answer::{Candidate, words_of};
use std::ops::Range;

/// A word of a translation in its current form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// Place of the word in the text, in bytes.
    pub bytes: Range<usize>,
    /// Index of the machine's word that it is, or that it replaces; `None` for an addition.
    pub word: Option<usize>,
    /// `true` if the user wrote the word.
    pub by_user: bool,
}

/// Returns the words of a candidate, or of the text that the user made of it. A word that the machine wrote too, in the
/// same order, is the machine's; others are the user's, and replace the machine's words between the same neighbours.
pub fn wording(candidate: &Candidate, edited: Option<&str>) -> Vec<Wording> {
    let machine: Vec<&str> = candidate.words.iter().filter_map(|word| candidate.text.get(word.bytes.clone())).collect();
    let Some(edited) = edited else {
        let word = |(number, bytes): (usize, Range<usize>)| Wording { bytes, word: Some(number), by_user: false };
        return candidate.words.iter().map(|word| word.bytes.clone()).enumerate().map(word).collect();
    };
    let places: Vec<Range<usize>> = words_of(edited).collect();
    let user: Vec<&str> = places.iter().map(|bytes| &edited[bytes.clone()]).collect();
    let mut found = Vec::with_capacity(user.len());
    let (mut old, mut new) = (0, 0);
    for (next_old, next_new) in common(&machine, &user).into_iter().chain([(machine.len(), user.len())]) {
        let (gone, come) = (next_old - old, next_new - new);
        for (place, bytes) in places[new..next_new].iter().enumerate() {
            // The user's words are spread evenly over the machine's words that they replace.
            let stands_for = (gone > 0).then(|| old + place * gone / come);
            found.push(Wording { bytes: bytes.clone(), word: stands_for, by_user: true });
        }
        if let Some(bytes) = places.get(next_new) {
            found.push(Wording { bytes: bytes.clone(), word: Some(next_old), by_user: false });
        }
        (old, new) = (next_old + 1, next_new + 1);
    }
    found
}

/// Returns a longest common subsequence of two rows of words, as pairs of indices (Wagner and Fischer 1974). Equal
/// beginnings and ends are taken first, so that a small edit in a long text costs little.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let behind = a[before..].iter().rev().zip(b[before..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&a[before..a.len() - behind], &b[before..b.len() - behind]);
    // `longest[i][j]` is the length of a longest common subsequence of the words from i and from j on.
    let mut longest = vec![vec![0u32; right.len() + 1]; left.len() + 1];
    for (i, one) in left.iter().enumerate().rev() {
        for (j, other) in right.iter().enumerate().rev() {
            let skipped = longest[i + 1][j].max(longest[i][j + 1]);
            longest[i][j] = if one == other { longest[i + 1][j + 1] + 1 } else { skipped };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..before).map(|place| (place, place)).collect();
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            pairs.push((before + i, before + j));
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs.extend((0..behind).rev().map(|place| (a.len() - 1 - place, b.len() - 1 - place)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::TargetWord;
    use super::*;
    use proptest::prelude::*;

    fn candidate(text: &str) -> Candidate {
        let word = |bytes| TargetWord { bytes, probability: 0.5, ..TargetWord::default() };
        Candidate {
            text: text.into(),
            score: 0.0,
            probability: 0.5,
            byte_probability: 0.5,
            ended: true,
            words: words_of(text).map(word).collect(),
            ..Candidate::default()
        }
    }

    /// Writes each word as `word/number`, the user's with a star.
    fn check(machine: &str, edited: &str, expected: &str) {
        let words = wording(&candidate(machine), Some(edited)).into_iter().map(|word| {
            let number = word.word.map_or("-".into(), |number| number.to_string());
            format!("{}/{number}{}", &edited[word.bytes], if word.by_user { "*" } else { "" })
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), expected, "{machine} to {edited}");
    }

    #[test]
    fn what_the_user_wrote_is_told_from_what_the_machine_wrote() {
        check("to my lord", "to my lord", "to/0 my/1 lord/2");
        check("to my lord", "To my lord", "To/0* my/1 lord/2");
        check("to lord", "to  my lord", "to/0 my/-* lord/1");
        check("Say to Assur", "Say to the Ashur-god", "Say/0 to/1 the/2* Ashur-god/2*");
        check("a b c d", "a d", "a/0 d/3");
        check("a b c d", "a x d", "a/0 x/1* d/3");
        check("a", "", "");
        check("", "a", "a/-*");
    }

    proptest! {
        #[test]
        fn every_word_is_there_once_and_in_order(machine in "[ab ]{0,20}", edited in "[abč ]{0,20}") {
            let candidate = candidate(&machine);
            let words = wording(&candidate, Some(&edited));
            let places: Vec<Range<usize>> = words.iter().map(|word| word.bytes.clone()).collect();
            prop_assert_eq!(places, words_of(&edited).collect::<Vec<_>>());
            let numbers: Vec<usize> = words.iter().filter_map(|word| word.word).collect();
            prop_assert!(numbers.is_sorted() && numbers.iter().all(|number| *number < candidate.words.len()));
            for word in words.iter().filter(|word| !word.by_user) {
                let own = candidate.words[word.word.unwrap()].bytes.clone();
                prop_assert_eq!(&machine[own], &edited[word.bytes.clone()]);
            }
        }
    }
}
