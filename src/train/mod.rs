//! What training and evaluation stand on: reading the corpora, counting them, cutting them into sequences, augmenting them;
//! and the [`hierarchy`] of all that they write, from signs to phrases. Besides, the training of models of knowledge graphs
//! ([`graph`]), and names of gods, persons and places told apart ([`names`]), and dependency trees ([`treebank`]). Restorers are
//! fine-tuned by `restorer`, translators by `translator`, and small ones in two spaces are trained from nothing by `transformer`.
//!
//! The augmentations and their chance are in the room of texts, where the page has them too.
//! The corpora are files of signs, one line of a tablet per row ([`signs_row`]), and of pairs of a source and its translation.

pub mod counts;
pub mod descent;
#[cfg(feature = "compute")]
mod epochs;
pub mod graph;
pub mod hierarchy;
pub mod names;
#[cfg(feature = "cli")]
pub mod pairs_file;
#[cfg(feature = "compute")]
pub mod restorer;
#[cfg(feature = "cli")]
pub mod riemannian_adam;
#[cfg(feature = "compute")]
mod run_file;
pub mod sequences;
#[cfg(feature = "cli")]
pub mod signs_file;
pub mod signs_row;
#[cfg(feature = "cli")]
pub mod transformer;
#[cfg(feature = "compute")]
pub mod translator;
pub mod treebank;
