//! Converts a passage to the form that the network reads: counted signs become numbers.

use super::numbers::{JOINERS, value, written};
use super::source::{Passage, SourceWord};

impl Passage {
    /// Returns the passage as the network reads it: counted signs are numbers, consecutive ones that belong together
    /// one number. The number of words stays the same; a word merged into the number before it has no bytes of its own,
    /// and restored places are dropped.
    pub fn as_read(&self) -> Self {
        let mut read = Self { lines: self.lines.clone(), ..Self::default() };
        // Value of the number at the end of the text read so far, if the next counted sign may continue it.
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
