//! The accepted readings of a gap, and a button that takes them back.

use super::marks;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_text::SignIndex;

/// The accepted readings of a gap, if there are any.
#[component]
pub fn AcceptedHere(
    /// Gap that may have been filled.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let accepted = Memo::new(move |_| workbench.work.with(|work| work.accepted_at(sign).cloned()));
    let draw = move || {
        let accepted = accepted.get()?;
        let probability = accepted.readings.iter().map(|reading| reading.probability).fold(1.0, |a, b| a * b);
        let readings = accepted.readings.iter().map(|reading| (reading.written.as_str(), reading.starts_word));
        Some(view! {
            <p id="accepted" class="band accepted">
                <span>
                    "You accepted "<strong lang="akk-Latn">{marks::filling(readings)}</strong>
                    {format!(", proposed with {}.", crate::kit::format::percent(probability))}
                </span>
                <button id="take-back" type="button" on:click=move |_| workbench.take_back(sign)>
                    "Take back"
                </button>
            </p>
        })
    };
    view! { {draw} }
}
