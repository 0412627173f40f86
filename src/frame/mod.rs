//! The frame of the page: masthead, help, colour scheme, address, notices, and the visit from beginning to end.

pub mod address;
pub mod clipboard;
pub mod failure;
pub mod header;
pub mod help;
pub mod keys;
pub mod notice;
pub mod page;
pub mod progress;
pub mod updates;
pub mod visit;
