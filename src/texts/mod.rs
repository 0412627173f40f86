//! Several texts at once: a shelf, on this device, from which each comes back to the workbench as it was left.

pub mod kept;
pub mod likeness;
pub mod list;
pub mod row;
pub mod state;
