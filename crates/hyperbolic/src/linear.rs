//! The Lorentz linear layer.

use super::Lorentz;
use super::linear_settings::{Activation, LinearForm, LinearSettings};
use super::lorentz::by_matrix;
use burn::module::{Module, Param};
use burn::nn::{Dropout, DropoutConfig};
use burn::tensor::{Device, Distribution, Tensor, TensorData, activation};

/// Added to the squared length by which the normalisation divides.
const LENGTH_FLOOR: f64 = 1e-12;
/// ε of Eq. 9 times √-K. It must be above 1, which is where the origin lies; 1.1 is the published code's.
const MIN_TIME: f64 = 1.1;

/// The Lorentz linear layer, y = (√(|φ|² - 1/K), φ(x)).
///
/// - In the exact form (Eq. 1) φ(x) = Wx, with W over all n + 1 coordinates. Every boost and every rotation is such a
///   layer, its W being the space-like rows of the isometry; v of Eq. 1 cancels and is not kept.
/// - In the general form (Eq. 3) φ(x) = u = W h(dropout(x)) + b, or, normalised, λσ(v·x + b′) u / |u|, with λ trained
///   as its logarithm.
/// - Other forms are those of [`LinearForm`].
///
/// A residual is computed inside the last layer of a block (Eq. 7): [`LorentzLinear::space_onto`].
///
/// # Shapes
/// `[…, inputs + 1]` to `[…, outputs + 1]`.
#[derive(Module, Debug)]
pub struct LorentzLinear {
    /// W, transposed as products read it: `[inputs + 1, outputs]`; without the first row in the form
    /// [`LinearForm::Tangent`].
    pub weight: Param<Tensor<2>>,
    /// b: `[outputs]`.
    pub bias: Option<Param<Tensor<1>>>,
    /// v, b′ and λ.
    pub normalisation: Option<Normalisation>,
    dropout: Dropout,
    #[module(skip)]
    activation: Activation,
    #[module(skip)]
    form: LinearForm,
    #[module(skip)]
    lorentz: Lorentz,
}

/// Parameters that give the output of a normalised layer its length.
#[derive(Module, Debug)]
pub struct Normalisation {
    /// v of every head: `[inputs + 1, heads]`.
    pub velocity: Param<Tensor<2>>,
    /// b′ of every head: `[heads]`.
    pub bias: Option<Param<Tensor<1>>>,
    /// ln λ: `[1]`.
    pub log_scale: Param<Tensor<1>>,
}

impl Normalisation {
    /// λσ(v·x + b′ + more): `[…, heads]`.
    fn gate<const D: usize>(&self, x: Tensor<D>, more: Option<Tensor<D>>) -> Tensor<D> {
        let mut sum = by_matrix(x, self.velocity.val());
        if let Some(bias) = &self.bias {
            sum = sum + last_axis(bias.val());
        }
        if let Some(more) = more {
            sum = sum + more;
        }
        activation::sigmoid(sum) * last_axis(self.log_scale.val().exp())
    }
}

/// Returns a bias, which is added to every row.
fn last_axis<const D: usize>(row: Tensor<1>) -> Tensor<D> {
    let mut dims = [1; D];
    dims[D - 1] = row.dims()[0];
    row.reshape(dims)
}

/// `space`, each of its heads scaled to its length: `[…, heads · n]` and `[…, heads]` to `[…, heads · n]`.
fn of_lengths<const D: usize>(space: Tensor<D>, lengths: Tensor<D>) -> Tensor<D> {
    let (dims, heads) = (space.dims(), lengths.dims()[D - 1]);
    let rows = dims[..D - 1].iter().product::<usize>();
    let apart = space.reshape([rows, heads, dims[D - 1] / heads]);
    let own = (apart.clone().square().sum_dim(2) + LENGTH_FLOOR).sqrt();
    (apart * (lengths.reshape([rows, heads, 1]) / own)).reshape(dims)
}

