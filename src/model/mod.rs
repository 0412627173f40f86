//! The models and what is asked of them.
//!
//! `restoration`, `generation` and `translation` are plain data and search over any scorer, free of tensors, so that the page can speak of
//! questions and answers without linking burn; everything with tensors is behind the feature `compute`.

#[cfg(feature = "compute")]
pub mod byt5;
#[cfg(feature = "compute")]
pub mod dropout;
#[cfg(feature = "compute")]
pub mod exponential;
pub mod generation;
pub mod hybonet;
#[cfg(feature = "compute")]
mod norm;
#[cfg(feature = "compute")]
pub mod pace;
#[cfg(feature = "compute")]
pub mod parameters;
pub mod restoration;
#[cfg(feature = "compute")]
pub(crate) mod softmax;
#[cfg(feature = "compute")]
pub mod tensors;
#[cfg(feature = "compute")]
pub mod torso;
pub mod training;
pub mod translation;
