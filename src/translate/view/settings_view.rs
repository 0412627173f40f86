//! Folded panel with the settings of the translation.

use crate::translate::Translating;
use crate::translate::state::settings::{LONGEST, MOST_ANSWERS, MOST_BEAMS, MOST_CORES, MOST_PENALTY, Settings};
use leptos::prelude::*;
use std::str::FromStr;

/// Setting that is a number.
#[derive(Clone, Copy)]
struct Number {
    id: &'static str,
    name: &'static str,
    title: &'static str,
    /// Minimum, maximum and step.
    range: [f32; 3],
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str),
}

const NUMBERS: [Number; 5] = [
    Number {
        id: "translate-beams",
        name: "Beam",
        title: "How many unfinished translations are followed at a time; 1 is fastest",
        range: [1.0, MOST_BEAMS as f32, 1.0],
        get: |settings| settings.beams.to_string(),
        set: |settings, typed| set_parsed(&mut settings.beams, typed),
    },
    Number {
        id: "translate-answers",
        name: "Alternatives",
        title: "How many translations of each passage; at most the beam",
        range: [1.0, MOST_ANSWERS as f32, 1.0],
        get: |settings| settings.answers.to_string(),
        set: |settings, typed| set_parsed(&mut settings.answers, typed),
    },
    Number {
        id: "translate-longest",
        name: "Longest, bytes",
        title: "A translation is cut off at this length",
        range: [LONGEST.0 as f32, LONGEST.1 as f32, 1.0],
        get: |settings| settings.longest.to_string(),
        set: |settings, typed| set_parsed(&mut settings.longest, typed),
    },
    Number {
        id: "translate-penalty",
        name: "Length penalty",
        title: "0 ranks by the probability of the whole, 1 by that of each byte; higher values favour longer \
            translations",
        range: [0.0, MOST_PENALTY, 0.1],
        get: |settings| settings.length_penalty.to_string(),
        set: |settings, typed| set_parsed(&mut settings.length_penalty, typed),
    },
    Number {
        id: "translate-cores",
        name: "Cores at most",
        title: "On the CPU, a long text is shared among so many of this machine’s cores, each with a copy of the \
            translator; 1 leaves the others to you",
        range: [1.0, MOST_CORES as f32, 1.0],
        get: |settings| settings.cores.to_string(),
        set: |settings, typed| set_parsed(&mut settings.cores, typed),
    },
];

#[component]
pub fn SettingsPanel() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let settings = translating.settings;
    let translator = translating.translator.state;
    let bias_known = move || translator.with(|state| state.translator().is_none_or(|report| report.bias));
    view! {
        <details id="translate-settings" class="settings">
            <summary>"Settings"</summary>
            <div class="filters">
                {NUMBERS.map(|number| field(settings, number)).collect_view()}
                <label class="check" title="With the bias, attention also depends on how far apart bytes lie in the \
                    hierarchy of signs">
                    <input
                        id="translate-bias"
                        type="checkbox"
                        disabled=move || !bias_known()
                        prop:checked=move || settings.with(|settings| settings.bias) && bias_known()
                        on:change=move |event| {
                            let on = event_target_checked(&event);
                            settings.update(|settings| settings.bias = on);
                        }
                    />
                    {move || match bias_known() {
                        true => "Hyperbolic bias",
                        false => "Hyperbolic bias (this translator has none)",
                    }}
                </label>
            </div>
        </details>
    }
}

fn set_parsed<T: FromStr>(number: &mut T, typed: &str) {
    if let Ok(typed) = typed.parse() {
        *number = typed;
    }
}

/// Returns the field of a number. A text that is no number is ignored, and a number out of range is clamped.
fn field(settings: RwSignal<Settings>, number: Number) -> AnyView {
    let Number { id, name, title, range: [least, most, step], get, set } = number;
    let change = move |event| {
        settings.update(|settings| {
            set(settings, event_target_value(&event).trim());
            *settings = settings.clone().in_range();
        });
    };
    view! {
        <label title=title>
            <span>{name}</span>
            <input
                id=id
                type="number"
                min=least.to_string()
                max=most.to_string()
                step=step.to_string()
                prop:value=move || settings.with(get)
                on:change=change
            />
        </label>
    }
    .into_any()
}
