//! Counts whole words and phrases of the corpora's lines, spelled as in the editions.

use crate::signs_row::SignsRow;
use std::collections::HashMap;

/// Largest number of words in a phrase.
pub const LONGEST_PHRASE: usize = 4;
/// Smallest number of words in a phrase.
pub const SHORTEST_PHRASE: usize = 2;

/// Mark of an uninscribed place in editions. It is not a sign, so a row's signs lack it.
const UNINSCRIBED: &str = "o";

/// Counts of words and phrases.
#[derive(Debug, Default)]
pub struct WordCounts {
    /// Occurrences of each spelling with every sign legible: preserved, damaged or restored by the editor.
    pub words: HashMap<String, u64>,
    /// Occurrences of two to four such words in sequence on one line, joined by spaces.
    pub phrases: HashMap<String, u64>,
    /// Number of lines whose words could not be separated.
    pub skipped: usize,
}

impl WordCounts {
    /// Counts a line.
    pub fn add(&mut self, row: &SignsRow) {
        let Some(words) = words_of(row) else {
            self.skipped += 1;
            return;
        };
        for unbroken in words.split(Option::is_none) {
            let unbroken: Vec<&str> = unbroken.iter().flatten().map(String::as_str).collect();
            for word in &unbroken {
                add_one(&mut self.words, word);
            }
            for length in SHORTEST_PHRASE..=LONGEST_PHRASE {
                for phrase in unbroken.windows(length) {
                    add_one(&mut self.phrases, &phrase.join(" "));
                }
            }
        }
    }
}

fn add_one(counts: &mut HashMap<String, u64>, text: &str) {
    match counts.get_mut(text) {
        Some(count) => *count += 1,
        None => {
            counts.insert(text.to_owned(), 1);
        }
    }
}

/// Returns the words of a line; `None` in place of a word that is not wholly legible and of a number, which could stand
/// in any phrase. Returns nothing if the transliteration and the signs disagree on the number of words.
fn words_of(row: &SignsRow) -> Option<Vec<Option<String>>> {
    let spelled: Vec<String> = row
        .transliteration
        .split(' ')
        .map(|word| word.chars().filter(|letter| !"[]⸢⸣".contains(*letter)).collect::<String>())
        .filter(|word| !word.is_empty() && word != UNINSCRIBED)
        .collect();
    let mut legible: Vec<bool> = Vec::new();
    for sign in &row.signs {
        if sign.starts_word {
            legible.push(true);
        }
        *legible.last_mut()? &= sign.state.is_legible();
    }
    let is_word = |word: &String| word.chars().any(char::is_alphabetic);
    (legible.len() == spelled.len()).then(|| {
        spelled
            .into_iter()
            .zip(legible)
            .map(|(word, legible)| Some(word).filter(|word| legible && is_word(word)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(transliteration: &str, readings: &str, states: &str, starts: &str) -> WordCounts {
        let line = format!("P1\triao\takk\t1\t{transliteration}\t{readings}\t-\t{states}\t{starts}");
        let mut counts = WordCounts::default();
        counts.add(&SignsRow::parse(&line).unwrap());
        counts
    }

    #[test]
    fn broken_words_and_numbers_part_phrases() {
        let counts = counted(
            "a-[na] {d}⸢UTU⸣ EN-ia x-ma 5 o LUGAL ša KUR",
            "a na {d} UTU EN ia x ma 5 o LUGAL ša KUR",
            "PMPDPPXPPOPPP",
            "1010101011111",
        );
        assert_eq!(counts.skipped, 0);
        let mut words: Vec<&str> = counts.words.keys().map(String::as_str).collect();
        words.sort_unstable();
        assert_eq!(words, ["EN-ia", "KUR", "LUGAL", "a-na", "{d}UTU", "ša"]);
        let mut phrases: Vec<&str> = counts.phrases.keys().map(String::as_str).collect();
        phrases.sort_unstable();
        assert_eq!(phrases, ["LUGAL ša", "LUGAL ša KUR", "a-na {d}UTU", "a-na {d}UTU EN-ia", "{d}UTU EN-ia", "ša KUR"]);
    }

    #[test]
    fn lines_that_do_not_agree_with_themselves_are_skipped() {
        for starts in ["11", "01"] {
            let counts = counted("a-na", "a na", "PP", starts);
            assert_eq!((counts.skipped, counts.words.len()), (1, 0));
        }
    }
}
