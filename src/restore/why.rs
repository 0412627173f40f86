//! The legend of the shading that shows which signs a proposal depends on.

use crate::restore::state::Workbench;
use leptos::prelude::*;

/// The legend, with the strongest signs as numbers.
#[component]
pub fn Legend() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || {
        let influence = workbench.influence.get()?;
        let mut strongest: Vec<(usize, f32)> =
            influence.weights.iter().map(|(sign, weight)| (*sign, *weight)).collect();
        strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let document = workbench.document.get_untracked();
        let rows = strongest.into_iter().take(5).map(|(sign, weight)| {
            let reading = document.signs().nth(sign).and_then(|sign| sign.reading()).unwrap_or("gap").to_owned();
            view! {
                <li>
                    <button type="button" class="link" on:click=move |_| workbench.selected.set(Some(sign))>
                        <span lang="akk-Latn">{super::marks::reading(&reading)}</span>
                    </button>
                    " "
                    <span class="figure">{format!("{weight:.2}")}</span>
                </li>
            }
        });
        Some(view! {
            <section id="influence" class="band influence" aria-label="Influence">
                <p>
                    "Shaded in the reading: the signs that “"
                    <span lang="akk-Latn">{influence.written.clone()}</span>
                    "” depends on (gradient × input, the strongest is 1)."
                </p>
                <p class="scale" aria-hidden="true">
                    <span>"0"</span>
                    <span class="ramp"></span>
                    <span>"1"</span>
                </p>
                <ol class="strongest" aria-label="The strongest signs">{rows.collect_view()}</ol>
                <button
                    id="influence-close"
                    type="button"
                    class="quiet"
                    on:click=move |_| workbench.influence.set(None)
                >
                    "Remove the shading"
                </button>
            </section>
        })
    };
    view! { {draw} }
}
