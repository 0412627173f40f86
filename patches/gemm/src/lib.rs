//! Replaces the published crate `gemm` 0.19.0, through which burn's CPU computes every matrix product.
//!
//! In the browser it uses a kernel of ours: the published crate keeps twelve sums in registers, more than Chromium's
//! compiler has registers for, and reaches little more than half of what the machine can do. Natively the published
//! kernels are called as before. The patch can be removed once the published crate is as fast
//! (<https://github.com/sarah-quinones/gemm>, written November 2026); [`Packed`], the one item that the published crate
//! lacks, would then become a module of its own, or go.

#[cfg(any(test, target_family = "wasm"))]
mod blocks;
#[cfg(target_family = "wasm")]
mod chosen;
#[cfg(any(test, target_family = "wasm"))]
mod dots;
#[cfg(target_family = "wasm")]
mod in_browser;
#[cfg(any(test, target_family = "wasm"))]
mod kernel;
#[cfg(any(test, target_family = "wasm"))]
mod matrix;
#[cfg(not(target_family = "wasm"))]
mod natively;
#[cfg(any(test, target_family = "wasm"))]
mod packed;
#[cfg(any(test, target_family = "wasm"))]
mod product;
#[cfg(test)]
mod product_tests;

#[cfg(target_family = "wasm")]
pub use chosen::{RELAXED, slot, use_slot};
#[cfg(target_family = "wasm")]
pub use in_browser::{Parallelism, gemm};
#[cfg(not(target_family = "wasm"))]
pub use natively::{Packed, Parallelism, gemm};
#[cfg(target_family = "wasm")]
pub use packed::Packed;
