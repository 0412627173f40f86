//! Decimal fractions: exports of tables have `0.33333` where the edition has ⅓.

/// Fractions with the beginning of their decimals.
const FRACTIONS: [(&str, &str); 9] = [
    ("3333", "1/3"),
    ("6666", "2/3"),
    ("6667", "2/3"),
    ("8333", "5/6"),
    ("1666", "1/6"),
    ("1667", "1/6"),
    ("5", "1/2"),
    ("25", "1/4"),
    ("75", "3/4"),
];

/// Returns the decimal number that a word begins with: its length, its whole part and its fraction. After a zero every
/// fraction counts; after another number only one with many digits, because `1.5` may be sexagesimal.
pub fn decimal(word: &str) -> Option<(usize, &str, &'static str)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let whole = word.get(..digits(word)).filter(|whole| (1..=6).contains(&whole.len()))?;
    let after = word.get(whole.len()..)?.strip_prefix('.')?;
    let decimals = after.get(..digits(after))?;
    let is_end = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || "./(".contains(letter));
    let fits = |(begin, _): &&(&str, &str)| match begin.len() {
        4 => decimals.starts_with(begin),
        _ => whole == "0" && decimals.trim_end_matches('0') == *begin,
    };
    let (_, fraction) = FRACTIONS.iter().find(fits)?;
    is_end(after.get(decimals.len()..)?).then_some((whole.len() + 1 + decimals.len(), whole, *fraction))
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn decimals_are_fractions_where_they_can_be_nothing_else() {
        assert_eq!(decimal("0.33333 ma-na"), Some((7, "0", "1/3")));
        assert_eq!(decimal("1.6666666666666665"), Some((18, "1", "2/3")));
        assert_eq!(decimal("0.5"), Some((3, "0", "1/2")));
        assert_eq!(decimal("10.8333"), Some((7, "10", "5/6")));
        for other in ["1.5", "3.30", "0.7", "1.1/2", "0.3333.4", "12", "0.5(diš)", ".5"] {
            assert_eq!(decimal(other), None, "{other}");
        }
    }
}
