//! Models in the browser's storage, fetched from a hub or imported from files, until the user deletes them.
//!
//! Each has a folder `tuppum/kept/<name>` with its files and a `record.json` that says where it comes from and which
//! files are whole. A file counts only once the record has its sha256. What is on its way from a hub has a record of
//! its own, `coming.json`; a part of a file is continued where it ended, as long as the server still has the same file.

mod claim;
mod fetch;
mod hub;
mod import;
mod list;
mod transfer;

pub use claim::claim_free;
pub use fetch::fetch;
pub use hub::ask;
pub use import::import;
pub use list::{delete, delete_shipped, list};
