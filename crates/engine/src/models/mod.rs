//! The models: their files, the device that they are opened on, and their use.
//!
//! A model in the browser's storage, fetched from a hub or imported from files, stays there until the user deletes it.
//! It has a folder `tuppum/kept/<name>` with its files and a `record.json` that names its origin and its complete
//! files. A file counts only once the record has its sha256. A model that is being fetched from a hub has a separate
//! record, `coming.json`; a partial file is continued where it ended, as long as the server still has the same file.

pub(crate) mod corpora;
pub mod device;
pub(crate) mod hub;
pub(crate) mod import;
pub(crate) mod opening;
pub(crate) mod restorer;
pub(crate) mod stored_models;
pub(crate) mod translator;
pub(crate) mod translator_files;
