//! The models and what is asked of them.
//!
//! `restoration` is plain data and search over any scorer of masks, free of tensors, so that the page can speak of
//! questions and answers without linking burn; everything with tensors is behind the feature `compute`.

pub mod restoration;
#[cfg(feature = "compute")]
pub mod torso;
