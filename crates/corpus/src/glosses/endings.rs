//! Endings that scribes write as separate signs, behind a word that the lexicon may list without them.

use super::forms::Forms;

/// Enclitics and pronouns of one sign.
const SINGLE: [&str; 21] = [
    "ma", "mi", "mi₃", "me", "šu", "šu₂", "ši", "ši₂", "ša", "ša₂", "ka", "ka₃", "ki", "ku", "ni", "ia", "ia₂", "i₃",
    "i", "su", "su₂",
];
/// Pronouns of two signs: possible first and second signs.
const DOUBLE: ([&str; 7], [&str; 4]) = (["šu", "šu₂", "ku", "ši", "ši₂", "su", "su₂"], ["nu", "ni", "ti", "tu"]);

/// Returns the word without such an ending, if it has one and a stem is left.
pub(super) fn without_ending<'w, 'f>(word: &'w [&'f Forms]) -> Option<&'w [&'f Forms]> {
    let (last, rest) = word.split_last()?;
    if let Some((before, first)) = rest.split_last()
        && !first.is_empty()
        && DOUBLE.0.contains(&before.reading.as_str())
        && DOUBLE.1.contains(&last.reading.as_str())
    {
        return Some(first);
    }
    (!rest.is_empty() && SINGLE.contains(&last.reading.as_str())).then_some(rest)
}
