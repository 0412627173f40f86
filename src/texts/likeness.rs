//! Whether one text is an earlier wording of another.

use std::collections::BTreeSet;

/// So many thousandths of the words must be the same for a text to be taken for an earlier wording of another.
pub const ALIKE: usize = 250;

/// How many thousandths of the words of the longer text stand in both.
pub fn likeness(own: &BTreeSet<&str>, other: &str) -> usize {
    let others = words(other);
    own.intersection(&others).count() * 1000 / own.len().max(others.len()).max(1)
}

/// The words of a text, without the numbers of its lines.
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).collect()
}

/// Whether a text is what another became by editing: many of its words are the same, or half of the shorter one's
/// letters, counted from both ends. Nothing is the same text as an empty one.
pub fn is_wording_of(new: &str, old: &str) -> bool {
    let (new, old) = (new.trim(), old.trim());
    if new.is_empty() || old.is_empty() {
        return false;
    }
    if likeness(&words(new), old) >= ALIKE {
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
