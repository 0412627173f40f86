//! The masthead: name, views, device, colour scheme, help.

use crate::engine::device::DeviceButton;
use crate::frame::help::HelpButton;
use crate::frame::page::Page;
use crate::frame::visit;
use crate::kit::storage;
use crate::restore::state::Workbench;
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

/// Colour scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's scheme.
    #[default]
    System,
    /// Dark letters on a light ground.
    Light,
    /// Light letters on a dark ground.
    Dark,
}

impl Theme {
    /// All schemes in the order of the menu.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// Returns the name in storage and in the stylesheet.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// Returns the name in the menu.
    pub fn label(self) -> &'static str {
        match self {
            Theme::System => "As the system",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }

    /// Returns the scheme with this name; the system's for any other name.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|theme| theme.name() == name).unwrap_or_default()
    }
}

/// Returns the scheme in use. A change takes effect at once and is stored.
pub fn use_theme() -> RwSignal<Theme> {
    let stored: Option<String> = storage::stored(storage::THEME);
    let theme = RwSignal::new(Theme::named(&stored.unwrap_or_default()));
    Effect::new(move |before: Option<Theme>| {
        let now = theme.get();
        if let Some(root) = document().document_element() {
            // Setting an attribute with a valid name cannot fail.
            let _ = root.set_attribute("data-theme", now.name());
        }
        if before.is_some_and(|before| before != now) {
            // If the browser refuses storage, storing the work reports it.
            let _ = storage::store(storage::THEME, &now.name());
        }
        now
    });
    theme
}
