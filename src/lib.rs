//! The page: a workbench on which a transliteration is typed and read, its gaps restored and the text translated, with
//! views of the sign tree, of attention, of training and of the models beside it.
//!
//! Each folder is a feature, with its state and its views side by side; `frame` is what stands around them, `kit` holds
//! small things that know nothing of this application, and `engine` talks to the worker, by messages only. What tests
//! may rely on in the page stands in `tests/browser/README.md`.

mod app;
mod attention;
pub mod corpora;
pub mod engine;
mod frame;
mod kit;
mod learn;
mod models;
mod parts;
mod restore;
mod texts;
mod train;
mod translate;
mod tree;

pub use app::App;

/// Puts the page into the document's body, in place of what stands there while the page loads.
pub fn mount() {
    console_error_panic_hook::set_once();
    if let Some(waiting) = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("loading"))
    {
        waiting.remove();
    }
    leptos::mount::mount_to_body(App);
}
