//! Settings of a Lorentz linear layer: sizes, activation, and the equation that gives its outputs their length.

use burn::tensor::{Tensor, activation};

/// Bound of the argument of tanh: in WGSL tanh is not a number beyond 44, and in f32 it is 1 from 10 on.
const TANH_END: f64 = 15.0;

/// Function applied to the coordinates of a point before the product, h in Eq. 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// No activation.
    #[default]
    None,
    /// max(0, x).
    Relu,
    /// tanh.
    Tanh,
}

impl Activation {
    /// h of every number.
    pub(super) fn of<const D: usize>(self, x: Tensor<D>) -> Tensor<D> {
        match self {
            Self::None => x,
            Self::Relu => activation::relu(x),
            Self::Tanh => x.clamp(-TANH_END, TANH_END).tanh(),
        }
    }
}

/// Equation that gives an output its coordinates. With u = W h(dropout(x)) + b:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearForm {
    /// Eq. 3: the space-like coordinates first, u, or if normalised λσ(v·x + b′) u / |u|; the time-like one after them.
    #[default]
    SpaceFirst,
    /// Eq. 9: if normalised, the time-like coordinate first, t = λσ(v·x + b′) + ε, then √(t² + 1/K) u / |u|. No output
    /// is at the origin.
    TimeFirst,
    /// [`LinearForm::TimeFirst`] with a gate that reads what the product reads, σ(v·h(dropout(x)) + b′), as in
    /// `LorentzLinear` of the published code (`mt/onmt/modules/hyper_nets.py`).
    Published,
    /// Eq. 2: by the tangent space of the origin, exp(W log(x)), with W over the space-like coordinates alone. Older
    /// networks have such layers; here they are a control. Activation, dropout and bias are those of the tangent
    /// vector; there is no gate.
    Tangent,
}

/// Size and parts of a [`LorentzLinear`](super::LorentzLinear).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearSettings {
    /// Space-like dimension of the inputs.
    pub inputs: usize,
    /// Space-like dimension of the outputs.
    pub outputs: usize,
    /// The activation h.
    pub activation: Activation,
    /// Share of the coordinates of an input that are left out while training.
    pub dropout: f64,
    /// `true` if there is a bias b.
    pub bias: bool,
    /// λ at the start, if outputs are normalised.
    pub normalised: Option<f64>,
    /// The equation.
    pub form: LinearForm,
    /// Points that the space-like coordinates of an output are cut into, each with a length of its own.
    pub heads: usize,
    /// `true` if the gate has a bias b′.
    pub gate_bias: bool,
}

impl LinearSettings {
    /// Returns the exact form of Eq. 1: no activation, dropout, bias or normalisation.
    pub fn exact(inputs: usize, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            activation: Activation::None,
            dropout: 0.0,
            bias: false,
            normalised: None,
            form: LinearForm::SpaceFirst,
            heads: 1,
            gate_bias: true,
        }
    }
}
