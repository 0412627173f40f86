//! Whether trees can be read off the states of an encoder.

mod drawn;
mod encoders;
pub mod sign_tree;
pub mod trees;
