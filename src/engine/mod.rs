//! The page's side of the worker: messages, and the device that computes.

pub mod client;
pub mod device;
