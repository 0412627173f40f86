//! The sign tree on the page: its state and steps, its address, its asset, its drawing on the canvas, its pictures to keep; a
//! part of it that is learnt live.

pub mod address;
pub mod canvas;
pub mod load;
pub mod motion;
pub mod part;
pub mod pictures;
pub mod state;

pub use load::{Loaded, Script};
pub use state::SignTree;
