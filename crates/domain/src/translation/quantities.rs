//! Quantities of a source and of its translation: counted things and weights, and which of them disagree.
//!
//! Weights are compared by their sum: `6 1/3 ma-na 4 GIN₂` is `6 minas 24 shekels`, and `LA₂` subtracts. A
//! disagreement is no proof of an error: editors leave out what the next clause repeats, and write `every shekel` for
//! `1 GIN₂`. Where a fluent translation loses or invents a numeral, the comparison says so.

use super::numbers;
use std::ops::Range;

/// Parts of a shekel in which weights are summed: halves, thirds, quarters and sixths of a shekel and of a grain's
/// 180th are whole numbers of it.
const SHEKEL: u64 = 720;
/// Largest number that is read; larger ones are no quantities.
const LARGEST: u64 = 1_000_000;

/// An amount of weight, or a number of other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// Weight in 720ths of a shekel.
    Weight(u64),
    /// Number in 720ths.
    Number(u64),
}

/// An amount and its place in the text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    pub amount: Amount,
    pub bytes: Range<usize>,
}

/// Quantities on which a source and its translation disagree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// Quantities of the source that the translation lacks.
    pub missing: Vec<Quantity>,
    /// Quantities of the translation that the source lacks.
    pub added: Vec<Quantity>,
}

impl Disagreement {
    /// Compares a source with its translation.
    pub fn of(source: &str, translation: &str) -> Self {
        let (mut missing, mut added) = (of_source(source), of_translation(translation));
        missing.retain(|own| match added.iter().position(|other| other.amount == own.amount) {
            Some(place) => {
                added.remove(place);
                false
            }
            None => true,
        });
        Self { missing, added }
    }

    /// Returns the number of quantities that disagree.
    pub fn count(&self) -> usize {
        self.missing.len() + self.added.len()
    }
}

/// Meaning of a word for the reading of quantities.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    /// Number in 720ths.
    Number(u64),
    /// Unit of weight in 720ths of a shekel.
    Unit(u64),
    /// The next weight is subtracted from the one before.
    Less,
    /// A weight may go on behind it.
    And,
    Other,
}

/// Returns the quantities of a source, as typed in canonical form or as the model reads it.
pub fn of_source(text: &str) -> Vec<Quantity> {
    let words = words(text, |letter| letter == ' ').map(|bytes| (source_word(&text[bytes.clone()]), bytes));
    read(words)
}

/// Returns the quantities of an English translation.
pub fn of_translation(text: &str) -> Vec<Quantity> {
    let is_apart = |letter: char| !(letter.is_alphanumeric() || letter == '/');
    let words = words(text, is_apart).map(|bytes| (english_word(&text[bytes.clone()]), bytes));
    read(words)
}

