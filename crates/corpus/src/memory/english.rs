//! Words of an English translation, with their places.

use std::ops::Range;

/// Returns the words of a text in order, each with its place in bytes. Hyphens and apostrophes within a word belong to
/// it: `Ṭab-ṣill-Ešarra`, `king's`.
pub(super) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text.get(rest..)?.find(char::is_alphanumeric)?;
        let mut letters = text.get(begin..)?.char_indices().peekable();
        let mut end = text.len();
        while let Some((place, letter)) = letters.next() {
            let joins =
                matches!(letter, '-' | '\'' | '’') && letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            if !letter.is_alphanumeric() && !joins {
                end = begin + place;
                break;
            }
        }
        rest = end;
        Some((begin..end, text.get(begin..end)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_with_their_places() {
        let text = "Witness Aššur-ila'i, (lit. “10th” day) -";
        let found: Vec<&str> = words(text).map(|(_, word)| word).collect();
        assert_eq!(found, ["Witness", "Aššur-ila'i", "lit", "10th", "day"]);
        assert!(words(text).all(|(place, word)| &text[place] == word));
        assert_eq!(words("").count() + words(" ... ").count(), 0);
    }
}
