//! Translation of the text on the workbench: settings, jobs, stored translations with the user's changes, the card and
//! its exports.

pub mod ahead;
pub mod alternatives;
pub mod ask;
pub mod doubt;
pub mod edit;
pub mod export;
pub mod finished;
#[cfg(all(test, not(target_family = "wasm")))]
mod fuzz_tests;
pub mod held_back;
pub mod labels;
pub mod lemma;
pub mod name_element;
pub mod names;
pub mod names_view;
pub mod own_names;
pub mod page;
pub mod passage;
pub mod plan;
pub mod published;
pub mod rendering;
pub mod session;
pub mod settings;
pub mod settings_view;
pub mod shelf;
pub mod shipped;
pub mod side_by_side;
pub mod standing;
pub mod state;
pub mod stored_shelf;
pub mod take;
pub mod tei;
#[cfg(test)]
mod tei_round_trip;
mod tei_sign;
#[cfg(test)]
mod toy;
pub mod translator_choice;
pub mod typed;
pub mod version;
pub mod warnings;
pub mod words;
pub mod workers;
pub mod writing;
pub mod xml;

pub use state::Translating;
