//! Tuppum: restore, translate and study broken cuneiform transliterations.
//!
//! Rooms, from the ground up (a lower room never imports a higher one; `tests/layering.rs` holds this):
//! `text` → `signs` → `geometry` → `plot` → `model` → `weights` → `train` → `eval` → `engine` → `app`.

#[cfg(feature = "page")]
pub mod app;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod eval;
pub mod geometry;
pub mod model;
pub mod plot;
pub mod signs;
pub mod text;
pub mod train;
#[cfg(feature = "compute")]
pub mod weights;
