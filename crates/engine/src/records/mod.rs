//! Records in the browser's storage, of models and of checkpoints: plain data, which says what is complete.

pub mod checkpoint;
pub mod model;
pub mod names;
