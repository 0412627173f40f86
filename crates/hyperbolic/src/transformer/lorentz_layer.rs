//! A layer of the Lorentz Transformer: it has no norm besides those of its linear layers, and never leaves the
//! hyperboloid.

use super::super::{Activation, AttentionSettings, LinearSettings, Lorentz, LorentzAttention, LorentzLinear};
use super::forms::{AttentionScale, Residual, TransformerForms};
use super::rows::{TransformerMemory, dropped};
use super::settings::TransformerSettings;
use burn::module::Module;
use burn::tensor::{Device, Tensor};
use tuppum_nn::layers::Dropout;

/// Attention to the places themselves, in a decoder to the source too, and a feed-forward part. Each ends in a
/// normalised linear layer, which bounds its result, and is added by a residual.
#[derive(Module, Debug)]
pub struct LorentzLayer {
    attention: LorentzAttention,
    cross: Option<LorentzAttention>,
    wide: LorentzLinear,
    narrow: LorentzLinear,
    #[module(skip)]
    residual: Residual,
    #[module(skip)]
    lorentz: Lorentz,
}

impl LorentzLayer {
    /// Returns a layer with random weights; with attention to a source if it is of a decoder.
    pub fn new(settings: &TransformerSettings, decoder: bool, device: &Device) -> Self {
        let TransformerSettings { width, heads, feed_forward, ref forms, .. } = *settings;
        let (lorentz, form) = (settings.lorentz(), forms.of_layers());
        let inner = forms.normalise_all().then(|| forms.scale());
        let merged = forms.residual == Residual::Merged;
        let attention = AttentionSettings {
            form,
            inner,
            outer: Some(forms.scale()),
            outer_bias: !merged,
            learnt_scale: forms.attention == AttentionScale::Learnt,
            ..AttentionSettings::plain(width, heads)
        };
        let attention = || LorentzAttention::of(lorentz, &attention, device);
        let wide = LinearSettings { bias: true, normalised: inner, form, ..LinearSettings::exact(width, feed_forward) };
        let narrow = LinearSettings {
            activation: Activation::Relu,
            ..last_layer(forms, feed_forward, width, !merged || forms.keep_own_bias())
        };
        Self {
            attention: attention(),
            cross: decoder.then(attention),
            wide: LorentzLinear::new(lorentz, &wide, device),
            narrow: LorentzLinear::new(lorentz, &narrow, device),
            residual: forms.residual,
            lorentz,
        }
    }

    /// Returns the points after the layer: `[batch, places, width + 1]`.
    pub fn forward(
        &self,
        x: Tensor<3>,
        mask: Option<Tensor<4>>,
        memory: Option<&TransformerMemory>,
        dropout: &mut impl Dropout,
    ) -> Tensor<3> {
        let gathered = self.attention.gathered(x.clone(), x.clone(), mask);
        let mut x = self.onto(x, self.attention.output(), gathered, dropout);
        if let (Some(cross), Some(memory)) = (&self.cross, memory) {
            let gathered = cross.gathered(x.clone(), memory.states.clone(), memory.mask.clone());
            x = self.onto(x, cross.output(), gathered, dropout);
        }
        let wide = self.wide.forward(x.clone());
        self.onto(x, &self.narrow, wide, dropout)
    }

    /// Adds the input of a part, `x`, to what its last layer makes of `o`.
    fn onto(&self, x: Tensor<3>, last: &LorentzLinear, o: Tensor<3>, dropout: &mut impl Dropout) -> Tensor<3> {
        self.lorentz.lift(match self.residual {
            Residual::Added => Lorentz::space(x) + dropped(last.space(o), dropout),
            Residual::Merged => {
                let kept = dropped(o.clone(), dropout);
                last.space_onto(o, kept, [Lorentz::time(x.clone()), Lorentz::space(x)])
            }
        })
    }
}

/// Returns the settings of a layer that takes a further bias, or ends a part.
pub fn last_layer(forms: &TransformerForms, inputs: usize, outputs: usize, bias: bool) -> LinearSettings {
    LinearSettings {
        bias,
        gate_bias: bias,
        normalised: Some(forms.scale()),
        form: forms.of_layers(),
        ..LinearSettings::exact(inputs, outputs)
    }
}
