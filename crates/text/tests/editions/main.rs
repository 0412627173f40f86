//! Tests on texts as editions have them.
#![allow(clippy::unwrap_used)] // golden files and fragments that cannot be read are a failure

mod conventions;
mod ebl;
mod glyphs;
