//! Folded list of all wordings of a passage; a button chooses one.

use crate::restore::marks;
use crate::shell::folding::is_opened;
use crate::shell::format;
use crate::translate::Translating;
use crate::translate::state::standing::{Key, Standing};
use leptos::prelude::*;
use tuppum_protocol::translation::Candidate;

/// List of wordings; hidden when there are fewer than two.
#[component]
pub fn Alternatives(key: StoredValue<Key>, standing: Standing) -> impl IntoView {
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
