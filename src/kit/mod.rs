//! Small tools for any part of the page: dialogs, files, formats, storage, timing. Nothing here imports from the rest
//! of the page.

pub mod colours;
pub mod dialog;
pub mod entries;
pub mod files;
pub mod format;
pub mod interaction;
pub mod later;
pub mod number_field;
pub mod storage;
pub mod timing;
