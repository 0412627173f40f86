//! Translations in the text itself, below the lines of a passage: they came with an edition, or the user wrote them.
//! They are shown beside the machine's.

use crate::translate::Translating;
use crate::translate::state::standing::{Key, Standing};
use leptos::prelude::*;
use std::ops::Range;
use tuppum_text::Document;

/// Translations below the lines of a passage, each with a button that makes it the user's own wording.
#[component]
pub fn Typed(key: StoredValue<Key>, standing: Standing) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let typed = Memo::new(move |_| {
        let lines = standing.with(|one| one.as_ref().and_then(|(_, now)| now.as_ref().map(|now| now.lines.clone())));
        let document = translating.workbench.document.get();
        lines.map(|lines| typed_under(&document, &lines)).unwrap_or_default()
    });
    let wording = Memo::new(move |_| {
        standing.with(|one| one.as_ref().and_then(|(rendering, _)| rendering.own_wording().map(str::to_owned)))
    });
    let one = move |(language, text): (String, String)| {
        let (taken, own) = (text.clone(), text.clone());
        let is_taken = Memo::new(move |_| wording.with(|wording| wording.as_ref() == Some(&own)));
        let take = move |_| {
            key.with_value(|key| translating.change_passage(key, |rendering| rendering.edit(&taken)));
        };
        view! {
            <div class="remembered typed">
                <p class="hint">
                    <span class="badge" data-badge="published">"In your text"</span>
                    " Translation under these lines"
                </p>
                <p class="published" lang=language>{text}</p>
                <button type="button" class="quiet" aria-disabled=move || is_taken.get().to_string() on:click=take>
                    {move || if is_taken.get() { "Your wording" } else { "Take it as your wording" }}
                </button>
            </div>
        }
    };
    move || typed.get().into_iter().map(one).collect_view()
}

/// Returns the translations below these lines, joined by language; languages are named as in the text.
fn typed_under(document: &Document, lines: &Range<usize>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let under = |of: Option<usize>| of.is_some_and(|of| lines.contains(&of));
    for translation in document.typed_translations().into_iter().filter(|translation| under(translation.of)) {
        match found.iter_mut().find(|(language, _)| language == translation.language) {
            Some((_, text)) => *text = format!("{text} {}", translation.text),
            None => found.push((translation.language.to_owned(), translation.text.to_owned())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_under_the_lines_of_a_passage_is_found_by_language() {
        let typed =
            "1. a-na be-li₂-ia\n#tr.en: To my lord\n#tr.de: Meinem Herrn\n2. qi₂-bi₄-ma\n#tr.en: say!\n3. um-ma";
        let document = Document::read(typed);
        let pair = |language: &str, text: &str| (language.to_owned(), text.to_owned());
        assert_eq!(typed_under(&document, &(0..1)), [pair("en", "To my lord"), pair("de", "Meinem Herrn")]);
        assert_eq!(typed_under(&document, &(0..4)), [pair("en", "To my lord say!"), pair("de", "Meinem Herrn")]);
        assert_eq!(typed_under(&document, &(5..6)), []);
    }
}
