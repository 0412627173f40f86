//! Copies text to the clipboard and reports the outcome.

use crate::frame::notice::Notice;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Copies `text` and confirms it. If the browser refuses, the notice says why and what to do.
pub fn copy(workbench: Workbench, text: String, what: &'static str) {
    let Some(window) = web_sys::window() else { return };
    // Outside secure contexts there is no clipboard, and calling it would throw.
    if !window.is_secure_context() {
        workbench.notify(Notice::failure(format!(
            "{what} was not copied: browsers allow copying only on https pages and on this machine."
        )));
        return;
    }
    let promise = window.navigator().clipboard().write_text(&text);
    leptos::task::spawn_local(async move {
        let notice = match JsFuture::from(promise).await {
            Ok(_) => Notice::done(format!("{what} was copied.")),
            Err(error) => Notice::failure(format!(
                "{what} was not copied: {}. Select the text and press Ctrl+C instead.",
                crate::kit::storage::error_text(&error).trim_end_matches('.')
            )),
        };
        workbench.notify(notice);
    });
}

/// A list item with a copy button and its purpose.
pub fn copy_button(
    id: &'static str,
    name: &'static str,
    purpose: &'static str,
    press: Box<dyn Fn() + Send>,
) -> AnyView {
    view! {
        <li>
            <button id=id type="button" on:click=move |_| press()>
                {name}
            </button>
            <span class="hint">{purpose}</span>
        </li>
    }
    .into_any()
}
