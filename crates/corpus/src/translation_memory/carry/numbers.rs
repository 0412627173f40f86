//! Numbers in transliterations and in English.

use super::super::words::english_words;
use std::ops::Range;

/// Words for numbers under twenty.
const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
/// Words for the tens.
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// Words that change the number beside them.
const LARGE: [&str; 8] = ["hundred", "hundreds", "thousand", "thousands", "half", "third", "thirds", "quarter"];

/// Whole number in a transliteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numeral {
    pub value: u32,
    /// `true` if the number counts days: `10-KAM₂`.
    pub is_day: bool,
}

/// Returns the number that a word of a transliteration is, if it is a whole number and nothing else.
pub(super) fn numeral(word: &str) -> Option<Numeral> {
    let bare = word.strip_suffix("-KAM₂").or_else(|| word.strip_suffix("-KAM"));
    let digits = bare.unwrap_or(word);
    let is_whole = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let value = is_whole.then(|| digits.parse().ok()).flatten().filter(|value| *value > 0)?;
    Some(Numeral { value, is_day: bare.is_some() })
}

/// Returns `true` if a word beside a number may belong to it: another number, a fraction, hundreds, thousands,
/// illegible digits.
pub(super) fn is_part_of_number(word: &str) -> bool {
    matches!(word, "ME" | "me" | "LIM" | "lim" | "n" | "x" | "+" | "½" | "MIN" | "U" | "DIŠ")
        || word.starts_with(|letter: char| letter.is_ascii_digit())
        || word.ends_with('+')
}

/// Style of a number in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Digits: 5, or 5th.
    Digits { ordinal: bool },
    /// Word: five.
    Word { capital: bool },
}

/// Number in an English text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EnglishNumber {
    place: Range<usize>,
    value: u32,
    style: Style,
    /// `true` if a word or digits beside the number change it.
    is_part: bool,
}

/// Returns the numbers of an English text in order.
fn written(text: &str) -> Vec<EnglishNumber> {
    let words: Vec<(Range<usize>, &str)> = english_words(text).collect();
    let mut found = Vec::new();
    for (number, (place, word)) in words.iter().enumerate() {
        let Some((value, style)) = value_of(word) else { continue };
        let beside = [number.checked_sub(1), Some(number + 1)].into_iter().flatten().filter_map(|at| words.get(at));
        let is_part = beside.clone().any(|(other, word)| {
            let between = text.get(other.end..place.start).or_else(|| text.get(place.end..other.start));
            let joins = between.is_some_and(|between| between.chars().all(|sign| " ,./+-x×".contains(sign)));
            joins && (LARGE.contains(&word.to_lowercase().as_str()) || word.starts_with(|sign: char| sign.is_numeric()))
        });
        let touches = |sign: Option<char>| sign.is_some_and(|sign| "/+×½⅓⅔¼¾⅙⅚".contains(sign));
        let is_touched = touches(text[..place.start].chars().next_back()) || touches(text[place.end..].chars().next());
        let is_and = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|(_, word)| *word == "and");
        let is_large =
            |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|(_, word)| LARGE.contains(word));
        let hundreds = is_and(number.checked_sub(1)) && is_large(number.checked_sub(2));
        found.push(EnglishNumber { place: place.clone(), value, style, is_part: is_part || is_touched || hundreds });
    }
    found
}

/// Returns the number that an English word is.
fn value_of(word: &str) -> Option<(u32, Style)> {
    let capital = word.starts_with(char::is_uppercase);
    if word.starts_with(|sign: char| sign.is_ascii_digit()) {
        let digits = word.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
        let ending = word.get(digits.len()..)?;
        let value = digits.parse().ok()?;
        let is_known = ending.is_empty() || ending == ordinal_ending(value);
        return is_known.then_some((value, Style::Digits { ordinal: !ending.is_empty() }));
    }
    let word = word.to_lowercase();
    let of = |words: &[&str], word: &str| words.iter().position(|own| !own.is_empty() && *own == word);
    let style = Style::Word { capital };
    if let Some(value) = of(&SMALL, &word) {
        return Some((value as u32, style));
    }
    let (tens, ones) = word.split_once('-').unwrap_or((&word, ""));
    let tens = of(&TENS, tens)?;
    let ones = if ones.is_empty() { 0 } else { of(&SMALL[..10], ones)? };
    Some((10 * tens as u32 + ones as u32, style))
}

fn ordinal_ending(value: u32) -> &'static str {
    match (value % 10, value % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// Writes a number in a style of English.
fn spelled(value: u32, style: Style) -> String {
    match style {
        Style::Digits { ordinal: true } => format!("{value}{}", ordinal_ending(value)),
        Style::Word { capital } if value < 100 => {
            let (tens, ones) = (TENS[value as usize / 10], value as usize % 10);
            let word = match (value, ones) {
                (0..20, _) => SMALL[value as usize].to_owned(),
                (_, 0) => tens.to_owned(),
                _ => format!("{tens}-{}", SMALL[ones]),
            };
            if capital { word[..1].to_uppercase() + &word[1..] } else { word }
        }
        _ => value.to_string(),
    }
}

/// Returns where a translation has a number, and the text to put there for another number. Returns `None` unless the
/// translation has the number exactly once, as a whole number, and as an ordinal only if days are counted. The place
/// includes the following noun if it changes between singular and plural.
pub(super) fn exchanged(
    translation: &str,
    attested: Numeral,
    asked: Numeral,
    is_word: impl Fn(&str) -> bool,
) -> Option<(Range<usize>, String)> {
    let mut there = written(translation).into_iter().filter(|number| number.value == attested.value);
    let (only, None) = (there.next()?, there.next()) else { return None };
    let is_ordinal = only.style == Style::Digits { ordinal: true };
    if only.is_part || (is_ordinal && !attested.is_day) {
        return None;
    }
    let own = spelled(asked.value, only.style);
    let noun = english_words(translation.get(only.place.end..)?).next();
    let (Some((place, noun)), false) = (noun, is_ordinal) else { return Some((only.place, own)) };
    let other = match (attested.value, asked.value) {
        (1, 2..) => Some(format!("{noun}s")).filter(|plural| is_word(plural) && is_word(noun)),
        (2.., 1) => noun.strip_suffix('s').filter(|single| is_word(single) && is_word(noun)).map(str::to_owned),
        _ => None,
    };
    match other {
        Some(other) if place.start == 1 => {
            Some((only.place.start..only.place.end + place.end, format!("{own} {other}")))
        }
        // “One” without a countable noun may be a pronoun.
        None if attested.value == 1 && matches!(only.style, Style::Word { .. }) => None,
        _ => Some((only.place, own)),
    }
}
