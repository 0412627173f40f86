//! The page: a workbench for typing and reading transliterations, restoring their gaps and translating them, with views
//! of the sign tree, of attention, of lessons, of training and of the models.
//!
//! Each folder is a feature with its state and its views. `frame` holds what stands around them, `kit` small tools that
//! know nothing of this application, and `engine` talks to the worker, by messages only. `tests/browser/README.md`
//! lists what tests may rely on.

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

/// Mounts the page in the document's body and removes the loading message.
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
