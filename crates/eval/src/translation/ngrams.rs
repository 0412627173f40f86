//! Stretches of n tokens or letters, counted and compared; and what Python calls white space.

use std::collections::HashMap;
use std::hash::Hash;

/// Counts of stretches of one length in two sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// Number of stretches of the translation.
    pub translation: u64,
    /// Number of stretches of the reference.
    pub reference: u64,
    /// Number of shared stretches; a stretch counts as often as the rarer side has it.
    pub shared: u64,
}

/// Compares all stretches of `order` items.
pub(super) fn compare<T: Eq + Hash>(translation: &[T], reference: &[T], order: usize) -> Shared {
    let mut left: HashMap<&[T], u64> = HashMap::new();
    for stretch in reference.windows(order) {
        *left.entry(stretch).or_default() += 1;
    }
    let mut shared = 0;
    for stretch in translation.windows(order) {
        if let Some(count) = left.get_mut(stretch).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    let number = |items: &[T]| (items.len() + 1).saturating_sub(order) as u64;
    Shared { translation: number(translation), reference: number(reference), shared }
}

/// Python's `str.isspace`: Unicode white space and the four separators of ASCII, which Unicode leaves out.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&letter)
}

/// Splits at white space as Python's `str.split()` does.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_count_as_often_as_the_rarer_side_has_them() {
        let found = |order| compare(&["a", "b", "a", "a"], &["a", "a", "c"], order);
        assert_eq!(found(1), Shared { translation: 4, reference: 3, shared: 2 });
        assert_eq!(found(2), Shared { translation: 3, reference: 2, shared: 1 });
        assert_eq!(found(4), Shared { translation: 1, reference: 0, shared: 0 });
        assert_eq!(found(5), Shared::default());
    }

    #[test]
    fn white_space_is_pythons() {
        assert_eq!(words(" a\u{A0}b\u{1C}c\u{3000}\td\u{200B}e\n").collect::<Vec<_>>(), ["a", "b", "c", "d\u{200B}e"]);
    }
}
