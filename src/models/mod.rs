//! Models on the page: what the browser keeps, what a hub offers, what is on its way, and the steps that a user can
//! take.

pub mod bias_copy;
pub mod bias_fields;
pub mod browser_storage;
pub mod deletion;
pub mod failure;
pub mod files;
pub mod here;
pub mod hub;
pub mod list;
pub mod offer;
pub mod page;
pub mod room;
pub mod state;
pub mod steps;
pub mod transfer;
pub mod usage;

pub use state::Models;
