//! The sign tree on the page: its state and steps, its address, its asset, its drawing on the canvas, its pictures to
//! keep; a part of it that is learnt live, and laid out on two planes.

pub mod address;
pub mod ancestors;
pub mod canvas;
pub mod details;
pub mod disk;
pub mod find;
pub mod known;
pub mod load;
pub mod motion;
pub mod page;
pub mod part;
pub mod pictures;
pub mod planes;
pub mod points;
pub mod settle;
pub mod state;
pub mod table;
pub mod tools;

pub use load::{Loaded, Script};
pub use state::SignTree;
