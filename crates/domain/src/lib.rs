//! Questions to the models, their answers and the search between them. There are no tensors, so that the page can use
//! these types without linking burn.
//!
//! A model is known only as something that scores masked rows ([`restoration`]) or next bytes ([`generation`]); plans
//! of training are beside the task that they train.

pub mod archive;
pub mod attested;
pub mod dependencies;
pub mod error;
pub mod formulary;
pub mod generation;
pub mod gloss;
pub mod names;
pub mod restoration;
pub mod training;
pub mod training_memory;
pub mod translation;
