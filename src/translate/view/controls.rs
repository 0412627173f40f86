//! Controls of the translation card: the Translate button with the reason why it is disabled, Stop, the choice of what
//! is translated, progress, and the folded settings.

use crate::engine::model::ModelState;
use crate::frame::progress::meter;
use crate::kit::format;
use crate::models::{Models, offer};
use crate::translate::Translating;
use crate::translate::state::settings::{
    BYTE_LIMITS, Extent, MAX_ANSWERS, MAX_BEAMS, MAX_CORES, MAX_LENGTH_PENALTY, Settings,
};
use leptos::prelude::*;
use std::str::FromStr;
use tuppum_protocol::DeviceKind;

const EXTENTS: [(Extent, &str, &str); 3] = [
    (Extent::Lines, "lines", "every line on its own"),
    (Extent::Whole, "whole", "the whole text, lines together"),
    (Extent::Line, "line", "the chosen line"),
];

/// Controls that start and stop a translation.
#[component]
pub fn Controls() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let busy = Memo::new(move |_| translating.job.is_running() || translating.queued.get());
    let why_not = Memo::new(move |_| if busy.get() { None } else { translating.why_not() });
    let (models, workbench) = (expect_context::<Models>(), translating.workbench);
    let to_fetch = move || offer::translating_notice(models, workbench, translating.choice);
    let idle = Memo::new(move |_| why_not.with(Option::is_none) && !busy.get());
    let press = move |_| {
        if idle.get_untracked() {
            translating.translate();
        }
    };
    view! {
        <div class="buttons">
            <button
                id="translate"
                type="button"
                class="primary"
                aria-disabled=move || (!idle.get()).to_string()
                aria-describedby="translate-reason"
                on:click=press
            >
                "Translate"
            </button>
            <button id="translate-stop" type="button" disabled=move || !busy.get() on:click=move |_| translating.stop()>
                "Stop translating"
            </button>
            <ExtentMenu />
            <label class="check" title="Off: gaps stay open for the translator, whatever you accepted">
                <input
                    id="translate-restored"
                    type="checkbox"
                    prop:checked=move || translating.settings.with(|settings| settings.restored)
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        translating.settings.update(|settings| settings.restored = on);
                    }
                />
                "Use accepted restorations"
            </label>
        </div>
        <div class="doings">
            <p id="translate-reason" class="hint">
                {why_not}
            </p>
            <OpeningTranslator />
            <RunningTranslation />
        </div>
        <SettingsPanel />
        <p
            id="translator"
            class="hint"
            data-translator=move || translating.translator.state.with(state_name)
            data-device=move || translating.translator.state.with(ModelState::device_name)
        >
            {move || format!("{}. ", translating.choice.version().name())}
            {move || translating.translator.state.with(|state| statement(state, to_fetch))} " "
            <a href="#view=models">"Choose another"</a>
        </p>
    }
}

#[component]
fn ExtentMenu() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let present = Memo::new(move |_| translating.settings.with(|settings| settings.extent));
    let choose = move |event| {
        let value = event_target_value(&event);
        if let Some((extent, ..)) = EXTENTS.iter().find(|(_, name, _)| *name == value) {
            translating.settings.update(|settings| settings.extent = *extent);
        }
    };
    let options = EXTENTS.map(|(extent, name, label)| {
        let label = move || match (extent, translating.chosen_line_label()) {
            (Extent::Line, Some(line)) => format!("{label} ({line})"),
            _ => label.to_owned(),
        };
        view! {
            <option value=name prop:selected=move || present.get() == extent>
                {label}
            </option>
        }
    });
    view! {
        <label class="period">
            <span>"What"</span>
            <select id="translate-extent" on:change=choose>
                {options.collect_view()}
            </select>
        </label>
    }
}

/// Progress while the translator is opened.
#[component]
fn OpeningTranslator() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let translator = translating.translator;
    let opening = Memo::new(move |_| translator.state.with(|state| *state == ModelState::Opening));
    view! {
        <Show when=move || opening.get()>
            <div id="translator-progress" class="progress">
                {move || meter(translator.progress(), "Starting the translator")}
            </div>
        </Show>
    }
}

