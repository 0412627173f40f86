//! Sample translations before training and now, beside those of the corpus.

use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::Sample;

/// The samples; absent until there are some.
#[component]
pub fn Samples() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.samples.with(|samples| !samples.is_empty()));
    let rows = move || training.samples.get().into_iter().map(drawn).collect_view();
    view! {
        <Show when=move || there.get()>
            <h3>"Samples"</h3>
            <p class="hint">"Machine translations that take the likeliest byte each time. A dot stands for a letter of \
                another script. They show how training is going, not how good the model is."</p>
            <div id="train-samples">{rows}</div>
        </Show>
    }
}

fn drawn(sample: Sample) -> impl IntoView {
    let side = if sample.held_out { "set aside" } else { "trained on" };
    let (step, after) = match sample.after {
        Some((step, text)) => (format!("After {step} steps"), shown(&text, &sample.target)),
        None => ("Now".to_owned(), "not yet".to_owned()),
    };
    let before = shown(&sample.before, &sample.target);
    view! {
        <dl class="facts sample">
            <dt>"Source"</dt>
            <dd lang="akk-Latn">{sample.source} " " <span class="hint">{format!("({side})")}</span></dd>
            <dt>"Corpus"</dt>
            <dd>{sample.target}</dd>
            <dt>"Before"</dt>
            <dd>{before}</dd>
            <dt>{step}</dt>
            <dd data-after="true">{after}</dd>
        </dl>
    }
}

/// Returns a translation as the page shows it, or “(nothing)” for an empty one. A model that has learnt little writes
/// letters of any script. Where the corpus has only Latin letters, others are shown as "·": the browser would search
/// all fonts of the machine for each of them, which would freeze the page.
pub fn shown(text: &str, corpus: &str) -> String {
    if text.trim().is_empty() {
        return "(nothing)".to_owned();
    }
    let foreign = |letter: char| !is_of_translations(letter);
    if corpus.chars().any(foreign) { text.to_owned() } else { text.replace(foreign, "·") }
}

/// Returns `true` for letters and marks that occur in translations into languages with Latin script, and in names in
/// them.
fn is_of_translations(letter: char) -> bool {
    let is_latin = matches!(letter, ' '..='~' | '\u{a0}'..='\u{17f}' | 'ʾ' | 'ʿ' | '\u{1e00}'..='\u{1eff}');
    is_latin || matches!(letter, '\u{2010}'..='\u{2027}' | '₀'..='₉') || letter.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn letters_of_other_scripts_are_dots_where_the_corpus_has_none() {
        assert_eq!(shown("sЈ$g ȁ Kaneš: “ḫa”", "Kārum-Kaneš"), "s·$g · Kaneš: “ḫa”");
        assert_eq!(shown("говорит", "так говорит Ашшур"), "говорит");
        assert_eq!(shown(" ", "King"), "(nothing)");
    }
}
