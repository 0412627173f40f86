//! Words of sources and translations: Akkadian words with the sources that contain them, the English words that their
//! translations share, and the words of a translation with their places.

use super::compact::{Lines, Rows, WordList};
use std::collections::HashMap;
use std::ops::Range;

/// Marks of lost signs in editions, which are not words.
const LOST: [&str; 3] = ["...", "x", "n"];
/// Largest number of pairs inspected for the English of one word; out of more, an even sample is taken.
const MAX_PAIRS_INSPECTED: usize = 300;
/// Number of English words kept for an Akkadian one.
const KEPT_TRANSLATIONS: usize = 8;
/// Added to the number of pairs with an English word, so that a word that occurs once proves little.
const RARITY_PRIOR: f32 = 2.0;

/// Number of an English word in small letters.
pub(super) type English = u32;

/// Words of the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    spellings: WordList,
    /// Pairs whose source contains each spelling.
    places: Rows,
    english: WordList,
    /// Number of pairs that contain each English word.
    counts: Vec<u32>,
    /// Distinct English words of each pair, sorted by number.
    targets: Rows,
}

/// Akkadian word of a passage, with its renderings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Looked {
    pub spelling: String,
    /// Information of the word: ln of the number of all pairs divided by the number that have it.
    pub weight: f32,
    /// English words of the translations where the word occurs, with their shares, which add up to 1; empty if it
    /// occurs nowhere.
    pub english: Vec<(English, f32)>,
}

/// Returns the words of a source.
pub(super) fn spellings(source: &str) -> impl Iterator<Item = &str> {
    source.split_whitespace().filter(|word| !LOST.contains(word))
}

/// Numbers the words of lines by first occurrence and returns the distinct words of each line, sorted by number; `each`
/// calls back with the words of a line.
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
    /// Collects the words of sources and of their translations.
    pub fn new(sources: &Lines, targets: &Lines) -> Self {
        let (spellings, of_sources) =
            numbered(sources, |source: &str, add: &mut dyn FnMut(&str)| spellings(source).for_each(add));
        let places = of_sources.inverted(spellings.len());
        // Only the inverted rows are needed; free these before the English words take their memory.
        drop(of_sources);
        let lowered = |target: &str, add: &mut dyn FnMut(&str)| {
            english_words(target).for_each(|(_, word)| add(&word.to_lowercase()));
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

    /// Returns the pairs whose source contains a spelling, except those in `except`.
    pub fn pairs_with(&self, spelling: &str, except: &Range<usize>) -> impl Iterator<Item = usize> {
        let number = self.spellings.number(spelling);
        let places = number.map_or(&[][..], |number| self.places.get(number as usize));
        let except = except.clone();
        places.iter().map(|pair| *pair as usize).filter(move |pair| !except.contains(pair))
    }

    /// Returns the distinct English words of a pair, sorted by number.
    pub fn english_of(&self, pair: usize) -> &[English] {
        self.targets.get(pair)
    }

    /// Returns the number of pairs that contain an English word.
    pub fn count(&self, word: English) -> usize {
        self.counts.get(word as usize).map_or(0, |count| *count as usize)
    }

    /// Returns the number of an English word, in small letters.
    pub fn number(&self, word: &str) -> Option<English> {
        self.english.number(&word.to_lowercase())
    }

    /// Looks up the words of a passage with their English, learnt from all pairs except those in `except`.
    pub fn look_up(&self, passage: &str, except: &Range<usize>) -> Vec<Looked> {
        let mut together = vec![0_u32; self.english.len()];
        spellings(passage).map(|word| self.looked(word, except, &mut together)).collect()
    }

    /// Looks up a word with its English. `together` is a buffer of zeros, and is left so.
    fn looked(&self, spelling: &str, except: &Range<usize>, together: &mut [u32]) -> Looked {
        let pairs: Vec<usize> = self.pairs_with(spelling, except).collect();
        let step = pairs.len().div_ceil(MAX_PAIRS_INSPECTED).max(1);
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
            // Taking the count leaves the buffer zero for the next word. Times `step`, since only a sample was counted.
            let both = std::mem::take(count) as f32 * step as f32;
            // Probability of the English word given the Akkadian one, times the reverse probability.
            english.push((word, both / all * (both / (self.count(word) as f32 + RARITY_PRIOR))));
        }
        english.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        english.truncate(KEPT_TRANSLATIONS);
        let sum: f32 = english.iter().map(|(_, share)| share).sum();
        english.iter_mut().for_each(|(_, share)| *share /= sum);
        Looked { spelling: spelling.to_owned(), weight: self.weight_of(pairs.len()), english }
    }

    /// Returns the information of a spelling: ln of the number of all pairs divided by the number that have it.
    pub fn weight(&self, spelling: &str) -> f32 {
        self.weight_of(self.pairs_with(spelling, &(0..0)).count())
    }

    fn weight_of(&self, pairs: usize) -> f32 {
        ((self.targets.len() as f32 + 1.0) / (pairs as f32 + 1.0)).ln()
    }
}

/// Returns the words of a text in order, each with its place in bytes. Hyphens and apostrophes within a word belong to
/// it: `Ṭab-ṣill-Ešarra`, `king's`.
pub(super) fn english_words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text.get(rest..)?.find(char::is_alphanumeric)?;
        let mut letters = text.get(begin..)?.char_indices().peekable();
        let mut end = text.len();
        while let Some((place, letter)) = letters.next() {
            let joins =
                matches!(letter, '-' | '\'' | '’') && letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            if !letter.is_alphanumeric() && !joins {
                end = begin + place;
                break;
            }
        }
        rest = end;
        Some((begin..end, text.get(begin..end)?))
    })
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

    #[test]
    fn words_are_found_with_their_places() {
        let text = "Witness Aššur-ila'i, (lit. “10th” day) -";
        let found: Vec<&str> = english_words(text).map(|(_, word)| word).collect();
        assert_eq!(found, ["Witness", "Aššur-ila'i", "lit", "10th", "day"]);
        assert!(english_words(text).all(|(place, word)| &text[place] == word));
        assert_eq!(english_words("").count() + english_words(" ... ").count(), 0);
    }
}
