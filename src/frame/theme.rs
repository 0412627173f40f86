//! The colour scheme: the system's, or one that the user chose.

use crate::kit::storage;
use leptos::prelude::*;

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
