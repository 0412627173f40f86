//! The choices between the paper's equations, its published programs and this project's layers, as arguments.
//! `docs/hybonet.md` explains each word.

use clap::Args;
use tuppum_hyperbolic::transformer::{
    AttentionScale, ControlAttention, Initialisation, LinearLayers, Positions, Residual, Space, TransformerForms,
};

/// Arguments that choose the forms of layers.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormArguments {
    /// Linear layers on the hyperboloid: mixed, space-first (Eq. 3), time-first (Eq. 9), published, or tangent (Eq. 2).
    #[arg(long, default_value_t)]
    pub linear: LinearLayers,
    /// Residuals on the hyperboloid: added, or merged into the layer before its normalisation (Eq. 7).
    #[arg(long, default_value_t)]
    pub residual: Residual,
    /// Positions on the hyperboloid: added, or by a layer with a matrix.
    #[arg(long, default_value_t)]
    pub positions: Positions,
    /// Number that squared distances are divided by: fixed, the root of a head's dimension (Eq. 5), or learnt.
    #[arg(long, default_value_t)]
    pub attention: AttentionScale,
    /// First numbers of the model on the hyperboloid: keeping-lengths, or published (matrices within ±0.02).
    #[arg(long, default_value_t)]
    pub initialisation: Initialisation,
    /// Attention of the control in Euclid's space: products, or hyperbolic (Gulcehre et al.).
    #[arg(long, default_value_t)]
    pub control: ControlAttention,
}

impl FormArguments {
    /// Returns the forms of the model of a space: choices for the other space are left out of it.
    pub fn of(&self, space: Space) -> TransformerForms {
        let Self { linear, residual, positions, attention, initialisation, control } = *self;
        match space {
            Space::Lorentz => {
                let control = ControlAttention::default();
                TransformerForms { linear, residual, positions, attention, initialisation, control }
            }
            Space::Euclidean => TransformerForms { control, ..TransformerForms::default() },
        }
    }

    /// Returns a sentence on the choices; empty if nothing was chosen.
    pub fn told(&self) -> String {
        let Self { linear, residual, positions, attention, initialisation, control } = *self;
        let chosen = [
            (linear != LinearLayers::default()).then(|| format!("linear layers {linear}")),
            (residual != Residual::default()).then(|| format!("residuals {residual}")),
            (positions != Positions::default()).then(|| format!("positions {positions}")),
            (attention != AttentionScale::default()).then(|| format!("scale of attention {attention}")),
            (initialisation != Initialisation::default()).then(|| format!("initialisation {initialisation}")),
            (control != ControlAttention::default()).then(|| format!("attention of the control {control}")),
        ];
        let chosen: Vec<String> = chosen.into_iter().flatten().collect();
        if chosen.is_empty() { String::new() } else { format!(" Chosen: {}.", chosen.join(", ")) }
    }
}
