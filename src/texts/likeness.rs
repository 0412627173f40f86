//! Likeness of texts: tells an edited text from another one.

use std::collections::BTreeSet;

/// Thousandths of common words from which one text counts as an earlier wording of another.
pub const MIN_LIKENESS: usize = 250;

/// Returns the thousandths of the longer text's words that stand in both texts.
pub fn likeness(own: &BTreeSet<&str>, other: &str) -> usize {
    let others = words(other);
    own.intersection(&others).count() * 1000 / own.len().max(others.len()).max(1)
}

/// Returns the words of a text without line numbers.
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).collect()
}

/// Returns `true` if `new` came from `old` by editing: they share many words, or half of the shorter text's letters,
/// counted from both ends. An empty text is no wording of another.
pub fn is_wording_of(new: &str, old: &str) -> bool {
    let (new, old) = (new.trim(), old.trim());
    if new.is_empty() || old.is_empty() {
        return false;
    }
    if likeness(&words(new), old) >= MIN_LIKENESS {
        return true;
    }
    let shorter = new.chars().count().min(old.chars().count());
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    let ahead = same(&mut new.chars().zip(old.chars()));
    let behind = same(&mut new.chars().rev().zip(old.chars().rev()));
    (ahead + behind).min(shorter) * 2 >= shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_counts_the_words_of_the_longer_text() {
        assert_eq!(likeness(&words("1. a-na be-li₂-ia"), "2. a-na x qi₂-bi₄-ma um-ma"), 250);
        assert_eq!(likeness(&words(""), ""), 0);
    }

    #[test]
    fn an_edited_text_is_told_from_another() {
        assert!(is_wording_of("a-na be-li₂", "a-na be"));
        assert!(is_wording_of("be-li₂", "be"), "a word that is being typed");
        assert!(is_wording_of("um-ma šu-ma a-na be-li₂-ia qi₂", "um-ma x-ma a-na be-li₂-ia qi₂"));
        assert!(!is_wording_of("", "a-na be-li₂-ia"));
        assert!(!is_wording_of("a-na be-li₂-ia", ""));
        assert!(!is_wording_of("IGI {m}{d}PA-u-a ITI.SIG₄ UD 3-KAM₂", "um-ma a-šur-i-di₂-ma qi₂-bi₄-ma"));
    }
}
