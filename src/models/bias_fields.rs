//! The fields of a new hyperbolic bias, shared by the pages “Train” and “Models”: which points it begins with, what
//! they mean, how far it reaches, how curved its ball is and how strong it begins.

use leptos::ev::Event;
use leptos::prelude::*;
use std::str::FromStr;
use tuppum_protocol::translation::bias::{BiasPoints, BiasSettings};
use web_sys::HtmlInputElement;

/// A number of the bias: the end of its field's identifier, its label, how it is read, and how it is set as typed.
type NumberField = (&'static str, &'static str, fn(&BiasSettings) -> String, fn(&mut BiasSettings, &str));

const NUMBERS: [NumberField; 3] = [
    ("layers", "Encoder blocks", |bias| bias.layers.to_string(), |bias, typed| put(&mut bias.layers, typed)),
    ("curvature", "Curvature", |bias| bias.curvature.to_string(), |bias, typed| put(&mut bias.curvature, typed)),
    ("alpha", "α at the start", |bias| bias.alpha.to_string(), |bias, typed| put(&mut bias.alpha, typed)),
];

/// What the numbers are about.
const HINT: &str = "The bias reaches the first encoder blocks, as many as you say. A curvature of 1 is that of the \
    points as they were made; flat points have none. α multiplies all distances: at 0 the bias does nothing, at 0.1 it \
    begins gently, and it learns.";

fn put<T: FromStr>(number: &mut T, typed: &str) {
    if let Ok(typed) = typed.parse() {
        *number = typed;
    }
}

/// The numbers of a bias. What makes no sense is put back to what it was.
#[component]
pub fn BiasFields(
    /// How the identifiers of the fields begin.
    id: String,
    /// The bias as it is now.
    bias: Signal<BiasSettings>,
    /// Takes a change.
    #[prop(into)]
    change: Callback<BiasSettings>,
) -> impl IntoView {
    let field = move |(end, label, get, set): NumberField| {
        let typed = move |event: Event| {
            let field: HtmlInputElement = event_target(&event);
            let mut changed = bias.get_untracked();
            set(&mut changed, field.value().trim());
            if changed.check().is_ok() {
                change.run(changed);
            }
            field.set_value(&get(&bias.get_untracked()));
        };
        let flat = move || end == "curvature" && bias.get().points == BiasPoints::Flat;
        view! {
            <label class="field" hidden=flat>
                <span>{label}</span>
                <input
                    id=format!("{id}-{end}")
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    prop:value=move || get(&bias.get())
                    on:change=typed
                />
            </label>
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
