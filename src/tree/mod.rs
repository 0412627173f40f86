//! The sign tree on the page: state, address, asset, drawing, export of pictures; a part of the tree that is learnt
//! live, and laid out on two planes.

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
