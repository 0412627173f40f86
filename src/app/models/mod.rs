//! Models on the page: what the browser keeps, what a hub offers, what is on its way, and the steps that a user can take.

pub mod browser_storage;
mod state;
mod steps;

pub use state::{Deletion, Models, Transfer};
