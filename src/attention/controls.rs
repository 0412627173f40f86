//! Controls of the maps: text, kind of attention, layer and head, grouping, strength of the bias.

use crate::attention::address::{cut_name, kind_name, kind_named};
use crate::attention::{Attention, reading};
use crate::kit::format;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::attention::{AttentionKind, Strength};
use tuppum_text::parts::Cut;
use tuppum_text::{Document, LineKind};

/// Maximum number of lines of the workbench in the menu.
const MAX_LINES: usize = 200;
/// Maximum number of letters of a line in the menu.
const MAX_LETTERS: usize = 48;

/// Field of the text with a menu that fills it, and the text as the model reads it.
#[component]
pub fn Text() -> impl IntoView {
    let (attention, workbench) = (expect_context::<Attention>(), expect_context::<Workbench>());
    let lines = move || {
        let document = workbench.text.document.get();
        lines(&document)
            .into_iter()
            .map(|(number, text)| view! { <option value=number.to_string()>{text}</option> })
            .collect_view()
    };
    view! {
        <section class="card" aria-labelledby="attention-line">
            <div class="card-head">
                <h2 id="attention-line">
                    <label for="attention-text">"Line to look at"</label>
                </h2>
                <label class="theme">
                    <span>"Take"</span>
                    <select
                        id="attention-from"
                        on:change=move |event| fill(attention, workbench, &event_target_value(&event))
                    >
                        <option value="" selected=true>"…"</option>
                        <option value="example">"the example"</option>
                        <option value="text">"the whole text of the workbench"</option>
                        {lines}
                    </select>
                </label>
            </div>
            <textarea
                id="attention-text"
                class="short"
                rows="2"
                spellcheck="false"
                autocomplete="off"
                prop:value=move || attention.typed.get()
                on:input=move |event| attention.typed.set(event_target_value(&event))
            ></textarea>
            <p id="attention-read" class="hint">
                {move || attention.read.with(told)}
            </p>
        </section>
    }
}

/// Puts the example, the workbench's text or one of its lines into the field.
fn fill(attention: Attention, workbench: Workbench, chosen: &str) {
    let document = workbench.text.document.get_untracked();
    let text = match chosen {
        "example" => Some(reading::EXAMPLE.to_owned()),
        "text" => Some(document.source.clone()),
        number => number.parse().ok().and_then(|number: usize| line(&document, number)),
    };
    if let Some(text) = text {
        attention.typed.set(text);
    }
}

fn told(read: &reading::ModelText) -> String {
    if read.text.is_empty() {
        return "Nothing here can be read as transliteration.".to_owned();
    }
    let rest = match read.left_out {
        0 => String::new(),
        count => {
            let lines = format::plural(count, "line is", "lines are");
            format!(" ({lines} left out: maps are drawn up to {} bytes)", reading::MAX_BYTES)
        }
    };
    format!("The model reads {} bytes{rest}: {}", format::count(read.text.len() as u64 + 1), read.text)
}

fn lines(document: &Document) -> Vec<(usize, String)> {
    let texts =
        document.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Text && !line.signs.is_empty());
    let shown = |number: usize| {
        let text = line(document, number)?;
        let short: String = text.chars().take(MAX_LETTERS).collect();
        Some((number, if short.len() < text.len() { short + "…" } else { short }))
    };
    texts.filter_map(|(number, _)| shown(number)).take(MAX_LINES).collect()
}

fn line(document: &Document, number: usize) -> Option<String> {
    let span = document.lines.get(number)?.span;
    document.source.get(span.start..span.end).map(|text| text.trim().to_owned())
}

/// Choice of the grouping of rows and columns.
#[component]
pub fn Grouping() -> impl IntoView {
    let attention = expect_context::<Attention>();
    let by = |cut: Cut, name: &'static str| {
        view! {
            <label>
                <input
                    type="radio"
                    name="attention-by"
                    value=cut_name(cut)
                    prop:checked=move || attention.cut.get() == cut
                    on:change=move |_| attention.group(cut)
                />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="models">
            <legend class="unseen">"Grouped by"</legend>
            {by(Cut::Bytes, "Bytes")}
            {by(Cut::Signs, "Signs")}
            {by(Cut::Words, "Words")}
        </fieldset>
    }
}

