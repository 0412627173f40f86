//! Models in the browser's storage, fetched from a hub or imported from files, until the user deletes them.
//!
//! Each model has a folder `tuppum/kept/<name>` with its files and a `record.json` that names its origin and its
//! complete files. A file counts only once the record has its sha256. A model that is being fetched from a hub has a
//! separate record, `coming.json`; a partial file is continued where it ended, as long as the server still has the same
//! file.

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
