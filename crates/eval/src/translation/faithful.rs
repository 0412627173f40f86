//! Faithfulness of translations: the shares of numbers and of names on which translation and reference agree.
//!
//! BLEU hardly notices a name put for another, or a numeral that is lost; a reader of contracts notices little else.
//! Both are compared as sets with repetition, wherever they stand in the sentence; weights by their sum.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tuppum_domain::translation::fractions::with_slashes;
use tuppum_domain::translation::quantities::{Amount, of_translation};

/// Counts of things in the reference, of things in the translation, and of those that both have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    pub expected: usize,
    pub written: usize,
    pub both: usize,
}

impl Agreement {
    /// Counts what two lists have in common.
    fn of<T: Ord>(written: &[T], expected: &[T]) -> Self {
        let mut left: BTreeMap<&T, usize> = BTreeMap::new();
        expected.iter().for_each(|own| *left.entry(own).or_default() += 1);
        let mut both = 0;
        for own in written {
            if let Some(count) = left.get_mut(own).filter(|count| **count > 0) {
                *count -= 1;
                both += 1;
            }
        }
        Self { expected: expected.len(), written: written.len(), both }
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.written += other.written;
        self.both += other.both;
    }

    /// Returns the share of what the reference has that the translation has too; `None` if the reference has none.
    pub fn found(&self) -> Option<f64> {
        (self.expected > 0).then(|| self.both as f64 / self.expected as f64)
    }

    /// Returns the share of what the translation has that the reference has too; `None` if the translation has none.
    pub fn right(&self) -> Option<f64> {
        (self.written > 0).then(|| self.both as f64 / self.written as f64)
    }
}

/// Agreement of numbers and of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faithfulness {
    pub numbers: Agreement,
    pub names: Agreement,
}

impl Faithfulness {
    /// Compares a translation with its reference.
    pub fn of(translation: &str, reference: &str) -> Self {
        Self {
            numbers: Agreement::of(&numbers(translation), &numbers(reference)),
            names: Agreement::of(&names(translation), &names(reference)),
        }
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        self.numbers.add(&other.numbers);
        self.names.add(&other.names);
    }
}

/// Returns the numbers and weights of a translation, with its fractions in any form.
fn numbers(text: &str) -> Vec<Amount> {
    of_translation(&with_slashes(text)).into_iter().map(|quantity| quantity.amount).collect()
}

/// Returns the names of a translation as they are compared: words with a capital that do not begin a sentence, or have
/// a letter that English lacks, or a hyphen before another capital; without marks of length and in small letters.
fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_capital = bare.starts_with(char::is_uppercase);
        let is_foreign = !bare.is_ascii();
        let has_parts = bare.split('-').filter(|part| part.starts_with(char::is_uppercase)).nth(1).is_some();
        if is_capital && bare != "I" && (!begins || is_foreign || has_parts) {
            let own = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
            found.push(own.chars().flat_map(plain).collect());
        }
        begins = word.ends_with(['.', ':', '?', '!', '"', '”']);
    }
    found
}

/// Returns a letter without its marks: vowels without length, `h` for `ḫ`.
fn plain(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|letter| match letter {
        'ā' | 'â' | 'á' | 'à' => 'a',
        'ē' | 'ê' | 'é' | 'è' => 'e',
        'ī' | 'î' | 'í' | 'ì' => 'i',
        'ū' | 'û' | 'ú' | 'ù' => 'u',
        'ḫ' => 'h',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_in_every_form() {
        let expected = numbers("1 1/2 minas and 14 textiles.");
        assert_eq!(expected.len(), 2);
        for text in
            ["1½ minas, 14 textiles", "1.5 minas (and) 14 textiles;", "1 mina 30 shekels; fourteen? 14 textiles"]
        {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn names_are_compared_without_marks_of_length() {
        assert_eq!(names("Pūšu-kēn seized Ḫuraṣānum: I owe him."), ["pušu-ken", "huraṣanum"]);
        assert_eq!(names("He gave it to Innaya s. Elāli. The City paid."), ["innaya", "elali", "city"]);
        assert_eq!(names("Witnesses: Idī-Aššur’s son"), ["idi-aššur"]);
    }

    #[test]
    fn shares_count_what_is_missing_and_what_is_added() {
        let mut sum = Faithfulness::of("Aššur-mālik owes 10 shekels.", "Innāya owes Aššur-mālik 10 1/2 shekels.");
        assert_eq!(sum.numbers, Agreement { expected: 1, written: 1, both: 0 });
        assert_eq!(sum.names, Agreement { expected: 2, written: 1, both: 1 });
        sum.add(&Faithfulness::of("3 minas", "Copper"));
        assert_eq!((sum.numbers.found(), sum.numbers.right()), (Some(0.0), Some(0.0)));
        assert_eq!((sum.names.found(), sum.names.right()), (Some(0.5), Some(1.0)));
        assert_eq!(Agreement::default().found(), None);
    }
}
