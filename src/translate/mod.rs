//! Translation of the text on the workbench: settings, jobs, stored translations with the user's changes, the card and
//! its exports.

pub mod export;
pub mod state;
pub mod view;
pub mod workers;

pub use state::Translating;
