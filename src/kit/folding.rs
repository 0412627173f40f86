//! State of foldable elements, whose content is drawn only while they are open.

use leptos::prelude::event_target;
use web_sys::{Element, Event};

/// Returns `true` if the `details` element of a toggle event is open.
pub fn is_opened(event: &Event) -> bool {
    event_target::<Element>(event).has_attribute("open")
}
