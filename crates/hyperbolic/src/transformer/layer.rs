//! A layer of either space.

use super::euclidean_layer::EuclideanLayer;
use super::lorentz_layer::LorentzLayer;
use super::rows::TransformerMemory;
use super::settings::{Space, TransformerSettings};
use burn::module::Module;
use burn::tensor::{Device, Tensor};
use tuppum_nn::layers::Dropout;

/// A layer of an encoder or of a decoder.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant)] // a handful of them, all of one kind
pub enum Layer {
    /// On the hyperboloid.
    Lorentz(LorentzLayer),
    /// In Euclid's space.
    Euclidean(EuclideanLayer),
}

impl Layer {
    /// Returns a layer whose weights are still to be drawn.
    pub fn new(settings: &TransformerSettings, decoder: bool, device: &Device) -> Self {
        match settings.space {
            Space::Lorentz => Self::Lorentz(LorentzLayer::new(settings, decoder, device)),
            Space::Euclidean => Self::Euclidean(EuclideanLayer::new(settings, decoder, device)),
        }
    }

    /// Returns the states after the layer. `mask` is for the places themselves; `memory` is what a decoder's layer
    /// looks at.
    ///
    /// # Shapes
    /// `[batch, places, coordinates]` to the same.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        match self {
            Self::Lorentz(layer) => layer.forward(x, mask, memory, dropout),
            Self::Euclidean(layer) => layer.forward(x, mask, memory, dropout),
        }
    }
}
