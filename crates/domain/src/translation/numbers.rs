//! Numbers as the translator reads them: where a transliteration counts signs (`1(u) 4(diš)`), its training texts have
//! `14`.

use super::fractions::of_decimals;
use tuppum_text::counted;

/// Joiners between the signs of a word.
pub(super) const JOINERS: [char; 3] = ['-', '.', '+'];
/// Largest number of digits in a count of signs.
const MAX_DIGITS: usize = 4;

/// Splits a reading such as `4(diš)` or `1/3(diš)` into its count and the value of the sign. Measures of area and
/// capacity (`2(ban₂)`) stay as they are, as in the training texts.
fn number(reading: &str) -> Option<(&str, u32)> {
    let (count, worth) = counted(reading)?;
    let is_whole =
        |text: &str| (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_digit());
    let is_fraction = || worth == 1 && count.split_once('/').is_some_and(|(part, of)| is_whole(part) && is_whole(of));
    (is_whole(count) || is_fraction()).then_some((count, worth))
}

/// Returns `true` if the text between two signs separates numbers: anything but space, brackets and flags.
pub(super) fn parts(between: &str) -> bool {
    between.chars().any(|letter| !letter.is_whitespace() && !"[]⸢⸣⌈⌉()<>#?!*".contains(letter))
}

/// Returns `true` if a counted sign continues the one before it, because its value is lower; the two are one sum.
pub(super) fn go_on(before: &str, word: &str) -> bool {
    let whole = |word: &str| number(word).filter(|(count, _)| !count.contains('/')).map(|(_, worth)| worth);
    let first = word.split(JOINERS).next().unwrap_or_default();
    whole(before).zip(whole(first)).is_some_and(|(before, own)| own < before)
}

/// Returns the value of a whole number of counted signs, or of one of them.
pub(super) fn value(reading: &str) -> Option<u32> {
    let (count, worth) = number(reading)?;
    Some(count.parse::<u32>().ok()? * worth)
}

/// Writes a whole number with a fraction in two parts, as the training texts have it: `6 1/3` for `6.1/3`, `1 1/2` for
/// `1.5`.
fn mixed(word: &str) -> Option<String> {
    let (whole, part) = word.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit());
    let is_fraction = |text: &str| text.split_once('/').is_some_and(|(part, of)| is_number(part) && is_number(of));
    let fraction = Some(part).filter(|part| is_fraction(part)).or_else(|| of_decimals(part))?;
    is_number(whole).then(|| format!("{whole} {fraction}"))
}

/// Writes a word with its counted signs as numbers: `10-ma` for `1(u)-ma`, `1/3` for `1/3(diš)`, `1 1/2` for `1.5`.
pub(super) fn written(word: &str) -> String {
    if let Some(mixed) = mixed(word) {
        return mixed;
    }
    let part = |part: &str| {
        let (reading, joiner) = match part.strip_suffix(JOINERS) {
            Some(reading) => (reading, &part[reading.len()..]),
            None => (part, ""),
        };
        let whole = value(reading).map(|value| value.to_string());
        whole.unwrap_or_else(|| number(reading).map_or(reading, |(count, _)| count).to_owned()) + joiner
    };
    word.split_inclusive(JOINERS).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_and_its_fraction_are_two_parts() {
        for (word, expected) in
            [("6.1/3", "6 1/3"), ("1.5", "1 1/2"), ("12.25", "12 1/4"), ("1.30", "1.30"), ("1.5.3", "1.5.3")]
        {
            assert_eq!(written(word), expected);
        }
        for other in [".5", "5.", "u.5", "1.1/", "1./2", ".1.KAM"] {
            assert_eq!(written(other), other);
        }
    }

    #[test]
    fn what_is_no_whole_count_of_such_a_sign_stays() {
        for other in
            ["2(ban₂)", "14", "n(diš)", "1/2(u)", "KU₃", "(diš)", "12345(diš)", "1//2(diš)", "{d}30", ")(", "("]
        {
            assert_eq!(written(other), other);
        }
    }
}
