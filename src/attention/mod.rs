//! The attention maps: the text, the requests to the engine, and the drawing of the answers.

pub mod address;
pub mod canvas;
pub mod controls;
pub mod drawn_maps;
pub mod maps;
pub mod page;
pub mod reading;
pub mod state;
pub mod tables;

pub use drawn_maps::DrawnMaps;
pub use state::{Attention, Side};
