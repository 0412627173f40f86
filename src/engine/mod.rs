//! The worker: the only place where burn meets the browser.
//!
//! `protocol` is plain data and known to both sides; the rest is behind the feature `engine`.

pub mod protocol;
