//! Writing on the CPU: one token of every row at a time, in plain memory.
//!
//! [`decoder`] holds the decoder's weights in plain memory, large ones in sixteen bits ([`quantised`]); [`rows`] and
//! [`sources`] are its self-attention and its attention to the encoder's states, both with the loops of [`heads`]; and
//! [`step`] puts them together.

pub mod decoder;
mod heads;
mod quantised;
mod rows;
mod sources;
pub mod step;
