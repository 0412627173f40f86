//! The fields of a new hyperbolic bias, shared by the pages “Train” and “Models”: which points it begins with, what
//! they mean, how far it reaches, how curved its ball is and how strong it begins.

use crate::kit::number_field::{NumberField, NumberNames, set_if};
use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, BiasSettings};

/// A number of the bias: the end of its field's identifier, its label, which numbers it may be, how it is read, and how
/// it is set as typed.
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

/// What the numbers are about.
const HINT: &str = "The bias reaches the first encoder blocks, as many as you say. A curvature of 1 is that of the \
    points as they were made; flat points have none. α multiplies all distances: at 0 the bias does nothing, at 0.1 it \
    begins gently, and it learns.";

/// The numbers of a bias. What makes no sense is put back to what it was, and said.
#[component]
pub fn BiasFields(
    /// How the identifiers of the fields begin.
    id: String,
    /// The bias as it is now.
    bias: Signal<BiasSettings>,
    /// How many encoder blocks the model has, where that is known.
    #[prop(optional, into)]
    blocks: Signal<Option<usize>>,
    /// Takes a change.
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

/// The points of a bias as options of a menu.
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
