//! Failures, worded for the user: one constructor per cause.

mod general;
mod model;
mod storage;
mod stored;
mod training;

pub use self::general::*;
pub use self::model::*;
pub use self::storage::*;
pub use self::stored::*;
pub use self::training::*;
