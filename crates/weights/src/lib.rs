//! Weights: reads safetensors and PyTorch files tensor by tensor, writes safetensors, and checks the folders that they
//! come in.
//!
//! A model folder has `manifest.json` ([`Manifest`]), `config.json`, `vocab.json`, `restorer.safetensors`,
//! `golden.safetensors` and a card, `README.md`. Bytes come from a [`Source`], so that a tab can read from its own
//! storage and the command line from a file.

#![warn(missing_docs)]

mod error;
mod folders;
mod golden;
pub mod hub;
pub mod index;
mod load;
mod manifest;
pub mod safetensors;
pub mod storage;
pub mod tensors;
pub mod torch_file;
mod translator;
pub mod translator_files;
pub mod write;

pub use error::{EncodingError, WeightsError};
pub use folders::{Model, open_folder, open_translator};
pub use golden::{read_golden, read_translator_golden};
pub use load::{check_torso, load_torso, read_vocabulary};
pub use manifest::{Checksum, FileEntry, Manifest};
pub use storage::{FileSource, MemorySource, Source, SourceError};
pub use translator::ByT5Loader;
pub use translator_files::load_byt5;
