//! What is folded: some of it is drawn only while it is unfolded.

use leptos::prelude::event_target;
use web_sys::{Element, Event};

/// Whether a `details` element is open after it was opened or closed.
pub fn is_opened(event: &Event) -> bool {
    event_target::<Element>(event).has_attribute("open")
}
