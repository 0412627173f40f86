//! Proper names over all passages of a translation; at the user's wish every name is rendered the same way throughout,
//! and names from the user's own lists as the list says.

use super::rendering::Rendering;
use super::shelf::Translation;
use std::collections::BTreeMap;
use std::ops::Range;
use tuppum_protocol::translation::names::{Name, gather, mentions, replaced};
use tuppum_protocol::{GlossedLine, NameEvidence};

/// Returns the names in these renderings; passages are numbered by their position in the iterator.
pub fn names<'r>(renderings: impl IntoIterator<Item = &'r Rendering>) -> Vec<Name> {
    let of = |(number, rendering): (usize, &Rendering)| {
        let found = rendering
            .candidate()
            .map(|candidate| mentions(&rendering.translated, candidate, rendering.text(), &rendering.words()));
        found.unwrap_or_default().into_iter().map(move |mention| (number, mention))
    };
    gather(renderings.into_iter().enumerate().flat_map(of))
}

/// Writes one rendering of a name wherever it is rendered otherwise, with `only` in that passage alone. The changed
/// passages count as the user's wording. Returns the number of places changed.
pub fn agree(translation: &mut Translation, name: &str, rendering: &str, only: Option<&(usize, String)>) -> usize {
    let all = names(&translation.renderings);
    let Some(name) = all.iter().find(|one| one.name == name) else { return 0 };
    let mut places: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for (_, others) in name.renderings.iter().filter(|(text, _)| text != rendering) {
        for (passage, bytes) in others {
            places.entry(*passage).or_default().push(bytes.clone());
        }
    }
    let mut changed = 0;
    for (passage, bytes) in &places {
        let one = translation.renderings.get_mut(*passage);
        if let Some(one) = one.filter(|one| only.is_none_or(|only| one.is(only))) {
            let text = replaced(one.text(), bytes, rendering);
            one.edit(&text);
            changed += bytes.len();
        }
    }
    changed
}

/// Inserts a passage into a translation and renders the names in it as the user wants them.
pub fn put(translation: &mut Translation, rendering: Rendering) {
    let key = rendering.key();
    translation.put(rendering);
    for (name, wanted) in translation.names.clone() {
        agree(translation, &name, &wanted, Some(&key));
    }
}

/// Returns the names in a passage as the translator read them, each once.
pub fn names_in(rendering: &Rendering) -> Vec<String> {
    let found = rendering
        .candidate()
        .map(|candidate| mentions(&rendering.translated, candidate, rendering.text(), &rendering.words()));
    let mut names: Vec<String> = found.unwrap_or_default().into_iter().map(|mention| mention.name).collect();
    names.sort();
    names.dedup();
    names
}

/// Writes the lists' renderings of names into a passage. `found` has one line for each of `names`, in the same order.
pub fn prefer_listed_names(
    translation: &mut Translation,
    names: &[String],
    found: &[GlossedLine],
    key: &(usize, String),
) {
    for (number, name) in names.iter().enumerate() {
        let Some(line) = found.iter().find(|line| line.line == number) else { continue };
        let own = line.words.first().and_then(|word| word.name.as_ref());
        if let Some(NameEvidence::Own { rendering, .. }) = own.map(|name| &name.by)
            && !translation.names.contains_key(name)
        {
            agree(translation, name, rendering, Some(key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples::rendering;
    use tuppum_protocol::gloss::SpellingMatch;
    use tuppum_protocol::{GlossedWord, WordName};
    use tuppum_text::Span;

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
        assert_eq!(agree(&mut translation, "{m}a-šur-i-di₂", "Ashur-idi", None), 1);
        let texts: Vec<&str> = translation.renderings.iter().map(Rendering::text).collect();
        assert_eq!(texts, ["thus Ashur-idi:", "to Ashur-idi", "Šamaš"]);
        let own: Vec<bool> = translation.renderings.iter().map(|one| one.own).collect();
        assert_eq!(own, [true, false, false]);
        assert!(disagree(&translation).is_empty());
        assert_eq!(agree(&mut translation, "{m}nobody", "Nobody", None), 0);
        translation.put(rendering(3, "a-na {m}a-šur-i-di₂", &["for Assur-idi"]));
        let before = translation.clone();
        translation.names.insert("{m}a-šur-i-di₂".into(), "Aššur-idi".into());
        assert_eq!(agree(&mut translation, "{m}a-šur-i-di₂", "Aššur-idi", None), 3);
        translation.put(rendering(4, "um-ma", &["thus"]));
        translation.go_back_to(before.clone());
        assert_eq!(translation.renderings[..4], before.renderings, "with what the user had written before");
        assert_eq!((translation.renderings[4].text(), translation.names.len()), ("thus", 0));
    }

    #[test]
    fn a_name_is_kept_in_what_is_translated_later() {
        let mut translation = Translation::default();
        put(&mut translation, rendering(0, "um-ma {m}a-šur-i-di₂", &["thus Aššur-idi"]));
        translation.names.insert("{m}a-šur-i-di₂".into(), "Ashur-idi".into());
        put(&mut translation, rendering(1, "a-na {m}a-šur-i-di₂", &["to Aššuridi"]));
        let texts: Vec<&str> = translation.renderings.iter().map(Rendering::text).collect();
        assert_eq!(texts, ["thus Aššur-idi", "to Ashur-idi"], "what stood there before is left as it was");
    }

    fn own(line: usize, rendering: &str) -> GlossedLine {
        let [spelling, name] = ["pu-šu-ke-en₆", "Pūšu-kēn"].map(str::to_owned);
        let by = NameEvidence::Own { spelling, by: SpellingMatch::AsSpelt, name, rendering: rendering.to_owned() };
        let word = GlossedWord {
            span: Span::default(),
            written: "pu-šu-ke-en₆".into(),
            is_legible: true,
            is_numeral: false,
            found: None,
            glosses: Vec::new(),
            name: Some(WordName { kinds: Vec::new(), by }),
        };
        GlossedLine { line, words: vec![word] }
    }

    #[test]
    fn the_list_decides_unless_the_user_did() {
        let mut translation = Translation::default();
        let passage = rendering(0, "a-na {m}pu-šu-ke-en₆", &["to Pushuken"]);
        let key = passage.key();
        let names = names_in(&passage);
        assert_eq!(names, ["{m}pu-šu-ke-en₆"]);
        translation.put(passage);
        prefer_listed_names(&mut translation, &names, &[own(0, "Pūšu-kēn")], &key);
        assert_eq!(translation.renderings[0].text(), "to Pūšu-kēn");
        assert!(translation.renderings[0].own);
        translation.names.insert(names[0].clone(), "Pūšu-kēn".into());
        prefer_listed_names(&mut translation, &names, &[own(0, "Other")], &key);
        assert_eq!(translation.renderings[0].text(), "to Pūšu-kēn");
    }
}
