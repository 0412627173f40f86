//! The Transformer that translates, encoder and decoder, in two spaces: on Lorentz's hyperboloid with the layers of
//! this room, and in Euclid's space as it is usually built (Vaswani et al., "Attention is all you need", 2017,
//! <https://arxiv.org/abs/1706.03762>), to compare with.
//!
//! [`TransformerSettings`] says which space and how large; [`Transformer`] reads rows of tokens and scores what may
//! follow, in either space by the same code but for its layers. Its tokens are bytes as ByT5 has them (`text::bytes`).
//! [`translate`] asks it for translations. [`Transformer::states`] gives what its encoder makes of a text, layer by
//! layer.
//!
//! Where we depart from the paper's published programs is said in `docs/hybonet.md`.

mod decoding;
mod error;
mod euclidean_layer;
mod fresh;
mod layer;
mod lorentz_layer;
mod model;
mod rows;
mod settings;
mod tensors;

pub use decoding::{TransformerDecoding, translate};
pub use error::TransformerError;
pub use model::{Transformer, TransformerMemory};
pub use settings::{Space, TransformerSettings};

#[cfg(test)]
mod gradient_tests;
#[cfg(test)]
mod tests;
