//! Stores a copy of a translator with another hyperbolic bias, or without one; folded away beside the model in the
//! list.

use super::bias_fields::{BiasFields, points_options};
use crate::models::Models;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, BiasSettings};
use tuppum_protocol::{BiasOrder, ModelRef, plain_name};

/// Form that attaches a bias to a copy of a model, or removes the bias in a copy.
#[component]
pub fn BiasCopy(
    /// The model, which stays unchanged.
    model: ModelRef,
    /// Name of the model, for the user.
    name: String,
    /// Prefix of the copy's name.
    stem: String,
) -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let wanted = RwSignal::new(Some(BiasSettings::default()));
    let bias = RwSignal::new(BiasSettings::default());
    let choose = move |event| {
        let points = BiasPoints::named(&event_target_value(&event));
        points.into_iter().for_each(|points| bias.update(|bias| bias.points = points));
        wanted.set(points.map(|_| bias.get_untracked()));
    };
    let chosen = Signal::derive(move || wanted.get().map(|bias| bias.points));
    let id = plain_name(&stem);
    let store = move |_| {
        let bias = wanted.get_untracked();
        let end = bias.map_or("without-bias".to_owned(), |bias| format!("bias-{}", bias.points.name()));
        let name = plain_name(&format!("{stem}-{end}"));
        models.store_copy(workbench, BiasOrder { model: model.clone(), name, bias });
    };
    view! {
        <details class="checksums bias-copy">
            <summary>{format!("Hyperbolic bias of {name}")}</summary>
            <label class="field">
                <span>"In a copy"</span>
                <select id=format!("bias-of-{id}") on:change=choose>
                    {points_options(chosen)}
                    <option value="none" prop:selected=move || chosen.get().is_none()>
                        "Take the bias off"
                    </option>
                </select>
            </label>
            <Show when=move || wanted.get().is_some()>
                <BiasFields
                    id=format!("bias-of-{id}")
                    bias=bias.into()
                    change=move |changed| {
                        bias.set(changed);
                        wanted.set(Some(changed));
                    }
                />
            </Show>
            <p class="hint" hidden=move || wanted.get().is_some()>
                "What is left computes bit for bit what the model computes with its bias switched off; where the bias \
                 alone was trained, that is the model that the training began with."
            </p>
            <p class="buttons">
                <button type="button" on:click=store>
                    {move || match chosen.get() {
                        Some(_) => "Store a copy with this bias",
                        None => "Store a copy without bias",
                    }}
                </button>
            </p>
            <p class="hint">
                "The model itself stays as it is. A copy is stored in 32 bits, and waits while a run is under way. A \
                 new bias makes translations worse until it is trained: choose the copy on the page “Train”, or \
                 attach the bias there."
            </p>
        </details>
    }
}
