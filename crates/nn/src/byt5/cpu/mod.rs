//! Writing on the CPU: one token of every row at a time, in plain memory.
//!
//! [`decoder`] holds the decoder's weights in plain memory, large ones in sixteen bits ([`quantised`]); [`attention`]
//! is its attention to the bytes written before and to the encoder's states; and [`step`] puts them together.

mod attention;
pub mod decoder;
mod quantised;
pub mod step;
