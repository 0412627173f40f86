//! A layer of the Lorentz Transformer: no norm besides that of Eq. 9, and no way off the hyperboloid.

use super::super::{Activation, LinearSettings, Lorentz, LorentzAttention, LorentzLinear};
use super::rows::{TransformerMemory, dropped};
use burn::module::Module;
use burn::tensor::{Device, Tensor};
use tuppum_nn::dropout::Dropout;

/// λ of Eq. 9 at the start. The gate is a half then, so that each part adds about 2 in length.
const SCALE: f64 = 4.0;

/// Attention to the places themselves, in a decoder to the source too, and a feed-forward part. Each ends in a
/// normalised linear layer (Eq. 9), which bounds what it adds, and is added by the residual (Eq. 7).
#[derive(Module, Debug)]
pub struct LorentzLayer {
    attention: LorentzAttention,
    cross: Option<LorentzAttention>,
    wide: LorentzLinear,
    narrow: LorentzLinear,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzLayer {
    /// A layer with random weights; with attention to a source if it is of a decoder.
    pub fn new(
        lorentz: Lorentz,
        width: usize,
        heads: usize,
        feed_forward: usize,
        decoder: bool,
        device: &Device,
    ) -> Self {
        let attention = || LorentzAttention::normalised(lorentz, width, heads, SCALE, device);
        let wide = LinearSettings { bias: true, ..LinearSettings::exact(width, feed_forward) };
        let narrow = LinearSettings {
            activation: Activation::Relu,
            bias: true,
            normalised: Some(SCALE),
            ..LinearSettings::exact(feed_forward, width)
        };
        Self {
            attention: attention(),
            cross: decoder.then(attention),
            wide: LorentzLinear::new(lorentz, &wide, device),
            narrow: LorentzLinear::new(lorentz, &narrow, device),
            lorentz,
        }
    }

    /// The points after the layer: `[batch, places, width + 1]`.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        // Of what is added, Eq. 7 reads the space-like coordinates only.
        let mut x = self.onto(x.clone(), self.attention.space(x.clone(), x, mask), dropout);
        if let (Some(cross), Some(memory)) = (&self.cross, memory) {
            let found = cross.space(x.clone(), memory.states.clone(), memory.mask.clone());
            x = self.onto(x, found, dropout);
        }
        let found = self.narrow.space(self.wide.forward(x.clone()));
        self.onto(x, found, dropout)
    }

    fn onto(&self, x: Tensor<3>, space: Tensor<3>, dropout: &mut impl Dropout) -> Tensor<3> {
        self.lorentz.lift(Lorentz::space(x) + dropped(space, dropout))
    }
}
