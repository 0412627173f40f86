//! The page “Models”: models stored in the browser, models on a hub, transfers, and the actions of the user.

pub mod availability;
pub mod bias;
pub mod disk_usage;
pub mod import;
pub mod list;
pub mod offer;
pub mod page;
pub mod state;
pub mod steps;

pub use state::Models;
