//! The translation of the text on the workbench: what is asked, what was found, what the user made of it.
//!
//! Plain logic is in `settings`, `rendering` (one passage), `shelf` (all that is kept), `plan` (what of a text is still to be
//! translated), `names`, `labels` (of lines), `export` and `tei`; `state` and `session` are the signals and the talk with the engine.

pub mod export;
pub mod labels;
pub mod names;
pub mod plan;
pub mod rendering;
pub mod session;
pub mod settings;
pub mod shelf;
pub mod state;
pub mod tei;
#[cfg(test)]
mod toy;
mod xml;

pub use state::Translating;
