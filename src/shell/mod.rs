//! The frame of the page: masthead, help, colours, address, what the browser keeps, and the parts that are fetched
//! later.

pub mod address;
pub mod clipboard;
pub mod colours;
pub mod dialog;
pub mod downloads;
pub mod entries;
pub mod failure;
pub mod fetch;
pub mod file;
pub mod focus;
pub mod folding;
pub mod format;
pub mod header;
pub mod help;
pub mod help_text;
pub mod json;
pub mod keys;
pub mod later;
pub mod live;
pub mod notice;
pub mod number_field;
pub mod progress;
pub mod storage;
pub mod theme;
pub mod timing;
pub mod touch;
pub mod update;
pub mod updates;
pub mod visit;
pub mod wheel;
