//! The colour scheme: the system's, or the one that the user chose.

use crate::kit::storage;
use leptos::prelude::*;

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark letters on light ground.
    Light,
    /// Light letters on dark ground.
    Dark,
}

impl Theme {
    /// All schemes in the order of the menu.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// The name in storage and in the stylesheet.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The name in the menu.
    pub fn label(self) -> &'static str {
        match self {
            Theme::System => "As the system",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }

    /// The scheme with this name; the system's for any other.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|theme| theme.name() == name).unwrap_or_default()
    }
}

/// The scheme in use; a change is shown at once and stored.
pub fn use_theme() -> RwSignal<Theme> {
    let stored: Option<String> = storage::stored(storage::THEME);
    let theme = RwSignal::new(Theme::named(&stored.unwrap_or_default()));
    Effect::new(move |before: Option<Theme>| {
        let now = theme.get();
        if let Some(root) = document().document_element() {
            // Setting an attribute of a valid name cannot fail.
            let _ = root.set_attribute("data-theme", now.name());
        }
        if before.is_some_and(|before| before != now) {
            // A browser that keeps nothing has been reported where the work is stored.
            let _ = storage::store(storage::THEME, &now.name());
        }
        now
    });
    theme
}
