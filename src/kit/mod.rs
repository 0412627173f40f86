//! Small tools for any part of the page: dialogs, files, formats, storage, timing. Nothing here imports from the rest
//! of the page.

pub mod colours;
pub mod dialog;
pub mod downloads;
pub mod entries;
pub mod fetch;
pub mod file;
pub mod focus;
pub mod folding;
pub mod format;
pub mod json;
pub mod later;
pub mod number_field;
pub mod storage;
pub mod timing;
pub mod touch;
pub mod wheel;
