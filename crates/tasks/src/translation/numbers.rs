//! Numbers as the translator reads them: where a transliteration counts signs (`1(u) 4(diš)`), its training texts have
//! `14`.

use super::source::{Passage, SourceWord};

/// Signs that are counted, and what each of them is worth. Measures of area and capacity (`2(ban₂)`) stay as they are:
/// the training texts write them so.
const WORTH: [(&str, u32); 9] =
    [("diš", 1), ("DIŠ", 1), ("diš@t", 1), ("aš", 1), ("AŠ", 1), ("aš@c", 1), ("u", 10), ("U", 10), ("geš₂", 60)];
/// What stands between the signs of a word.
const JOINERS: [char; 3] = ['-', '.', '+'];
/// No number of signs is longer than this.
const DIGITS: usize = 4;

/// What a reading such as `4(diš)` or `1/3(diš)` counts, and the worth of the sign.
fn counted(reading: &str) -> Option<(&str, u32)> {
    let (count, sign) = reading.strip_suffix(')')?.split_once('(')?;
    let is_whole =
        |text: &str| (1..=DIGITS).contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_digit());
    let (_, worth) = WORTH.iter().find(|(own, _)| *own == sign)?;
    let is_fraction = || *worth == 1 && count.split_once('/').is_some_and(|(part, of)| is_whole(part) && is_whole(of));
    (is_whole(count) || is_fraction()).then_some((count, *worth))
}

/// Whether what stands between two signs parts numbers: anything but space, brackets and flags.
pub(super) fn parts(between: &str) -> bool {
    between.chars().any(|letter| !letter.is_whitespace() && !"[]⸢⸣⌈⌉()<>#?!*".contains(letter))
}

/// Whether a counted sign goes on with the one before it, being worth less; with both, a number is one sum.
pub(super) fn go_on(before: &str, word: &str) -> bool {
    let whole = |word: &str| counted(word).filter(|(count, _)| !count.contains('/')).map(|(_, worth)| worth);
    let first = word.split(JOINERS).next().unwrap_or_default();
    whole(before).zip(whole(first)).is_some_and(|(before, own)| own < before)
}

/// What a whole number of counted signs, or one of them, is worth.
fn value(reading: &str) -> Option<u32> {
    let (count, worth) = counted(reading)?;
    Some(count.parse::<u32>().ok()? * worth)
}

/// A word with its counted signs as numbers: `10-ma` for `1(u)-ma`, `1/3` for `1/3(diš)`.
fn written(word: &str) -> String {
    let part = |part: &str| {
        let (reading, joiner) = match part.strip_suffix(JOINERS) {
            Some(reading) => (reading, &part[reading.len()..]),
            None => (part, ""),
        };
        let number = value(reading).map(|value| value.to_string());
        number.unwrap_or_else(|| counted(reading).map_or(reading, |(count, _)| count).to_owned()) + joiner
    };
    word.split_inclusive(JOINERS).map(part).collect()
}

impl Passage {
    /// The passage as the network reads it: counted signs are numbers, those that go on with one another one number.
    /// Words stay as many as they are; a word that has gone into the number before it has no bytes of its own, and none
    /// knows what was restored in it.
    pub fn as_read(&self) -> Self {
        let mut read = Self { lines: self.lines.clone(), ..Self::default() };
        let mut sum = None;
        for word in &self.words {
            let own = &self.text[word.bytes.clone()];
            let first = own.split(JOINERS).next().unwrap_or_default();
            let longer = sum.filter(|_| word.goes_on).zip(value(first)).map(|(sum, own): (u32, u32)| sum + own);
            let start = match (longer, read.words.last_mut()) {
                (Some(longer), Some(before)) => {
                    read.text.truncate(read.text.len() - sum.unwrap_or_default().to_string().len());
                    read.text.push_str(&longer.to_string());
                    before.bytes.end = before.bytes.end.max(read.text.len());
                    let start = read.text.len();
                    read.text.push_str(&written(&own[first.len()..]));
                    start
                }
                _ => {
                    read.text.push_str(if read.text.is_empty() { "" } else { " " });
                    let start = read.text.len();
                    read.text.push_str(&written(own));
                    start
                }
            };
            let bytes = start..read.text.len();
            sum = if first == own { longer.or(value(own)) } else { None };
            read.words.push(SourceWord { bytes, restored: Vec::new(), ..word.clone() });
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::Filled;
    use crate::translation::{Scope, passages};
    use tuppum_text::Document;

    fn read(typed: &str, filled: &[Filled]) -> Passage {
        passages(&Document::read(typed), filled, Scope::Lines).remove(0).as_read()
    }

    #[test]
    fn counted_signs_are_numbers() {
        let check = |typed: &str, expected: &str| assert_eq!(read(typed, &[]).text, expected, "{typed}");
        check("1. 1(u) 4(disz) gin2 KU3.BABBAR", "14 gin₂ KU₃.BABBAR");
        check("1(u) 2(diš)-ma 1(diš) 1/3(diš) MA.NA", "12-ma 1 1/3 MA.NA");
        check("1(u)-ma 2(diš) 5/6(diš) 2(geš₂) 1(u) 3(aš)", "10-ma 2 5/6 133");
        check("[1(u)] ⸢4(diš)⸣ ANŠE 2(diš) 3(u) 2(ban₂)", "14 ANŠE 2 30 2(ban₂)");
        check("1(u) x 4(diš) 1(u) [...] 4(diš) a-1(u) 4(diš)", "10 x 4 10 ... 4 a-10 4");
    }

    #[test]
    fn what_is_no_whole_count_of_such_a_sign_stays() {
        for other in
            ["2(ban₂)", "14", "n(diš)", "1/2(u)", "KU₃", "(diš)", "12345(diš)", "1//2(diš)", "{d}30", ")(", "("]
        {
            assert_eq!(written(other), other);
        }
    }

    #[test]
    fn numbers_that_a_mark_parts_stay_apart() {
        for typed in ["1(u) & 4(diš)", "1(u) | 4(diš)", "1(u), 4(diš)"] {
            assert_eq!(read(typed, &[]).text, "10 4", "{typed}");
        }
    }

    #[test]
    fn an_accepted_sign_goes_on_with_a_number() {
        let filled = Filled { sign: 1, readings: vec![("4(diš)".to_owned(), true)] };
        assert_eq!(read("1(u) x GIN₂", std::slice::from_ref(&filled)).text, "14 GIN₂");
    }

    #[test]
    fn words_stay_and_lie_where_they_are_read() {
        let read = read("KU₃ 1(u) 4(diš)-TA GIN₂", &[]);
        let words = read.words.iter().map(|word| (&read.text[word.bytes.clone()], word.signs.clone()));
        assert_eq!(words.collect::<Vec<_>>(), [("KU₃", 0..1), ("14", 1..2), ("-TA", 2..4), ("GIN₂", 4..5)]);
        let typed = passages(&Document::read("1(u) 4(diš)"), &[], Scope::Lines).remove(0);
        assert_eq!(typed.text, "1(u) 4(diš)", "the passage itself stays as it is typed");
        assert_eq!(typed.as_read().words[1].bytes, 2..2);
    }
}
