//! The page “Models”: models stored in the browser, models on a hub, transfers, and the actions of the user.

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
