//! The sign tree on the page: state, address, drawing, export of pictures; a part of the tree that is learnt live, and
//! laid out on two planes.

pub mod address;
pub mod canvas;
pub mod details;
pub mod disk;
pub mod find;
pub mod live_tree;
pub mod motion;
pub mod page;
pub mod part;
pub mod planes;
pub mod points;
pub mod state;

pub use state::{Loaded, Script, SignTree};
