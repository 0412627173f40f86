//! The Lorentz linear layer.

use super::Lorentz;
use super::lorentz::by_matrix;
use burn::module::{Module, Param};
use burn::nn::{Dropout, DropoutConfig};
use burn::tensor::{Device, Distribution, Tensor, TensorData, activation};

/// Added to the squared length by which the normalisation divides.
const LENGTH_FLOOR: f64 = 1e-12;
/// tanh in WGSL is not a number beyond 44; it is 1 in f32 from 10 on.
const TANH_END: f64 = 15.0;

/// What is applied to the coordinates of a point before the product, h in Eq. 9.
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
    fn of<const D: usize>(self, x: Tensor<D>) -> Tensor<D> {
        match self {
            Self::None => x,
            Self::Relu => activation::relu(x),
            Self::Tanh => x.clamp(-TANH_END, TANH_END).tanh(),
        }
    }
}

/// Size and parts of a [`LorentzLinear`].
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
    /// Whether there is a bias b.
    pub bias: bool,
    /// λ at the start, if the length of the output's space-like part is to be λσ(v·x + b′).
    pub normalised: Option<f64>,
}

impl LinearSettings {
    /// The exact form of Eq. 1: no activation, dropout, bias or normalisation.
    pub fn exact(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, activation: Activation::None, dropout: 0.0, bias: false, normalised: None }
    }
}

/// The Lorentz linear layer, y = (√(|φ|² - 1/K), φ(x)).
///
/// - In the exact form (Eq. 1) φ(x) = Wx, with W over all n + 1 coordinates. Every boost and every rotation is such a
///   layer, its W being the space-like rows of the isometry; v of Eq. 1 cancels and is not kept.
/// - In the general form (Eq. 3) φ(x) = W h(dropout(x)) + b,
/// - and normalised (Eq. 9) φ(x) = λσ(v·x + b′) (W h(dropout(x)) + b) / |W h(dropout(x)) + b|, with λ trained as its
///   logarithm.
///
/// The published code differs from the paper's equations in two places, and we follow the paper: it computes the
/// time-like coordinate first, as λσ(…) + 1.1 from a product to which the bias is already added, and scales the
/// space-like ones to fit, so that no output lies at the origin; and it applies h before both products, we only before
/// W.
///
/// # Shapes
/// `[…, inputs + 1]` to `[…, outputs + 1]`.
#[derive(Module, Debug)]
pub struct LorentzLinear {
    /// W, transposed as products read it: `[inputs + 1, outputs]`.
    pub weight: Param<Tensor<2>>,
    /// b: `[outputs]`.
    pub bias: Option<Param<Tensor<1>>>,
    /// v, b′ and λ.
    pub normalisation: Option<Normalisation>,
    dropout: Dropout,
    #[module(skip)]
    activation: Activation,
    #[module(skip)]
    lorentz: Lorentz,
}

/// What gives the output of a normalised layer its length.
#[derive(Module, Debug)]
pub struct Normalisation {
    /// v: `[inputs + 1, 1]`.
    pub velocity: Param<Tensor<2>>,
    /// b′: `[1]`.
    pub bias: Param<Tensor<1>>,
    /// ln λ: `[1]`.
    pub log_scale: Param<Tensor<1>>,
}

impl Normalisation {
    /// φ scaled to length λσ(v·x + b′).
    fn scaled<const D: usize>(&self, x: Tensor<D>, space: Tensor<D>) -> Tensor<D> {
        let leading = |one: Tensor<1>| one.reshape([1; D]);
        let gate = activation::sigmoid(by_matrix(x, self.velocity.val()) + leading(self.bias.val()));
        let length = gate * leading(self.log_scale.val().exp());
        let own = (space.clone().square().sum_dim(D - 1) + LENGTH_FLOOR).sqrt();
        space * (length / own)
    }
}

impl LorentzLinear {
    /// A layer with random weights: even within ±√(3 / (inputs + 1)), which keeps lengths; biases zero.
    pub fn new(lorentz: Lorentz, settings: &LinearSettings, device: &Device) -> Self {
        let bound = (3.0 / (settings.inputs as f64 + 1.0)).sqrt();
        let random = |shape: [usize; 2]| {
            Param::from_tensor(Tensor::<2>::random(shape, Distribution::Uniform(-bound, bound), device))
        };
        let constant =
            |value: f64, size: usize| Param::from_data(TensorData::new(vec![value as f32; size], [size]), device);
        Self {
            weight: random([settings.inputs + 1, settings.outputs]),
            bias: settings.bias.then(|| constant(0.0, settings.outputs)),
            normalisation: settings.normalised.map(|scale| Normalisation {
                velocity: random([settings.inputs + 1, 1]),
                bias: constant(0.0, 1),
                log_scale: constant(scale.ln(), 1),
            }),
            dropout: DropoutConfig::new(settings.dropout).init(),
            activation: settings.activation,
            lorentz,
        }
    }

    /// The exact layer of a given W: `[inputs + 1, outputs]`.
    pub fn of_weight(lorentz: Lorentz, weight: Tensor<2>) -> Self {
        let [inputs, outputs] = weight.dims();
        let device = weight.device();
        let settings = LinearSettings::exact(inputs.saturating_sub(1), outputs);
        Self { weight: Param::from_tensor(weight), ..Self::new(lorentz, &settings, &device) }
    }

    /// The same layer with this activation.
    pub fn with_activation(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// The output's point.
    pub fn forward<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        self.lorentz.lift(self.space(x))
    }

    /// φ(x), the output's space-like coordinates: `[…, outputs]`.
    pub fn space<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        let mut space = by_matrix(self.activation.of(self.dropout.forward(x.clone())), self.weight.val());
        if let Some(bias) = &self.bias {
            let mut dims = [1; D];
            dims[D - 1] = bias.dims()[0];
            space = space + bias.val().reshape(dims);
        }
        match &self.normalisation {
            Some(normalisation) => normalisation.scaled(x, space),
            None => space,
        }
    }
}
