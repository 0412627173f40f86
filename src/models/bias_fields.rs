//! Fields of a new hyperbolic bias, shared by the pages “Train” and “Models”: its points with their explanation, the
//! number of encoder blocks it reaches, the curvature of its ball and its initial strength.

use crate::shell::number_field::{NumberField, NumberNames, set_if};
use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, BiasSettings};

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
