//! Which Akkadian words stand in which sources, and which English words their translations share.

use super::compact::{Lines, Rows, WordList};
use super::english;
use std::collections::HashMap;
use std::ops::Range;

/// What an editor writes for signs that are lost; no words.
const LOST: [&str; 3] = ["...", "x", "n"];
/// How many pairs are looked through for the English of one word. Of more, so many are taken evenly.
const LOOKED_THROUGH: usize = 300;
/// How many English words are kept for an Akkadian one.
const KEPT: usize = 8;
/// Added to the pairs in which an English word stands, so that one that stands once proves little.
const RARE: f32 = 2.0;

/// The number of an English word, letters lowered.
pub(super) type English = u32;

/// The words of the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    spellings: WordList,
    /// The pairs in whose source each spelling stands.
    places: Rows,
    english: WordList,
    /// In how many pairs each English word stands.
    counts: Vec<u32>,
    /// The different English words of each pair, in the order of their numbers.
    targets: Rows,
}

/// An Akkadian word of a passage, with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Looked {
    /// As it is spelled.
    pub spelling: String,
    /// What it tells: the logarithm of all pairs by those that have it.
    pub weight: f32,
    /// English words of the translations where it stands, with their shares, which add up to 1. None where it stands
    /// nowhere.
    pub english: Vec<(English, f32)>,
}

/// The words of a source.
pub(super) fn spellings(source: &str) -> impl Iterator<Item = &str> {
    source.split_whitespace().filter(|word| !LOST.contains(word))
}

/// Numbers the words of lines in the order in which they come, and gives the different ones of each line, in the order
/// of their numbers; `each` hands the words of a line on.
fn numbered(lines: &Lines, each: impl Fn(&str, &mut dyn FnMut(&str))) -> (WordList, Rows) {
    let mut numbers: HashMap<Box<str>, u32> = HashMap::new();
    let (mut rows, mut own) = (Rows::default(), Vec::new());
    for line in lines.iter() {
        each(line, &mut |word| {
            let next = numbers.len() as u32;
            let known = numbers.get(word).copied();
            own.push(known.unwrap_or_else(|| *numbers.entry(word.into()).or_insert(next)));
        });
        own.sort_unstable();
        own.dedup();
        rows.push(&own);
        own.clear();
    }
    (WordList::new(numbers), rows.shrink())
}

impl Words {
    /// The words of sources and of their translations.
    pub fn new(sources: &Lines, targets: &Lines) -> Self {
        let (spellings, of_sources) =
            numbered(sources, |source: &str, add: &mut dyn FnMut(&str)| spellings(source).for_each(add));
        let places = of_sources.inverted(spellings.len());
        drop(of_sources);
        let lowered = |target: &str, add: &mut dyn FnMut(&str)| {
            english::words(target).for_each(|(_, word)| add(&word.to_lowercase()));
        };
        let (english, targets) = numbered(targets, lowered);
        let mut counts = vec![0; english.len()];
        for word in (0..targets.len()).flat_map(|pair| targets.get(pair)) {
            if let Some(count) = counts.get_mut(*word as usize) {
                *count += 1;
            }
        }
        Self { spellings, places, english, counts, targets }
    }

    /// The pairs in whose source a spelling stands, but for those of one text.
    pub fn pairs_with(&self, spelling: &str, except: &Range<usize>) -> impl Iterator<Item = usize> {
        let number = self.spellings.number(spelling);
        let places = number.map_or(&[][..], |number| self.places.get(number as usize));
        let except = except.clone();
        places.iter().map(|pair| *pair as usize).filter(move |pair| !except.contains(pair))
    }

    /// The different English words of a pair, in the order of their numbers.
    pub fn english_of(&self, pair: usize) -> &[English] {
        self.targets.get(pair)
    }

    /// In how many pairs an English word stands.
    pub fn count(&self, word: English) -> usize {
        self.counts.get(word as usize).map_or(0, |count| *count as usize)
    }

    /// The number of an English word, letters lowered.
    pub fn number(&self, word: &str) -> Option<English> {
        self.english.number(&word.to_lowercase())
    }

    /// The words of a passage, each with its English, learnt from the pairs but for those of one text.
    pub fn look_up(&self, passage: &str, except: &Range<usize>) -> Vec<Looked> {
        let mut together = vec![0_u32; self.english.len()];
        spellings(passage).map(|word| self.looked(word, except, &mut together)).collect()
    }

    /// A word with its English. What is counted together is 0 before and behind.
    fn looked(&self, spelling: &str, except: &Range<usize>, together: &mut [u32]) -> Looked {
        let pairs: Vec<usize> = self.pairs_with(spelling, except).collect();
        let step = pairs.len().div_ceil(LOOKED_THROUGH).max(1);
        let mut seen: Vec<English> = Vec::new();
        for word in pairs.iter().step_by(step).flat_map(|pair| self.english_of(*pair)) {
            if let Some(count) = together.get_mut(*word as usize) {
                if *count == 0 {
                    seen.push(*word);
                }
                *count += 1;
            }
        }
        let all = pairs.len() as f32;
        let mut english: Vec<(English, f32)> = Vec::new();
        for word in seen {
            let Some(count) = together.get_mut(word as usize) else { continue };
            let both = std::mem::take(count) as f32 * step as f32;
            // The probability of the English word where the Akkadian one stands, times that of the opposite.
            english.push((word, both / all * (both / (self.count(word) as f32 + RARE))));
        }
        english.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        english.truncate(KEPT);
        let sum: f32 = english.iter().map(|(_, share)| share).sum();
        english.iter_mut().for_each(|(_, share)| *share /= sum);
        Looked { spelling: spelling.to_owned(), weight: self.weight_of(pairs.len()), english }
    }

    /// What a spelling tells: the logarithm of all pairs by those that have it.
    pub fn weight(&self, spelling: &str) -> f32 {
        self.weight_of(self.pairs_with(spelling, &(0..0)).count())
    }

    fn weight_of(&self, pairs: usize) -> f32 {
        ((self.targets.len() as f32 + 1.0) / (pairs as f32 + 1.0)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let pairs = [
            ("a-na LUGAL EN-ia", "To the king, my lord"),
            ("ARAD-ka {m}x ...", "your servant NN"),
            ("LUGAL KUR-aš-šur", "king of Assyria"),
            ("EN-ia EN-ia", "my lord, my lord"),
        ];
        let (sources, targets) = pairs.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        Words::new(&Lines::collect(sources.into_iter()), &Lines::collect(targets.into_iter()))
    }

    #[test]
    fn a_word_goes_with_what_stands_where_it_stands() {
        let words = words();
        let looked = words.look_up("LUGAL ... ku-u₂", &(0..0));
        assert_eq!(looked.iter().map(|word| word.spelling.as_str()).collect::<Vec<_>>(), ["LUGAL", "ku-u₂"]);
        assert_eq!(looked[0].english.first().map(|(word, _)| *word), words.number("king"));
        assert!((looked[0].english.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5, "shares add up");
        assert!(looked[1].english.is_empty() && looked[1].weight > looked[0].weight);
    }

    #[test]
    fn a_text_can_be_left_out() {
        let words = words();
        assert_eq!(words.pairs_with("LUGAL", &(0..0)).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(words.pairs_with("LUGAL", &(0..1)).collect::<Vec<_>>(), [2]);
        assert!(words.look_up("a-na", &(0..1))[0].english.is_empty());
        assert_eq!(words.english_of(3).len(), 2, "each word once");
        assert!(words.english_of(9).is_empty());
    }
}
