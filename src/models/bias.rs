//! The fields of a new hyperbolic bias, shared by the pages “Train” and “Models”, and the form that stores a copy of a
//! translator with another bias, or without one.

use crate::kit::number_field::{NumberField, NumberNames, set_if};
use crate::models::Models;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, BiasSettings};
use tuppum_protocol::{BiasOrder, ModelRef, plain_name};

/// A number of the bias: suffix of the field's identifier, label, accepted numbers, getter, and setter from typed text.
type Number =
    (&'static str, &'static str, &'static str, fn(&BiasSettings) -> String, fn(&mut BiasSettings, &str) -> bool);

const NUMBERS: [Number; 3] = [
    (
        "layers",
        "Encoder blocks",
        "a whole number of blocks, 1 or more, that the model has",
        |bias| bias.layers.to_string(),
        |bias, typed| set_if(&mut bias.layers, typed, |_| true),
    ),
    (
        "curvature",
        "Curvature",
        "a number above 0",
        |bias| bias.curvature.to_string(),
        |bias, typed| set_if(&mut bias.curvature, typed, |_| true),
    ),
    (
        "alpha",
        "α at the start",
        "a number, 0 or more",
        |bias| bias.alpha.to_string(),
        |bias, typed| set_if(&mut bias.alpha, typed, |_| true),
    ),
];

/// Explanation under the numbers.
const HINT: &str = "The bias reaches the first encoder blocks, as many as you say. A curvature of 1 is that of the \
    points as they were made; flat points have none. α multiplies all distances: at 0 the bias does nothing, at 0.1 it \
    begins gently, and it learns.";

/// Fields for the numbers of a bias. An invalid number is replaced by the previous one, with a message.
#[component]
pub fn BiasFields(
    /// Prefix of the fields' identifiers.
    id: String,
    bias: Signal<BiasSettings>,
    /// Number of encoder blocks of the model, if known.
    #[prop(optional, into)]
    blocks: Signal<Option<usize>>,
    /// Takes a changed bias.
    #[prop(into)]
    change: Callback<BiasSettings>,
) -> impl IntoView {
    let field = move |(end, name, takes, get, set): Number| {
        let take = move |typed: &str| {
            let mut changed = bias.get_untracked();
            let has_blocks = |bias: &BiasSettings| blocks.get_untracked().is_none_or(|blocks| bias.layers <= blocks);
            let is_taken = set(&mut changed, typed) && changed.check().is_ok() && has_blocks(&changed);
            if is_taken {
                change.run(changed);
            }
            is_taken
        };
        let flat = move || end == "curvature" && bias.get().points == BiasPoints::Flat;
        let names = NumberNames { id: format!("{id}-{end}"), name, takes };
        view! {
            <div hidden=flat>
                <NumberField names value=Signal::derive(move || get(&bias.get())) take />
            </div>
        }
    };
    view! {
        <p class="hint">{move || bias.get().points.explanation()}</p>
        <div class="choices-row">{NUMBERS.map(field).collect_view()}</div>
        <p class="hint">{HINT}</p>
    }
}

/// Options of a menu for the points of a bias.
pub fn points_options(chosen: Signal<Option<BiasPoints>>) -> impl IntoView {
    let option = move |points: BiasPoints| {
        view! {
            <option value=points.name() prop:selected=move || chosen.get() == Some(points)>
                {points.title()}
            </option>
        }
    };
    BiasPoints::ALL.map(option).collect_view()
}

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
