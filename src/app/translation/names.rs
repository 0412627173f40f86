//! Proper names over all passages of a translation, and one rendering for each at the user's wish.

use super::rendering::Rendering;
use super::shelf::Translation;
use crate::engine::protocol::translation::names::{Name, gather, mentions, replaced};
use std::collections::BTreeMap;
use std::ops::Range;

/// The names in these renderings; passages are numbered as they stand here.
pub fn names(renderings: &[Rendering]) -> Vec<Name> {
    let of = |(number, rendering): (usize, &Rendering)| {
        let found = rendering
            .candidate()
            .map(|candidate| mentions(&rendering.translated, candidate, rendering.text(), &rendering.words()));
        found.unwrap_or_default().into_iter().map(move |mention| (number, mention))
    };
    gather(renderings.iter().enumerate().flat_map(of))
}

/// Writes one rendering of a name wherever it is rendered otherwise; what is written is the user's wording. Yields how many
/// places changed.
pub fn agree(translation: &mut Translation, name: &str, rendering: &str) -> usize {
    let all = names(&translation.renderings);
    let Some(name) = all.iter().find(|one| one.name == name) else { return 0 };
    let mut places: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for (_, others) in name.renderings.iter().filter(|(text, _)| text != rendering) {
        for (passage, bytes) in others {
            places.entry(*passage).or_default().push(bytes.clone());
        }
    }
    for (passage, bytes) in &places {
        if let Some(one) = translation.renderings.get_mut(*passage) {
            let text = replaced(one.text(), bytes, rendering);
            one.edit(&text);
        }
    }
    places.values().map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::super::toy::rendering;
    use super::*;

    #[test]
    fn one_click_makes_a_name_agree_and_marks_it_as_the_users() {
        let mut translation = Translation::default();
        translation.put(rendering(0, "um-ma {m}a-šur-i-di₂-ma", &["thus Aššur-idi:"]));
        translation.put(rendering(1, "a-na {m}a-šur-i-di₂", &["to Ashur-idi"]));
        translation.put(rendering(2, "{d}UTU", &["Šamaš"]));
        let disagree = |translation: &Translation| -> Vec<String> {
            names(&translation.renderings).into_iter().filter(Name::disagrees).map(|name| name.name).collect()
        };
        assert_eq!(disagree(&translation), ["{m}a-šur-i-di₂"]);
        assert_eq!(agree(&mut translation, "{m}a-šur-i-di₂", "Ashur-idi"), 1);
        let texts: Vec<&str> = translation.renderings.iter().map(Rendering::text).collect();
        assert_eq!(texts, ["thus Ashur-idi:", "to Ashur-idi", "Šamaš"]);
        let own: Vec<bool> = translation.renderings.iter().map(|one| one.own).collect();
        assert_eq!(own, [true, false, false]);
        assert!(disagree(&translation).is_empty());
        assert_eq!(agree(&mut translation, "{m}nobody", "Nobody"), 0);
    }
}
