//! The page's side of the worker: messages, requests, the state of the models, and the device.

pub mod client;
pub mod device;
pub mod job;
pub mod model;
pub mod shared;
