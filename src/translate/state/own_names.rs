//! Names from the user's own lists: as soon as a passage is translated completely, they are rendered in it as the list
//! says.

use super::names;
use super::rendering::Rendering;
use super::shelf::Translation;
use crate::translate::Translating;
use leptos::prelude::*;
use tuppum_protocol::translation::names::mentions;
use tuppum_protocol::{CorpusRequest, GlossedLine, NameEvidence, Told, WordEvent};
use tuppum_text::ReadingOptions;

impl Translating {
    /// Returns the names in a finished passage and the passage's key; `None` if there are none or the user has no lists
    /// of names.
    pub(super) fn own_names_to_ask(self, rendering: &Rendering) -> Option<(Vec<String>, (usize, String))> {
        let corpora = self.workbench.corpora;
        if rendering.is_unfinished() || !corpora.has_own_names() || !untrack(|| corpora.is_ready()) {
            return None;
        }
        let names = names_in(rendering);
        (!names.is_empty()).then(|| (names, rendering.key()))
    }

    /// Renders these names of a passage as the user's own lists say. Changed words count as the user's. Names for which
    /// the user has already chosen a rendering in this translation stay.
    pub(super) fn prefer_own_names(self, text: &str, names: Vec<String>, key: (usize, String)) {
        let text = text.to_owned();
        let request = CorpusRequest::Gloss { text: names.join("\n"), reading: ReadingOptions::default() };
        self.workbench.corpora.ask(request, move |event| {
            if let Told::Answer(WordEvent::Glossed(found)) = event {
                self.shelf.update(|shelf| {
                    if let Some(translation) = shelf.of_mut(&text) {
                        apply(translation, &names, &found, &key);
                    }
                });
            }
        });
    }
}

/// Returns the names in a passage as the translator read them, each once.
fn names_in(rendering: &Rendering) -> Vec<String> {
    let found = rendering
        .candidate()
        .map(|candidate| mentions(&rendering.translated, candidate, rendering.text(), &rendering.words()));
    let mut names: Vec<String> = found.unwrap_or_default().into_iter().map(|mention| mention.name).collect();
    names.sort();
    names.dedup();
    names
}

/// Writes the lists' renderings of names into a passage. `found` has one line for each of `names`, in the same order.
fn apply(translation: &mut Translation, names: &[String], found: &[GlossedLine], key: &(usize, String)) {
    for (number, name) in names.iter().enumerate() {
        let Some(line) = found.iter().find(|line| line.line == number) else { continue };
        let own = line.words.first().and_then(|word| word.name.as_ref());
        if let Some(NameEvidence::Own { rendering, .. }) = own.map(|name| &name.by)
            && !translation.names.contains_key(name)
        {
            names::agree(translation, name, rendering, Some(key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::toy::rendering;
    use tuppum_protocol::gloss::SpellingMatch;
    use tuppum_protocol::{GlossedWord, WordName};
    use tuppum_text::Span;

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
        apply(&mut translation, &names, &[own(0, "Pūšu-kēn")], &key);
        assert_eq!(translation.renderings[0].text(), "to Pūšu-kēn");
        assert!(translation.renderings[0].own);
        translation.names.insert(names[0].clone(), "Pūšu-kēn".into());
        apply(&mut translation, &names, &[own(0, "Other")], &key);
        assert_eq!(translation.renderings[0].text(), "to Pūšu-kēn");
    }
}
