//! Which of several translations is the most usual: the one that shares most with the others.

use std::collections::HashMap;

/// How many letters are compared together.
const GROUP: usize = 4;

/// The number of the translation that shares most groups of letters with all of them, the first of several; 0 for none.
pub(super) fn most_usual(translations: &[String]) -> usize {
    let groups: Vec<HashMap<&str, usize>> = translations.iter().map(|text| groups(text)).collect();
    let shared = |one: usize| -> f32 { groups.iter().map(|other| likeness(&groups[one], other)).sum() };
    let mut best = (0, f32::MIN);
    for number in 0..translations.len() {
        let shared = shared(number);
        if shared > best.1 {
            best = (number, shared);
        }
    }
    best.0
}

/// The groups of letters of a text, with how often each occurs.
fn groups(text: &str) -> HashMap<&str, usize> {
    let mut found = HashMap::new();
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
    for window in places.windows(GROUP + 1) {
        *found.entry(&text[window[0]..window[GROUP]]).or_default() += 1;
    }
    found
}

/// Twice the shared groups by all groups of both.
fn likeness(one: &HashMap<&str, usize>, other: &HashMap<&str, usize>) -> f32 {
    let shared: usize = one.iter().map(|(group, count)| *count.min(other.get(group).unwrap_or(&0))).sum();
    let all: usize = one.values().chain(other.values()).sum();
    2.0 * shared as f32 / all.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wording_that_most_agree_with_is_taken() {
        let of = |texts: [&str; 3]| most_usual(&texts.map(str::to_owned));
        assert_eq!(of(["Say to the king", "To the king, my lord", "To the king, my lord:"]), 1);
        assert_eq!(of(["", "", ""]), 0);
        assert_eq!(most_usual(&[]), 0);
    }
}
