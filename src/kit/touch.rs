//! Whether the page is used with fingers, so that it speaks of them.

use leptos::prelude::window;

/// Whether what points best here is a finger: a phone, a tablet without a mouse.
pub fn is_coarse() -> bool {
    matches!(window().match_media("(pointer: coarse)"), Ok(Some(query)) if query.matches())
}
