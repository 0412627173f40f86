//! The browser's storage, and the files that come into it over the network.

pub mod fetch;
pub(crate) mod folder;
pub mod lock;
pub(crate) mod own_archives;
pub mod store;
