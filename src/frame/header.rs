//! The masthead: name, views, device, colour scheme, help.

use super::help::HelpButton;
use crate::engine::device::DeviceButton;
use crate::frame::theme::{Theme, use_theme};
use crate::frame::visit;
use crate::restore::state::{Page, Workbench};
use leptos::prelude::*;

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
                    <p class="tagline">"For broken cuneiform texts, on your own machine"</p>
                </div>
            </div>
            <Views />
            <div class="tools">
                <DeviceButton />
                <ThemeMenu />
                <HelpButton />
            </div>
        </header>
    }
}

/// Links to the views.
#[component]
fn Views() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let link = move |page: Page, address: &'static str, name: &'static str| {
        let go = move |event: leptos::ev::MouseEvent| {
            // With a key held, the browser opens the link elsewhere.
            if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                event.prevent_default();
                visit::show(workbench, page);
            }
        };
        let current = move || (workbench.page.get() == page).then_some("page");
        view! {
            <a href=address aria-current=current on:click=go>
                {name}
            </a>
        }
    };
    view! {
        <nav class="views" aria-label="Views">
            {link(Page::Workbench, "#v=1", "Workbench")} {link(Page::Tree, "#view=tree", "Sign tree")}
            {link(Page::Attention, "#view=attention", "Attention")} {link(Page::Learn, "#view=learn", "Learn")}
            {link(Page::Train, "#view=train", "Train")} {link(Page::Models, "#view=models", "Models")}
        </nav>
    }
}

#[component]
fn ThemeMenu() -> impl IntoView {
    let theme = use_theme();
    let options = Theme::ALL.map(|option| {
        view! {
            <option value=option.name() prop:selected=move || theme.get() == option>
                {option.label()}
            </option>
        }
    });
    view! {
        <label class="theme">
            <span>"Colours"</span>
            <select id="theme" on:change=move |event| theme.set(Theme::named(&event_target_value(&event)))>
                {options.collect_view()}
            </select>
        </label>
    }
}
