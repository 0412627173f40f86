//! The attention maps: the text, the requests to the engine, and the drawing of the answers.

pub mod address;
pub mod ask;
pub mod asking;
pub mod canvas;
pub mod distances;
pub mod maps;
pub mod opening;
pub mod page;
pub mod pictures;
pub mod reading;
pub mod row;
pub mod shares;
pub mod shown;
pub mod state;

pub use shown::Shown;
pub use state::{Attention, Side};
