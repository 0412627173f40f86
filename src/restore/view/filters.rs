//! Fields for what the user knows about a gap: visible traces, word boundary, length.

use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{Boundary, GapChoice};
use tuppum_text::SignIndex;

/// The fields for one gap. Each change asks again.
#[component]
pub fn Filters(
    sign: SignIndex,
    /// `true` if the gap is a break of unknown length.
    is_break: bool,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let choice = Memo::new(move |_| workbench.text.work.with(|work| work.choice(sign)));
    let change = move |change: &dyn Fn(&mut GapChoice)| {
        let mut changed = choice.get_untracked();
        change(&mut changed);
        workbench.choose(changed);
    };
    view! {
        <fieldset class="filters">
            <legend>"What is known"</legend>
            <label>
                "Starts with"
                <input
                    id="starts-with"
                    type="text"
                    size="5"
                    spellcheck="false"
                    autocapitalize="off"
                    prop:value=move || choice.get().traces.starts_with
                    on:input=move |event| change(&|choice| choice.traces.starts_with = event_target_value(&event))
                />
            </label>
            <label>
                "Contains"
                <input
                    id="contains"
                    type="text"
                    size="5"
                    spellcheck="false"
                    autocapitalize="off"
                    prop:value=move || choice.get().traces.contains
                    on:input=move |event| change(&|choice| choice.traces.contains = event_target_value(&event))
                />
            </label>
            <LogogramMenu choice on_choose=move |value| change(&|choice| choice.traces.logogram = value) />
            <BoundaryMenu choice on_choose=move |value| change(&|choice| choice.boundary = value) />
            {is_break.then(|| {
                view! { <LengthMenu choice on_choose=move |value| change(&|choice| choice.length = value) /> }
            })}
        </fieldset>
    }
}

#[component]
fn LogogramMenu(
    /// Present choice for the gap.
    choice: Memo<GapChoice>,
    /// Called with the option that the user chose.
    on_choose: impl Fn(Option<bool>) + 'static,
) -> impl IntoView {
    let option = move |value: &'static str, wanted: Option<bool>, label: &'static str| {
        view! {
            <option value=value prop:selected=move || choice.get().traces.logogram == wanted>
                {label}
            </option>
        }
    };
    let choose = move |event| {
        on_choose(match event_target_value(&event).as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        });
    };
    view! {
        <label>
            "Logogram"
            <select id="logogram" on:change=choose>
                {option("any", None, "any")}
                {option("yes", Some(true), "yes")}
                {option("no", Some(false), "no")}
            </select>
        </label>
    }
}

#[component]
fn BoundaryMenu(
    /// Present choice for the gap.
    choice: Memo<GapChoice>,
    /// Called with the option that the user chose.
    on_choose: impl Fn(Boundary) + 'static,
) -> impl IntoView {
    let option = move |value: &'static str, wanted: Boundary, label: &'static str| {
        view! {
            <option value=value prop:selected=move || choice.get().boundary == wanted>
                {label}
            </option>
        }
    };
    let choose = move |event| {
        on_choose(match event_target_value(&event).as_str() {
            "start" => Boundary::WordStart,
            "inside" => Boundary::Inside,
            _ => Boundary::Unknown,
        });
    };
    view! {
        <label title="Editors often print x as a word of its own, whatever sign was there">
            "Word"
            <select id="boundary" on:change=choose>
                {option("unknown", Boundary::Unknown, "as typed")}
                {option("start", Boundary::WordStart, "begins here")}
                {option("inside", Boundary::Inside, "goes on")}
            </select>
        </label>
    }
}

#[component]
fn LengthMenu(
    /// Present choice for the gap.
    choice: Memo<GapChoice>,
    /// Called with the length that the user chose.
    on_choose: impl Fn(Option<usize>) + 'static,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let longest = workbench.text.work.with_untracked(|work| work.longest);
    let option = move |length: usize| {
        view! {
            <option value=length.to_string() prop:selected=move || choice.get().length == Some(length)>
                {crate::kit::format::plural(length, "sign", "signs")}
            </option>
        }
    };
    view! {
        <label>
            "Length"
            <select id="length" on:change=move |event| on_choose(event_target_value(&event).parse().ok())>
                <option value="" prop:selected=move || choice.get().length.is_none()>
                    "unknown"
                </option>
                {(1..=longest).map(option).collect_view()}
            </select>
        </label>
    }
}
