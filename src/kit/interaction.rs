//! Interaction with elements: focus, folding, fingers, and zoom by a wheel.
//!
//! A plain turn of a wheel scrolls the page. With Ctrl or ⌘ held a turn zooms, and so does a pinch on a trackpad, which
//! browsers report as a turn with Ctrl.

use leptos::ev::WheelEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// Focuses the first element that the selector matches.
pub fn focus_first(selector: &str) {
    let first = document().query_selector(selector).ok().flatten();
    if let Some(first) = first.and_then(|first| first.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Elements of the page that are asked for here can be focused.
        let _ = first.focus();
    }
}

/// Returns `true` if the `details` element of a toggle event is open.
pub fn is_opened(event: &Event) -> bool {
    event_target::<Element>(event).has_attribute("open")
}

/// Returns `true` if the main pointer is a finger: a phone, a tablet without a mouse.
pub fn is_coarse() -> bool {
    matches!(window().match_media("(pointer: coarse)"), Ok(Some(query)) if query.matches())
}

/// Zoom factor of one wheel notch, or of one press on a key or button.
pub const NOTCH: f64 = 1.3;
/// Pixels in a notch. Where a browser counts lines or pages, each is one notch.
const PIXELS_PER_NOTCH: f64 = 100.0;
/// Maximum notches of one event.
const MAX_NOTCHES: f64 = 3.0;

/// Returns the zoom factor of a turn; `None` if the turn scrolls the page. A zooming event is not passed on to the
/// browser.
pub fn zoom(event: &WheelEvent) -> Option<f64> {
    let factor = factor(event.ctrl_key() || event.meta_key(), event.delta_mode() == 0, event.delta_y())?;
    event.prevent_default();
    Some(factor)
}

fn factor(held: bool, in_pixels: bool, turned: f64) -> Option<f64> {
    let notches = if in_pixels { turned / PIXELS_PER_NOTCH } else { turned.signum() };
    held.then(|| NOTCH.powf(-notches.clamp(-MAX_NOTCHES, MAX_NOTCHES)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_turn_is_the_pages() {
        for turned in [-300.0, -1.0, 1.0, 300.0] {
            assert_eq!(factor(false, true, turned), None, "{turned}");
        }
    }

    #[test]
    fn a_notch_back_undoes_a_notch() {
        let [near, far] = [-100.0, 100.0].map(|turned| factor(true, true, turned).unwrap());
        // The tolerance covers the rounding of one power and its inverse.
        assert!((near - NOTCH).abs() < 1e-12 && (near * far - 1.0).abs() < 1e-12, "{near} {far}");
        assert_eq!(factor(true, false, -3.0), factor(true, true, -100.0), "three lines are a notch");
        assert_eq!(factor(true, true, -1e9), factor(true, true, -300.0), "no leap");
    }
}