/// Returns the places of the words of a text, in bytes.
fn words(text: &str, is_apart: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    text.split(is_apart).filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

fn source_word(word: &str) -> Word {
    const UNITS: [(&str, u64); 7] = [
        ("GU₂", 3600 * SHEKEL),
        ("GUN", 3600 * SHEKEL),
        ("ma-na", 60 * SHEKEL),
        ("MA.NA", 60 * SHEKEL),
        ("GIN₂", SHEKEL),
        ("ši-iq-l", SHEKEL),
        ("ŠE", SHEKEL / 180),
    ];
    if word == "LA₂" {
        return Word::Less;
    }
    let is_form = |unit: &str| {
        let rest = word.strip_prefix(unit);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']) || unit.ends_with('l'))
    };
    let unit = UNITS.iter().find(|(unit, _)| is_form(unit)).map(|(_, worth)| Word::Unit(*worth));
    // Counted signs, `1(u)`, count as what they are worth; a mixed number is written in two parts.
    let parts: Option<Vec<u64>> = numbers::written(word).split(' ').map(number).collect();
    parts.map(|parts| Word::Number(parts.iter().sum())).or(unit).unwrap_or(Word::Other)
}

fn english_word(word: &str) -> Word {
    const NUMBERS: [&str; 11] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let lower = word.to_lowercase();
    let spelt = NUMBERS.iter().position(|own| *own == lower).map(|place| Word::Number((place as u64 + 2) * SHEKEL));
    let other = match lower.as_str() {
        "talent" | "talents" => Word::Unit(3600 * SHEKEL),
        "mina" | "minas" => Word::Unit(60 * SHEKEL),
        "shekel" | "shekels" => Word::Unit(SHEKEL),
        "grain" | "grains" => Word::Unit(SHEKEL / 180),
        "less" | "minus" => Word::Less,
        "and" => Word::And,
        _ => Word::Other,
    };
    number(word).map(Word::Number).or(spelt).unwrap_or(other)
}

/// Returns a whole number or a fraction in 720ths.
fn number(word: &str) -> Option<u64> {
    let whole = |text: &str| text.parse::<u64>().ok().filter(|number| *number <= LARGEST);
    match word.split_once('/') {
        None => whole(word).map(|number| number * SHEKEL),
        Some((part, of)) => {
            let (part, of) = (whole(part)? * SHEKEL, whole(of).filter(|of| *of > 0)?);
            (part % of == 0).then_some(part / of)
        }
    }
}

/// Weight that is being read, with the unit that was added last.
struct Weight {
    sum: u64,
    unit: u64,
    bytes: Range<usize>,
    subtracts: bool,
}

/// Reads words from left to right. Weights in ever smaller units are one sum; a number before anything else counts it.
fn read(words: impl Iterator<Item = (Word, Range<usize>)>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let (mut weight, mut number): (Option<Weight>, Option<(u64, Range<usize>)>) = (None, None);
    let tell = |weight: &mut Option<Weight>, found: &mut Vec<Quantity>| {
        found.extend(weight.take().map(|own| Quantity { amount: Amount::Weight(own.sum), bytes: own.bytes }));
    };
    for (word, bytes) in words.chain([(Word::Other, 0..0)]) {
        match (word, number.take()) {
            (Word::Number(own), None) => number = Some((own, bytes)),
            (Word::Number(own), Some((before, place))) => number = Some((before + own, place.start..bytes.end)),
            (Word::Unit(unit), Some((own, place))) => {
                // Both factors are 720ths.
                let worth = own * unit / SHEKEL;
                match &mut weight {
                    Some(sum) if sum.subtracts || unit < sum.unit => {
                        sum.sum = if sum.subtracts { sum.sum.saturating_sub(worth) } else { sum.sum + worth };
                        (sum.unit, sum.bytes.end, sum.subtracts) = (unit, bytes.end, false);
                    }
                    _ => {
                        tell(&mut weight, &mut found);
                        weight = Some(Weight { sum: worth, unit, bytes: place.start..bytes.end, subtracts: false });
                    }
                }
            }
            (_, Some((own, place))) => {
                tell(&mut weight, &mut found);
                found.push(Quantity { amount: Amount::Number(own), bytes: place });
            }
            (Word::Less, None) if weight.is_some() => {
                weight.iter_mut().for_each(|own| own.subtracts = true);
            }
            (Word::And, None) if weight.is_some() => {}
            (_, None) => tell(&mut weight, &mut found),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amounts(found: &[Quantity]) -> Vec<Amount> {
        found.iter().map(|own| own.amount).collect()
    }

    fn shekels(number: f64) -> Amount {
        Amount::Weight((number * SHEKEL as f64).round() as u64)
    }

    fn things(number: u64) -> Amount {
        Amount::Number(number * SHEKEL)
    }

    #[test]
    fn weights_are_summed_over_their_units() {
        let check = |text: &str, expected: &[Amount]| assert_eq!(amounts(&of_source(text)), expected, "{text}");
        check("6 1/3 ma-na 4 GIN₂ KU₃.BABBAR", &[shekels(384.0)]);
        check("1 GU₂ 14 ma-na LA₂ 10 GIN₂ AN.NA u₃ 2 2/3 ma-na 1 GIN₂", &[shekels(4430.0), shekels(161.0)]);
        check("1 1/2 GIN₂.TA a-na 1 ma-na-im 4 TUG₂", &[shekels(1.5), shekels(60.0), things(4)]);
        check("1(u) 4(diš) GIN₂ 6.1/3 ma-na", &[shekels(14.0), shekels(380.0)]);
        check("15 ŠE", &[shekels(1.0 / 12.0)]);
        check("3 ITU 1/7 x 2(ban₂)", &[things(3)]);
    }

    #[test]
    fn english_is_read_likewise() {
        let check = |text: &str, expected: &[Amount]| assert_eq!(amounts(&of_translation(text)), expected, "{text}");
        check("I owe you 6 minas 24 shekels silver.", &[shekels(384.0)]);
        check(
            "1 talent 14 minas less 10 shekels; two textiles, (and) 7 donkeys",
            &[shekels(4430.0), things(2), things(7)],
        );
        check("1 mina and 10 shekels, 2/3 mina", &[shekels(70.0), shekels(40.0)]);
    }

    #[test]
    fn what_is_missing_or_added_is_told_with_its_place() {
        let (source, english) = ("10 ma-na KU₃.BABBAR 4 TUG₂ ub-lam", "He brought 12 minas of silver and 4 textiles.");
        let found = Disagreement::of(source, english);
        assert_eq!(
            (found.count(), amounts(&found.missing), amounts(&found.added)),
            (2, vec![shekels(600.0)], vec![shekels(720.0)])
        );
        assert_eq!(&source[found.missing[0].bytes.clone()], "10 ma-na");
        assert_eq!(&english[found.added[0].bytes.clone()], "12 minas");
        assert_eq!(Disagreement::of("1 1/2 GIN₂", "1 1/2 shekels"), Disagreement::default());
    }

    proptest! {
        #[test]
        fn places_lie_in_the_text_and_in_order(text in "([0-9]{1,2}|1/2|ma-na|GIN₂|LA₂|minas|and|x|,| ){0,30}") {
            for found in [of_source(&text), of_translation(&text)] {
                let mut end = 0;
                for own in found {
                    let part = text.get(own.bytes.clone());
                    prop_assert!(own.bytes.start >= end && part.is_some_and(|part| !part.is_empty()));
                    end = own.bytes.end;
                }
            }
        }
    }
}
