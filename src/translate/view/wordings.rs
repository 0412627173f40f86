//! Ways to choose the wording of a passage: the list of all wordings, the field for the user's own, and translations in
//! the text itself, below the lines of the passage, which came with an edition or were written by the user.

use crate::kit::format;
use crate::kit::interaction::is_opened;
use crate::kit::timing::on_next_frame;
use crate::restore::view::marks;
use crate::translate::Translating;
use crate::translate::state::passages::{PassageKey, PassageSignal};
use crate::translate::state::rendering::Rendering;
use leptos::ev::KeyboardEvent;
use leptos::html::{Button, Textarea};
use leptos::prelude::*;
use std::ops::Range;
use tuppum_protocol::translation::Candidate;
use tuppum_text::Document;
use web_sys::HtmlElement;

/// List of wordings; hidden when there are fewer than two.
#[component]
pub fn Alternatives(key: StoredValue<PassageKey>, standing: PassageSignal) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let all = Memo::new(move |_| {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, _)| !rendering.is_held_back())?;
            Some((rendering.translated.candidates.clone(), rendering.edited.clone()))
        })
    });
    let stands = Memo::new(move |_| {
        standing
            .with(|one| one.as_ref().map(|(rendering, _)| if rendering.own { None } else { Some(rendering.chosen) }))
            .flatten()
    });
    let count = Memo::new(move |_| {
        all.with(|all| all.as_ref().map_or(0, |(candidates, edited)| candidates.len() + usize::from(edited.is_some())))
    });
    let choose = move |rank: Option<usize>| {
        key.with_value(|key| {
            translating.change_passage(key, |rendering| match rank {
                Some(rank) => rendering.choose(rank),
                None => rendering.own = rendering.edited.is_some(),
            });
        });
    };
    let rows = move || {
        let (candidates, edited) = all.get().unwrap_or_default();
        let machine = candidates.into_iter().enumerate().map(|(rank, candidate)| {
            let Candidate { text, probability, score, .. } = candidate;
            row(stands, choose, Some(rank), text, Some((probability, score)))
        });
        machine.chain(edited.map(|edited| row(stands, choose, None, edited, None))).collect_view()
    };
    let table = move || {
        view! {
            <table class="proposals">
                <thead>
                    <tr>
                        <th scope="col" class="rank">"Rank"</th>
                        <th scope="col">"Translation"</th>
                        <th scope="col">"Probability"</th>
                        <th scope="col">"Score"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    };
    // The table is two fifths of all elements of a passage, and few users unfold it: it is drawn only when opened.
    let is_open = RwSignal::new(false);
    view! {
        <details
            class="alternatives"
            hidden=move || { count.get() < 2 }
            on:toggle=move |event| is_open.set(is_opened(&event))
        >
            <summary>{move || format::plural(count.get(), "wording", "wordings")} " to choose from"</summary>
            {move || is_open.get().then_some(table)}
        </details>
    }
}

/// One row of the list: a wording of the machine with rank, probability and score, or the user's own wording.
fn row(
    stands: Memo<Option<usize>>,
    choose: impl Fn(Option<usize>) + 'static,
    rank: Option<usize>,
    text: String,
    numbers: Option<(f32, f32)>,
) -> impl IntoView {
    let pressed = move || stands.get() == rank;
    let probability = match numbers {
        Some((probability, _)) => marks::probability(probability),
        None => "yours".into_any(),
    };
    view! {
        <tr data-rank=rank.map(|rank| (rank + 1).to_string()) class:accepted=pressed>
            <td class="rank">{rank.map_or("✎".to_owned(), |rank| (rank + 1).to_string())}</td>
            <td>
                <button
                    type="button"
                    class="candidate"
                    lang="en"
                    aria-pressed=move || pressed().to_string()
                    on:click=move |_| choose(rank)
                >
                    {text}
                </button>
            </td>
            <td>{probability}</td>
            <td class="figure">{numbers.map(|(_, score)| format!("{score:.3}"))}</td>
        </tr>
    }
}

/// Button that opens the field, and the field.
#[component]
pub fn Edit(key: StoredValue<PassageKey>, standing: PassageSignal) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let (field, button) = (NodeRef::<Textarea>::new(), NodeRef::<Button>::new());
    let draft = move || standing.with(|one| one.as_ref().and_then(|(rendering, _)| rendering.draft.clone()));
    let open = Memo::new(move |_| draft().is_some());
    let finished = Memo::new(move |_| standing.with(|one| one.as_ref().is_some_and(|(one, _)| !one.is_unfinished())));
    let hidden = move || open.get() || !finished.get();
    let change = move |change: &dyn Fn(&mut Rendering)| key.with_value(|key| translating.change_passage(key, change));
    // Each keystroke is stored in the translation at once, so that no update of the passage loses it.
    let begin = move |_| {
        change(&|rendering| rendering.draft = Some(rendering.text().to_owned()));
        on_next_frame(move || focus(field.get_untracked().as_deref()));
    };
    let end = move |keep: bool| {
        change(&|rendering| {
            if let Some(draft) = rendering.draft.take().filter(|_| keep) {
                rendering.edit(&draft);
            }
        });
        on_next_frame(move || focus(button.get_untracked().as_deref()));
    };
    let typed = move |event| {
        let text = event_target_value(&event);
        change(&|rendering| rendering.draft = Some(text.clone()));
    };
    let press = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            end(false);
        }
    };
    view! {
        <button node_ref=button type="button" class="quiet edit" hidden=hidden on:click=begin>
            "Edit"
        </button>
        <Show when=move || open.get()>
            <div class="editing">
                <label>
                    <span>"Your wording"</span>
                    <textarea
                        node_ref=field
                        rows="2"
                        lang="en"
                        prop:value=untrack(draft).unwrap_or_default()
                        on:input=typed
                        on:keydown=press
                    ></textarea>
                </label>
                <p class="buttons">
                    <button type="button" data-edit="save" on:click=move |_| end(true)>
                        "Keep"
                    </button>
                    <button type="button" class="quiet" data-edit="cancel" on:click=move |_| end(false)>
                        "Cancel"
                    </button>
                </p>
            </div>
        </Show>
    }
}

/// Focuses an element, if there is one.
fn focus(element: Option<&HtmlElement>) {
    if let Some(element) = element {
        // `focus` never fails for an element of the page.
        let _ = element.focus();
    }
}

/// Translations below the lines of a passage, each with a button that makes it the user's own wording.
#[component]
pub fn TranslationsInText(key: StoredValue<PassageKey>, standing: PassageSignal) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let typed = Memo::new(move |_| {
        let lines = standing.with(|one| one.as_ref().and_then(|(_, now)| now.as_ref().map(|now| now.lines.clone())));
        let document = translating.workbench.text.document.get();
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
