//! What is asked of the models and how it is searched for, without tensors, so that the page can speak of questions and
//! answers without linking burn.
//!
//! A model is known only as something that scores masked rows ([`restoration`]) or next bytes ([`generation`]); plans
//! of training lie beside the task that they train.

// Names say what most items are; comments add what names do not.
#![allow(missing_docs)]

pub mod archive;
pub mod attested;
pub mod attribution;
pub mod dependencies;
pub mod error;
pub mod formulary;
pub mod generation;
pub mod gloss;
pub mod memory;
pub mod names;
pub mod restoration;
pub mod training;
pub mod translation;
