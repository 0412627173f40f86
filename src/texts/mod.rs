//! The shelf: several texts, stored on this device, each of which returns to the workbench as it was left.

pub mod kept;
pub mod likeness;
pub mod list;
pub mod row;
pub mod state;
