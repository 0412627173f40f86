//! The masthead: name, device, colours, help.

use super::{device::DeviceButton, help::HelpButton};
use crate::app::theme::{Theme, use_theme};
use leptos::prelude::*;

/// The masthead.
#[component]
pub fn Header() -> impl IntoView {
    view! {
        <header class="masthead">
            <div class="brand">
                <span class="mark cuneiform" lang="akk-Xsux" aria-hidden="true">
                    "𒁾"
                </span>
                <div>
                    <h1>"Tuppum"</h1>
                    <p class="tagline">"Restores broken cuneiform transliterations, on your own machine"</p>
                </div>
            </div>
            <div class="tools">
                <DeviceButton />
                <ThemeMenu />
                <HelpButton />
            </div>
        </header>
    }
}

#[component]
fn ThemeMenu() -> impl IntoView {
    let theme = use_theme();
    let options = Theme::ALL.map(
        |option| view! { <option value=option.name() prop:selected=move || theme.get() == option>{option.label()}</option> },
    );
    view! {
        <label class="theme">
            <span>"Colours"</span>
            <select id="theme" on:change=move |event| theme.set(Theme::named(&event_target_value(&event)))>
                {options.collect_view()}
            </select>
        </label>
    }
}
