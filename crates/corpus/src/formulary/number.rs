//! Numbers in transliterations: `1(u) 2(diš)`, `12 1/2`, `3(diš) me-at 5(u)`.

use super::word::PassageWord;
use std::fmt;
use tuppum_text::counted;

/// Values of fractions that are a single character.
const FRACTIONS: [(char, (u32, u32)); 7] =
    [('½', (1, 2)), ('⅓', (1, 3)), ('⅔', (2, 3)), ('¼', (1, 4)), ('¾', (3, 4)), ('⅙', (1, 6)), ('⅚', (5, 6))];
/// Sound of `me-at`, which multiplies the number before it by a hundred.
const HUNDRED: &str = "meat";
/// Sounds of `li-im`, which multiplies the number before it by a thousand.
const THOUSANDS: [&str; 3] = ["liim", "lim", "limi"];

/// A whole number with an optional fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Number {
    /// The whole part.
    pub whole: u32,
    /// Numerator and denominator.
    pub fraction: Option<(u32, u32)>,
}

impl Number {
    /// Returns `true` if a following noun is singular.
    pub fn is_singular(self) -> bool {
        matches!((self.whole, self.fraction), (1, None) | (0, _))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.whole, self.fraction) {
            (whole, None) => write!(formatter, "{whole}"),
            (0, Some((part, of))) => write!(formatter, "{part}/{of}"),
            (whole, Some((part, of))) => write!(formatter, "{whole} {part}/{of}"),
        }
    }
}

/// A word that is a number or a digit of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digit {
    Whole(u32),
    Fraction(u32, u32),
    Mixed(u32, u32, u32),
}

/// Returns the digit that a word is.
fn digit(word: &PassageWord) -> Option<Digit> {
    let [reading] = &word.readings[..] else { return None };
    let (value, unit) = if reading.contains('(') { counted(reading)? } else { (reading.as_str(), 1) };
    if let Some(place) = value.find(|letter| FRACTIONS.iter().any(|(own, _)| *own == letter)) {
        let (whole, fraction) = value.split_at(place);
        let letter = fraction.chars().next().filter(|letter| fraction.len() == letter.len_utf8())?;
        let (part, of) = FRACTIONS.iter().find(|(own, _)| *own == letter).map(|(_, value)| *value)?;
        return match whole {
            "" => Some(Digit::Fraction(part, of)),
            whole => Some(Digit::Mixed(parsed(whole)?, part, of)),
        };
    }
    match value.split_once('/') {
        Some((part, of)) => Some(Digit::Fraction(parsed(part)?, parsed(of)?)),
        None => Some(Digit::Whole(parsed(value)?.checked_mul(unit)?)),
    }
}

/// Parses a whole number above 0 of at most six digits.
fn parsed(digits: &str) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().filter(|value| *value > 0)
}

/// Returns the rank of a digit; a number continues only with digits of lower rank.
fn rank(value: u32) -> u32 {
    match value {
        1..10 => 1,
        10..60 if value.is_multiple_of(10) => 2,
        60..100 if value.is_multiple_of(10) => 3,
        100.. => 4,
        // Tens and units in one word, as in 15.
        _ => 1,
    }
}

/// Returns the longest number at the beginning of words, and how many words it has.
pub(super) fn number(words: &[PassageWord]) -> Option<(Number, usize)> {
    let (mut number, mut length, mut last) = (Number::default(), 0, u32::MAX);
    let multiplier = |at: usize| match words.get(at).map(|word| word.sounds.as_str()) {
        Some(HUNDRED) => Some((100, 4)),
        Some(word) if THOUSANDS.contains(&word) => Some((1000, 5)),
        _ => None,
    };
    if let Some((times, own)) = multiplier(0) {
        (number.whole, length, last) = (times, 1, own);
    }
    while let Some(next) = words.get(length).and_then(digit) {
        match next {
            Digit::Whole(value) => {
                let times = multiplier(length + 1);
                let (factor, own) = times.unwrap_or((1, rank(value)));
                // A number that exceeds 32 bits ends here; no tablet has one.
                let sum = value.checked_mul(factor).and_then(|value| number.whole.checked_add(value));
                // A digit of the same or a higher rank begins another number.
                let Some(whole) = sum.filter(|_| own < last) else { break };
                number.whole = whole;
                last = own;
                length += if times.is_some() { 2 } else { 1 };
            }
            Digit::Fraction(part, of) => {
                number.fraction = Some((part, of));
                length += 1;
                break;
            }
            Digit::Mixed(whole, part, of) if last > 1 => {
                number = Number { whole: number.whole.saturating_add(whole), fraction: Some((part, of)) };
                length += 1;
                break;
            }
            Digit::Mixed(..) => break,
        }
    }
    (length > 0).then_some((number, length))
}

/// Returns `true` if a word is a number or a digit of one.
pub(super) fn is_digit(word: &PassageWord) -> bool {
    digit(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_add_up_while_they_fall() {
        let read = |text: &str| number(&PassageWord::all_of(text)).map(|(number, length)| (number.to_string(), length));
        let check = |text, number: &str, length| assert_eq!(read(text), Some((number.to_owned(), length)), "{text}");
        check("1(u) 2(diš) ma-na", "12", 2);
        check("1(geš₂) 2(u) 5(diš) 1/2(diš) GIN₂", "85 1/2", 4);
        check("2(diš) me-at 5(u) 1(diš)", "251", 4);
        check("me-at 14 TUG₂", "114", 2);
        check("1(diš) LI-IM 3(diš) me-at", "1300", 4);
        check("90 3 na-ru-uq", "93", 2);
        check("15 10", "15", 1);
        check("2 3", "2", 1);
        check("1½ GIN₂", "1 1/2", 1);
        check("1/3 2/3", "1/3", 1);
        // A number that exceeds 32 bits.
        assert_eq!(read("999999(geš₂) li-im"), None);
        for none in ["n", "x", "ma-na", "1(ban₂)", "1(diš)-KAM", "0", "½½", ""] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
