//! The page's side of the worker: messages, what is asked, the models that are open, and the device that computes.

pub mod client;
pub mod device;
pub mod job;
pub mod model;
pub mod received;
pub mod shared;
