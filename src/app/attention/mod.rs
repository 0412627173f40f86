//! The attention maps on the page: the text that is looked at, what is asked of the engine, what is drawn from the answer.

pub mod address;
mod ask;
pub mod canvas;
pub mod pictures;
pub mod reading;
pub mod shown;
pub mod state;

pub use ask::Opening;
pub use shown::Shown;
pub use state::{Attention, Side};
