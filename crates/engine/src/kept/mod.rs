//! Models that the user brings, from a hub or from files, kept in the browser's storage until the user deletes them.
//!
//! Each has a folder `tuppum/kept/<name>` with its files and a `record.json` that says where it comes from and which files
//! are whole. A file counts only once the record has its sha256. What is on its way from a hub has a record of its own,
//! `coming.json`; a part of a file is continued where it ended, as long as the server still has the same file.

mod copy;
mod fetch;
mod hub;
mod record;
mod shelves;
mod trained;
mod transfer;

pub use copy::copy;
pub use fetch::fetch;
pub use hub::ask;
pub use record::{Record, RecordedFile};
pub use shelves::{forget, list, memory};
pub use trained::keep_trained;

/// The files of a model that are read whole; no published one is longer.
const LONGEST_SHORT_FILE: usize = 8 << 20;
/// Memory beside the weights: the largest tensor while it is turned, the program, a translation of some length. Measured
/// with ByT5-small: 47 MB.
pub const BESIDE_THE_WEIGHTS: u64 = 150_000_000;
/// Golden numbers to test a device with, which our own models bring.
pub const GOLDEN: &str = "golden.safetensors";
/// The size of the model.
pub const CONFIG: &str = "config.json";

/// The lock that whoever writes this model must hold.
fn lock(name: &str) -> String {
    format!("tuppum-kept-{name}")
}
