//! Weights: reads safetensors and PyTorch files tensor by tensor, writes safetensors, and checks the folders that they
//! come in.
//!
//! A model folder has `manifest.json` ([`Manifest`]), `config.json`, `vocab.json`, `restorer.safetensors`,
//! `golden.safetensors` and a card, `README.md`. Bytes come from a [`Source`], so that a tab can read from its own
//! storage and the command line from a file.

mod error;
mod folder;
mod golden;
pub mod hub;
pub mod index;
mod load;
mod manifest;
pub mod safetensors;
pub mod sink;
mod source;
mod source_file;
pub mod tensors;
pub mod torch_file;
mod translator;
pub mod translator_files;
mod translator_folder;
mod translator_golden;
pub mod write;

pub use error::{EncodingError, WeightsError};
pub use folder::{Model, open_folder};
pub use golden::read_golden;
pub use load::{check_torso, load_torso, read_vocabulary};
pub use manifest::{Checksum, FileEntry, Manifest};
pub use source::{MemorySource, Source, SourceError};
pub use source_file::FileSource;
pub use translator::ByT5Loader;
pub use translator_files::load_byt5;
pub use translator_folder::open_translator;
pub use translator_golden::read_translator_golden;
