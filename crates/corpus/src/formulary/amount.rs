//! Amounts: numbers of units of weight or measure, `1(u) MA.NA 5(diš) GIN₂`, `4 LA₂ 1/4 GIN₂`.

use super::number::number;
use super::word::PassageWord;
use tuppum_text::signs::fold;

/// Units, largest first: readings in small letters, English singular and plural.
const UNITS: [(&[&str], &str, &str); 7] = [
    (&["gu₂", "gun", "gun₂"], "talent", "talents"),
    (&["ma-na"], "mina", "minas"),
    (&["gin₂"], "shekel", "shekels"),
    (&["še"], "grain", "grains"),
    (&["na-ru-uq"], "sack", "sacks"),
    (&["dug"], "jar", "jars"),
    (&["sila₃"], "litre", "litres"),
];
/// Number of units of weight, which come first in the list and can follow one another in one amount.
const WEIGHTS: usize = 4;
/// Sound of the sign that subtracts.
const LESS: &str = "la";
/// Ending of a unit in a rate, a price for each of something.
const EACH: &str = "-ta";

/// Amount at the beginning of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    /// Number of words.
    pub length: usize,
    /// Translation.
    pub english: String,
    /// `true` if the amount is paid for each of something: `GIN₂-TA`.
    pub is_rate: bool,
}

/// Returns all amounts at the beginning of words: with one unit, and with each smaller unit that follows.
pub(super) fn amounts(words: &[PassageWord]) -> Vec<Amount> {
    let mut found: Vec<Amount> = Vec::new();
    let (mut english, mut at, mut last) = (String::new(), 0, None);
    loop {
        let rest = words.get(at..).unwrap_or_default();
        let less = usize::from(!english.is_empty() && rest.first().is_some_and(|word| word.sounds == LESS));
        let Some(term) = rest.get(less..).and_then(term) else { break };
        let follows = |last: usize| term.unit > last && term.unit < WEIGHTS;
        if last.is_some_and(|last| !follows(last)) {
            break;
        }
        if !english.is_empty() {
            english.push_str(if less > 0 { " less " } else { " " });
        }
        english.push_str(&term.english);
        at += less + term.length;
        last = Some(term.unit);
        found.push(Amount { length: at, english: english.clone(), is_rate: term.is_rate });
        if term.is_rate {
            break;
        }
    }
    found
}

/// A number with its unit.
struct Term {
    unit: usize,
    length: usize,
    english: String,
    is_rate: bool,
}

fn term(words: &[PassageWord]) -> Option<Term> {
    let (first, mut length) = number(words)?;
    let (mut english, mut is_singular) = (first.to_string(), first.is_singular());
    if words.get(length).is_some_and(|word| word.sounds == LESS)
        && let Some((less, more)) = words.get(length + 1..).and_then(number)
    {
        english = format!("{english} less {less}");
        length += 1 + more;
        is_singular = false;
    }
    let word = words.get(length)?;
    let (unit, is_rate) = unit(&fold(&word.readings.join("-")))?;
    let (_, one, more) = UNITS.get(unit)?;
    let name = if is_singular { one } else { more };
    Some(Term { unit, length: length + 1, english: format!("{english} {name}"), is_rate })
}

/// Returns the unit that a word names, and `true` if it is a rate.
fn unit(readings: &str) -> Option<(usize, bool)> {
    let of = |readings: &str| UNITS.iter().position(|(own, ..)| own.contains(&readings));
    of(readings).map(|unit| (unit, false)).or_else(|| of(readings.strip_suffix(EACH)?).map(|unit| (unit, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_each_of_their_units() {
        let read = |text: &str| -> Vec<String> {
            amounts(&PassageWord::all_of(text)).into_iter().map(|amount| amount.english).collect()
        };
        assert_eq!(read("3 1/3 ma-na 5 GIN₂ KU₃.BABBAR"), ["3 1/3 minas", "3 1/3 minas 5 shekels"]);
        assert_eq!(read("1(diš) MA-NA LA₂ 2(diš) GIN₂"), ["1 mina", "1 mina less 2 shekels"]);
        assert_eq!(read("4(diš) la₂ 1/4(diš) GIN₂"), ["4 less 1/4 shekels"]);
        assert_eq!(read("1/2 GIN₂ 15 ŠE"), ["1/2 shekel", "1/2 shekel 15 grains"]);
        assert_eq!(read("5 GIN₂ 2 MA-NA"), ["5 shekels"]);
        assert_eq!(read("10 na-ru-uq 5 GIN₂"), ["10 sacks"]);
        assert!(read("5 TUG₂").is_empty() && read("MA-NA").is_empty());
        let rate = amounts(&PassageWord::all_of("1(diš) 1/2(diš) GIN₂-TA a-na"));
        assert_eq!(rate, [Amount { length: 3, english: "1 1/2 shekels".into(), is_rate: true }]);
    }
}
