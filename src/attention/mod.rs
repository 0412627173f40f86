//! The attention maps: the text, the requests to the engine, and the drawing of the answers.

pub mod address;
pub mod canvas;
pub mod controls;
pub mod maps;
pub mod page;
pub mod reading;
pub mod shown;
pub mod state;
pub mod tables;

pub use shown::Shown;
pub use state::{Attention, Side};
