//! The sign tree on the page: its state and steps, its address, its asset, its drawing on the canvas, its pictures to keep.

pub mod address;
pub mod canvas;
pub mod load;
pub mod motion;
pub mod pictures;
pub mod state;

pub use load::{Loaded, Script};
pub use state::SignTree;
