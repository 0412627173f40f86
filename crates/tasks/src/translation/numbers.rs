//! Numbers as the translator reads them: where a transliteration counts signs (`1(u) 4(diš)`), its training texts have
//! `14`.

use std::borrow::Cow;

/// Signs that are counted, and what each of them is worth. Measures of area and capacity (`2(ban₂)`) stay as they are:
/// the training texts write them so.
const WORTH: [(&str, u32); 9] =
    [("diš", 1), ("DIŠ", 1), ("diš@t", 1), ("aš", 1), ("AŠ", 1), ("aš@c", 1), ("u", 10), ("U", 10), ("geš₂", 60)];
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

/// A reading alone: `10` for `1(u)`, `1/3` for `1/3(diš)`, every other as it is.
pub(super) fn plain(reading: &str) -> Cow<'_, str> {
    match counted(reading) {
        Some((count, 1)) => count.into(),
        Some((count, worth)) => count.parse().map_or(reading.into(), |count: u32| (count * worth).to_string().into()),
        None => reading.into(),
    }
}

/// A number that goes on from sign to sign as long as they are worth less and less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    whole: u32,
    /// Of the last sign; nothing is added to a number that has none.
    worth: u32,
}

impl Sum {
    /// The number that this reading begins, or no number.
    pub(super) fn begin(reading: &str) -> Self {
        Self::default().with(reading, u32::MAX).unwrap_or_default()
    }

    /// The number with this reading added, if it goes on with it.
    pub(super) fn and(self, reading: &str) -> Option<Self> {
        self.with(reading, self.worth)
    }

    fn with(self, reading: &str, before: u32) -> Option<Self> {
        let (count, worth) = counted(reading).filter(|(_, worth)| *worth < before)?;
        Some(Self { whole: self.whole + count.parse::<u32>().ok()? * worth, worth })
    }

    /// As it is written.
    pub(super) fn text(self) -> String {
        self.whole.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_signs_are_numbers() {
        let check = |reading: &str, expected: &str| assert_eq!(plain(reading), expected, "{reading}");
        for (reading, expected) in [("4(diš)", "4"), ("3(u)", "30"), ("2(geš₂)", "120"), ("5/6(diš)", "5/6")] {
            check(reading, expected);
        }
        for other in
            ["2(ban₂)", "14", "n(diš)", "1/2(u)", "KU₃", "(diš)", "12345(diš)", "1//2(diš)", "{d}30", ")(", "("]
        {
            check(other, other);
        }
    }

    #[test]
    fn signs_worth_less_and_less_are_one_number() {
        let sum = |readings: &[&str]| readings[1..].iter().try_fold(Sum::begin(readings[0]), |sum, next| sum.and(next));
        assert_eq!(sum(&["1(geš₂)", "2(u)", "5(diš)"]).map(Sum::text).as_deref(), Some("85"));
        assert_eq!(sum(&["1(u)", "4(aš)"]).map(Sum::text).as_deref(), Some("14"));
        for apart in [["1(diš)", "1(u)"], ["1(u)", "1(u)"], ["1(u)", "1/2(diš)"], ["a", "1(u)"], ["1(u)", "4"]] {
            assert_eq!(sum(&apart), None, "{apart:?}");
        }
    }
}
