//! The Transformer that translates, encoder and decoder, in two spaces: on Lorentz's hyperboloid with the layers of
//! this crate, and in Euclid's space as it is usually built (Vaswani et al., "Attention is all you need", 2017,
//! <https://arxiv.org/abs/1706.03762>), to compare with.
//!
//! [`TransformerSettings`] says which space and how large; [`Transformer`] reads rows of tokens and scores what may
//! follow, in either space by the same code but for its layers. Its tokens are bytes as ByT5 has them (`text::bytes`).
//! [`translate`] asks it for translations. [`Transformer::states`] gives what its encoder makes of a text, layer by
//! layer.
//!
//! Where the paper's equations, its published programs and this crate differ, [`TransformerForms`] chooses; what each
//! choice is, and what departs without a choice, is said in `docs/hybonet.md`.

mod decoding;
mod forms;
mod fresh;
mod hyperbolic_matching;
mod layer;
mod model;
mod settings;
mod tensors;

pub use crate::error::TransformerError;
pub use decoding::{TransformerDecoding, translate};
pub use forms::{
    AttentionScale, ChoiceError, ControlAttention, Initialisation, LinearLayers, Positions, Residual, TransformerForms,
};
pub use model::{Transformer, TransformerMemory};
pub use settings::{Space, TransformerSettings};

#[cfg(test)]
mod forms_tests;
#[cfg(test)]
mod gradient_tests;
#[cfg(test)]
mod tests;
