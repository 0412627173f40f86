//! Fully hyperbolic networks in Lorentz's model: layers whose inputs and outputs lie on the hyperboloid. None goes
//! through a tangent space, except in a control (Chen et al., "Fully Hyperbolic Neural Networks", ACL 2022,
//! <https://arxiv.org/abs/2105.14686>; "the paper" in this crate).
//!
//! A point of dimension n has n + 1 coordinates along the last axis of its tensor, the time-like one first, and ⟨x, x⟩
//! = -x₀y₀ + x₁y₁ + … = 1/K with K < 0. Every layer ends by computing the time-like coordinate from the space-like
//! ones, so rounding never leads off the hyperboloid. No layer reads a tensor, so all of them run on WebGPU as on the
//! processor.
//!
//! - [`Lorentz`]: products, distances, exponential and logarithmic map, transport, boosts, rotations, sums of points,
//!   positions, centroid (Eq. 4), concatenation of heads;
//! - [`LorentzLinear`]: the linear layer (Eq. 1) with activation, dropout, bias and normalisation (Eq. 3, Eq. 9, or as
//!   published), the residual inside it (Eq. 7), and as a control the layer by the tangent space (Eq. 2);
//! - [`LorentzAttention`]: attention by squared distance with several heads (Eq. 5 and 6);
//! - [`neighbours`]: the graph layer, links and kinds by distance; [`nodes`]: networks of such layers;
//! - [`transformer`]: encoder and decoder that translate, and Euclidean ones to compare with;
//! - [`graph`]: scores of the triples of a knowledge graph, without tensors.

#![warn(missing_docs)]

mod attention;
pub mod error;
pub mod graph;
pub mod graph_training;
mod linear;
mod linear_settings;
pub mod links;
mod lorentz;
pub mod neighbours;
pub mod nodes;
pub mod ranks;
pub mod riemannian_adam;
pub mod transformer;
pub mod transformer_weights;

pub use attention::{AttentionSettings, LorentzAttention, attend, attention_weights};
pub use linear::{LorentzLinear, Normalisation};
pub use linear_settings::{Activation, LinearForm, LinearSettings};
pub use lorentz::{CurvatureError, Lorentz};

#[cfg(test)]
mod equation_tests;
#[cfg(test)]
mod gradient_tests;
#[cfg(test)]
mod hyperboloid_tests;
#[cfg(test)]
mod map_tests;
#[cfg(test)]
mod neighbours_tests;
#[cfg(test)]
mod support;
