//! Restoring on the page: the text as typed and as read, its gaps, proposals for them, and accepted readings.

pub mod export;
pub mod state;
pub mod view;