/// Menus of kind, layer and head.
#[component]
pub fn Choices() -> impl IntoView {
    let attention = expect_context::<Attention>();
    let seen = move || attention.seen[0].get();
    let layers = Memo::new(move |_| {
        seen().filter(|seen| seen.question.kind == attention.kind.get()).map_or(0, |seen| seen.layers)
    });
    let heads = Memo::new(move |_| seen().map_or(0, |seen| seen.heads));
    let reach = Memo::new(move |_| match attention.kind.get() {
        AttentionKind::Encoder => seen().map_or(0, |seen| seen.reach),
        AttentionKind::Cross | AttentionKind::Decoder => 0,
    });
    let kinds = [
        (AttentionKind::Encoder, "Encoder: from the text to itself"),
        (AttentionKind::Cross, "Cross: from the translation to the text"),
        (AttentionKind::Decoder, "Decoder: from the translation to its earlier part"),
    ];
    let kinds = kinds.map(|(kind, name)| {
        view! {
            <option value=kind_name(kind) prop:selected=move || attention.kind.get() == kind>
                {name}
            </option>
        }
    });
    view! {
        <div class="attention-choices">
            <label class="theme">
                <span>"Attention of the"</span>
                <select
                    id="attention-kind"
                    on:change=move |event| attention.choose_kind(kind_named(&event_target_value(&event)))
                >
                    {kinds.collect_view()}
                </select>
            </label>
            <label class="theme">
                <span>"Layer"</span>
                <select
                    id="attention-layer"
                    on:change=move |event| attention.layer.set(number(&event_target_value(&event)))
                >
                    {move || options(layers.get(), attention.layer, reach.get())}
                    <option value="all" prop:selected=move || attention.layer.get().is_none()>
                        "mean of all"
                    </option>
                </select>
            </label>
            <label class="theme">
                <span>"Head"</span>
                <select
                    id="attention-head"
                    on:change=move |event| attention.head.set(number(&event_target_value(&event)))
                >
                    <option value="all" prop:selected=move || attention.head.get().is_none()>
                        "mean of all"
                    </option>
                    {move || options(heads.get(), attention.head, 0)}
                </select>
            </label>
        </div>
    }
}

/// Returns the index that a number of a menu stands for; `None` for the mean of all.
fn number(value: &str) -> Option<usize> {
    value.parse::<usize>().ok().and_then(|number| number.checked_sub(1))
}

/// Returns options numbered from 1, at least up to the chosen one; the first `note` say that they have the bias.
fn options(count: usize, chosen: RwSignal<Option<usize>>, note: usize) -> impl IntoView {
    let count = count.max(chosen.get_untracked().map_or(1, |chosen| chosen + 1));
    let option = move |at: usize| {
        let name = format!("{}{}", at + 1, if at < note { ", with the bias" } else { "" });
        view! {
            <option value=(at + 1).to_string() prop:selected=move || chosen.get() == Some(at)>
                {name}
            </option>
        }
    };
    (0..count).map(option).collect_view()
}

/// Sliders for the strength of the bias; for a model without a bias, a sentence.
#[component]
pub fn Strengths() -> impl IntoView {
    let attention = expect_context::<Attention>();
    let bias = Memo::new(move |_| attention.has_bias());
    move || {
        if !bias.get() {
            return view! {
                <p id="attention-no-bias" class="band">
                    "This translator has no hyperbolic bias, so there is nothing to compare: its attention is shown \
                     as it is."
                </p>
            }
            .into_any();
        }
        view! {
            <div class="attention-choices">
                <Slider side=0 />
                <Slider side=1 />
            </div>
        }
        .into_any()
    }
}

#[component]
fn Slider(side: usize) -> impl IntoView {
    let attention = expect_context::<Attention>();
    let strength = attention.strengths[side];
    let own = Memo::new(move |_| attention.seen[0].get().and_then(|seen| seen.alpha).unwrap_or(0.1));
    let most = move || (4.0 * own.get().abs()).max(1.0);
    // A bias that has learnt to favour distant bytes has a negative strength.
    let least = move || if own.get() < 0.0 { -most() } else { 0.0 };
    let value = move || match strength.get() {
        Strength::Off => 0.0,
        Strength::Own => own.get(),
        Strength::Alpha(alpha) => alpha,
    };
    let moved = move |event: leptos::ev::Event| {
        if let Ok(alpha) = event_target_value(&event).parse::<f32>() {
            strength.set(if alpha != 0.0 { Strength::Alpha(alpha) } else { Strength::Off });
        }
    };
    let (id, name, button, label, back) = match side {
        0 => ("alpha-left", "α on the left", "alpha-off", "Off", Strength::Off),
        _ => ("alpha-right", "α on the right", "alpha-own", "As learnt", Strength::Own),
    };
    let told = move || match strength.get() {
        Strength::Off => "0, off".to_owned(),
        Strength::Own => format!("{:.3}, as learnt", own.get()),
        Strength::Alpha(alpha) => format!("{alpha:.3}"),
    };
    view! {
        <div class="slider">
            <label for=id>{name}</label>
            <input
                id=id
                type="range"
                min=move || least().to_string()
                max=move || most().to_string()
                step="0.005"
                prop:value=move || value().to_string()
                aria-valuetext=told
                on:input=moved
            />
            <output for=id class="figure">{told}</output>
            <button id=button type="button" class="quiet" on:click=move |_| strength.set(back)>
                {label}
            </button>
        </div>
    }
}
