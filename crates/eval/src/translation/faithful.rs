//! Faithfulness of translations: the shares of numbers and of names on which translation and reference agree.
//!
//! BLEU hardly notices a name put for another, or a numeral that is lost; a reader of contracts notices little else.
//! Both are compared as sets with repetition, wherever they stand in the sentence.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of things in the reference, of things in the translation, and of those that both have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    pub expected: usize,
    pub written: usize,
    pub both: usize,
}

impl Agreement {
    /// Counts what two lists have in common.
    fn of(written: &[String], expected: &[String]) -> Self {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        expected.iter().for_each(|own| *left.entry(own).or_default() += 1);
        let is_expected = |own: &&String| match left.get_mut(own.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        let both = written.iter().filter(is_expected).count();
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
        let agreement = |list: fn(&str) -> Vec<String>| Agreement::of(&list(translation), &list(reference));
        Self { numbers: agreement(numbers), names: agreement(names) }
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        self.numbers.add(&other.numbers);
        self.names.add(&other.names);
    }
}

/// Fractions in the forms that translations have, each with the form that is compared.
const FRACTIONS: [(&str, &[&str]); 7] = [
    ("1/2", &["½", ".5"]),
    ("1/3", &["⅓", ".3333"]),
    ("2/3", &["⅔", ".6666"]),
    ("1/4", &["¼", ".25"]),
    ("3/4", &["¾", ".75"]),
    ("1/6", &["⅙", ".1666"]),
    ("5/6", &["⅚", ".8333"]),
];

/// Returns the numbers of a translation: whole numbers and fractions, `1½` and `1.5` as `1` and `1/2`.
fn numbers(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for (form, others) in FRACTIONS {
        let (sign, decimal) = (others[0], others[1]);
        text = text.replace(sign, &format!(" {form} "));
        let digits = |letter: char| letter.is_ascii_digit();
        text = text
            .split(' ')
            .map(|word| {
                let (number, rest) =
                    word.split_at(word.trim_end_matches(|letter: char| !letter.is_alphanumeric()).len());
                match number.split_once('.') {
                    Some((whole, part))
                        if whole.chars().all(digits) && !part.is_empty() && is_decimal(part, decimal) =>
                    {
                        format!("{} {form}{rest}", whole.trim_start_matches('0'))
                    }
                    _ => word.to_owned(),
                }
            })
            .collect::<Vec<_>>()
            .join(" ");
    }
    let is_number = |word: &&str| {
        let word = word.trim_matches('/');
        word.starts_with(|letter: char| letter.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || letter == '/')
    };
    let is_apart = |letter: char| !(letter.is_alphanumeric() || letter == '/');
    text.split(is_apart).filter(is_number).map(str::to_owned).collect()
}

/// Returns `true` if the decimals of a number are those of a fraction, `3333` and longer ones for a third.
fn is_decimal(part: &str, decimal: &str) -> bool {
    let decimal = &decimal[1..];
    if decimal.len() < 4 {
        part == decimal
    } else {
        part.starts_with(decimal) || part.trim_end_matches(['4', '7']) == decimal
    }
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
        for text in ["1 1/2 minas and 14 shekels.", "1½ minas, 14 shekels", "1.5 minas (and) 14 shekels;"] {
            assert_eq!(numbers(text), ["1", "1/2", "14"], "{text}");
        }
        assert_eq!(numbers("0.3333 mina, 10.66666 shekels, ⅚"), ["1/3", "10", "2/3", "5/6"]);
        assert_eq!(numbers("week of a1, P123, x"), Vec::<String>::new());
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
        assert_eq!(sum.numbers, Agreement { expected: 2, written: 1, both: 1 });
        assert_eq!(sum.names, Agreement { expected: 2, written: 1, both: 1 });
        sum.add(&Faithfulness::of("3 minas", "Copper"));
        assert_eq!((sum.numbers.found(), sum.numbers.right()), (Some(0.5), Some(0.5)));
        assert_eq!(Agreement::default().found(), None);
    }
}