impl LorentzLinear {
    /// Returns a layer with random weights: even within ±√(3 / (inputs + 1)), which keeps lengths; biases zero.
    pub fn new(lorentz: Lorentz, settings: &LinearSettings, device: &Device) -> Self {
        let bound = (3.0 / (settings.inputs as f64 + 1.0)).sqrt();
        let random = |shape: [usize; 2]| {
            Param::from_tensor(Tensor::<2>::random(shape, Distribution::Uniform(-bound, bound), device))
        };
        let constant =
            |value: f64, size: usize| Param::from_data(TensorData::new(vec![value as f32; size], [size]), device);
        let tangent = settings.form == LinearForm::Tangent;
        Self {
            weight: random([settings.inputs + usize::from(!tangent), settings.outputs]),
            bias: settings.bias.then(|| constant(0.0, settings.outputs)),
            normalisation: settings.normalised.filter(|_| !tangent).map(|scale| Normalisation {
                velocity: random([settings.inputs + 1, settings.heads]),
                bias: settings.gate_bias.then(|| constant(0.0, settings.heads)),
                log_scale: constant(scale.ln(), 1),
            }),
            dropout: DropoutConfig::new(settings.dropout).init(),
            activation: settings.activation,
            form: settings.form,
            lorentz,
        }
    }

    /// Returns the exact layer of a given W: `[inputs + 1, outputs]`.
    pub fn of_weight(lorentz: Lorentz, weight: Tensor<2>) -> Self {
        let [inputs, outputs] = weight.dims();
        let device = weight.device();
        let settings = LinearSettings::exact(inputs.saturating_sub(1), outputs);
        Self { weight: Param::from_tensor(weight), ..Self::new(lorentz, &settings, &device) }
    }

    /// Returns this layer with another activation.
    pub fn with_activation(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// Returns this layer in another form. Its weights stay as they are; [`LinearForm::Tangent`] reads one row less.
    pub fn with_form(self, form: LinearForm) -> Self {
        Self { form, ..self }
    }

    /// Applies the layer to points.
    pub fn forward<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        self.lorentz.lift(self.space(x))
    }

    /// φ(x), the output's space-like coordinates: `[…, outputs]`.
    pub fn space<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        if self.form == LinearForm::Tangent {
            let tangent = self.dropout.forward(self.lorentz.origin_log(x));
            return self.lorentz.origin_exp(self.product(self.activation.of(tangent)));
        }
        let read = self.activation.of(self.dropout.forward(x.clone()));
        self.normalised(x, read.clone(), self.product(read), None)
    }

    /// Returns the residual inside the last layer of a block (Eq. 7): φ of o, the result of the block, with the input
    /// of the block as a further bias, before the normalisation. For a position it is the layer of position encoding.
    ///
    /// `kept` is o after dropout, which W reads. What is added is given by its space-like coordinates, `[…, outputs]`,
    /// and the time-like one, `[…, 1]`, which only [`LinearForm::Published`] reads, in the gate.
    ///
    /// A layer that is not normalised adds it to what it computes without any gate.
    pub fn space_onto<const D: usize>(
        &self,
        o: Tensor<D>,
        kept: Tensor<D>,
        [time, space]: [Tensor<D>; 2],
    ) -> Tensor<D> {
        let read = self.activation.of(self.dropout.forward(kept));
        let sum = self.product(read.clone()) + space;
        self.normalised(o, read, sum, Some(time))
    }

    /// Applies W to some coordinates, and adds b.
    fn product<const D: usize>(&self, read: Tensor<D>) -> Tensor<D> {
        let product = by_matrix(read, self.weight.val());
        match &self.bias {
            Some(bias) => product + last_axis(bias.val()),
            None => product,
        }
    }

    /// Scales `space` to the length that the gate gives it: of x, or of the coordinates that W reads.
    fn normalised<const D: usize>(
        &self,
        x: Tensor<D>,
        read: Tensor<D>,
        space: Tensor<D>,
        time: Option<Tensor<D>>,
    ) -> Tensor<D> {
        let Some(normalisation) = &self.normalisation else { return space };
        let root = (-self.lorentz.curvature()).sqrt();
        let of_time = |gate: Tensor<D>| {
            let time = gate + MIN_TIME / root;
            (time.square() + 1.0 / self.lorentz.curvature()).sqrt()
        };
        let lengths = match self.form {
            LinearForm::SpaceFirst | LinearForm::Tangent => normalisation.gate(x, None),
            LinearForm::TimeFirst => of_time(normalisation.gate(x, None)),
            LinearForm::Published => of_time(normalisation.gate(read, time)),
        };
        of_lengths(space, lengths)
    }
}