/// Progress of the running translation.
#[component]
fn RunningTranslation() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let restoring = move || translating.workbench.restoring.job.is_running();
    let before = move || if restoring() { "Waiting for the restoration to finish" } else { "Asking the translator" };
    let busy = translating.workers.busy;
    let beside = move || (busy.get() > 1).then(|| format!("{} cores side by side", busy.get()));
    view! {
        <Show when=move || translating.job.is_running()>
            <div id="translate-progress" class="progress">
                {move || meter(translating.job.progress(), before())}
                <span class="figure">{beside}</span>
            </div>
        </Show>
    }
}

fn state_name(state: &ModelState) -> &'static str {
    match state {
        ModelState::Opening => "opening",
        ModelState::Ready(_) => "ready",
        ModelState::Failed(_) if state.is_missing() => "absent",
        ModelState::Closed | ModelState::Failed(_) => "closed",
    }
}

/// Returns the sentence about the translator below the buttons; `to_fetch` says what must be fetched first, if
/// anything.
fn statement(state: &ModelState, to_fetch: impl FnOnce() -> Option<String>) -> String {
    let Some(report) = state.translator() else {
        return match state_name(state) {
            "closed" => to_fetch().unwrap_or_else(|| "The translator is opened when you first translate.".into()),
            _ => String::new(),
        };
    };
    let device = match report.device {
        DeviceKind::WebGpu => "on the GPU",
        DeviceKind::Cpu => "on the CPU",
    };
    let stored = match (&report.storage_note, report.stored) {
        (Some(note), _) => note.clone(),
        (None, true) => "It is stored in this browser; the next visit needs no network.".into(),
        (None, false) => "It is not stored; the next visit fetches it again.".into(),
    };
    let bias = if report.bias { "with" } else { "without" };
    let test = match report.self_test {
        Some(difference) => format!("self-test {difference:.1e}"),
        None => "nothing to test it against".to_owned(),
    };
    format!(
        "Translator ready {device}, {} parameters, {bias} hyperbolic bias, {test}. {stored}",
        format::count(report.parameters)
    )
}

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
        range: [1.0, MAX_BEAMS as f32, 1.0],
        get: |settings| settings.beams.to_string(),
        set: |settings, typed| set_parsed(&mut settings.beams, typed),
    },
    Number {
        id: "translate-answers",
        name: "Alternatives",
        title: "How many translations of each passage; at most the beam",
        range: [1.0, MAX_ANSWERS as f32, 1.0],
        get: |settings| settings.answers.to_string(),
        set: |settings, typed| set_parsed(&mut settings.answers, typed),
    },
    Number {
        id: "translate-longest",
        name: "Longest, bytes",
        title: "A translation is cut off at this length",
        range: [BYTE_LIMITS.0 as f32, BYTE_LIMITS.1 as f32, 1.0],
        get: |settings| settings.longest.to_string(),
        set: |settings, typed| set_parsed(&mut settings.longest, typed),
    },
    Number {
        id: "translate-penalty",
        name: "Length penalty",
        title: "0 ranks by the probability of the whole, 1 by that of each byte; higher values favour longer \
            translations",
        range: [0.0, MAX_LENGTH_PENALTY, 0.1],
        get: |settings| settings.length_penalty.to_string(),
        set: |settings, typed| set_parsed(&mut settings.length_penalty, typed),
    },
    Number {
        id: "translate-cores",
        name: "Cores at most",
        title: "On the CPU, a long text is shared among so many of this machine’s cores, each with a copy of the \
            translator; 1 leaves the others to you",
        range: [1.0, MAX_CORES as f32, 1.0],
        get: |settings| settings.cores.to_string(),
        set: |settings, typed| set_parsed(&mut settings.cores, typed),
    },
];

#[component]
fn SettingsPanel() -> impl IntoView {
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
