//! Writing with tensors, on a GPU and on every device that is not a plain CPU: one token of every row at a time.
//!
//! [`rows`] is the decoder's self-attention with its cache; [`step`] adds attention to the encoder's states and puts
//! the blocks together.

mod rows;
pub mod step;
