//! Finds out if the page is used with fingers, so that its texts say “tap”.

use leptos::prelude::window;

/// Returns `true` if the main pointer is a finger: a phone, a tablet without a mouse.
pub fn is_coarse() -> bool {
    matches!(window().match_media("(pointer: coarse)"), Ok(Some(query)) if query.matches())
}
