//! Layers against the paper's equations, written out over plain numbers in f64. Equations are those of Chen et al.;
//! "the published layer" is `LorentzLinear.forward` in `mt/onmt/modules/hyper_nets.py` of their code.

use super::support::{CURVATURES, near, on_hyperboloid, points, read, rows, vectors};
use super::{Activation, LinearForm, LinearSettings, Lorentz, LorentzLinear};
use burn::module::Param;
use burn::tensor::{Device, Tensor, TensorData};
use tuppum_geometry::Random;

/// f32 keeps 6e-8 of a number; sums of some dozen products of numbers up to 10 lose two digits of that.
const AGREEMENT: f64 = 2e-5;
/// Dimension of inputs.
const INPUTS: usize = 4;
/// Dimension of outputs.
const OUTPUTS: usize = 6;
/// Heads that outputs are cut into, where they are.
const HEADS: usize = 2;
const LAMBDA: f64 = 3.0;
/// ε of Eq. 9 at curvature -1, as in the published layer.
const EPSILON: f64 = 1.1;

type Row = Vec<f64>;

/// The numbers of a layer.
struct Numbers {
    /// W, a row for each input.
    weight: Vec<Row>,
    bias: Row,
    /// v, a row for each input and a column for each head.
    velocity: Vec<Row>,
    gate_bias: Row,
}

impl Numbers {
    fn drawn(random: &mut Random) -> Self {
        let weight = vectors(random, OUTPUTS, INPUTS + 1);
        let bias = vectors(random, OUTPUTS, 1).remove(0);
        let velocity = vectors(random, HEADS, INPUTS + 1);
        Self { weight, bias, velocity, gate_bias: vectors(random, HEADS, 1).remove(0) }
    }

    /// Returns a layer of these numbers in one head or two, with biases or without.
    fn layer(&self, lorentz: Lorentz, form: LinearForm, heads: usize, biased: bool) -> LorentzLinear {
        let settings = LinearSettings {
            activation: Activation::Relu,
            bias: biased,
            normalised: Some(LAMBDA),
            form,
            heads,
            gate_bias: biased,
            ..LinearSettings::exact(INPUTS, OUTPUTS)
        };
        let mut layer = LorentzLinear::new(lorentz, &settings, &Device::flex());
        layer.weight = Param::from_tensor(rows(&self.weight));
        layer.bias = biased.then(|| Param::from_tensor(row(&self.bias)));
        let velocity: Vec<Row> = self.velocity.iter().map(|row| row[..heads].to_vec()).collect();
        let normalisation = layer.normalisation.as_mut().unwrap();
        normalisation.velocity = Param::from_tensor(rows(&velocity));
        normalisation.bias = biased.then(|| Param::from_tensor(row(&self.gate_bias[..heads])));
        layer
    }

    /// v·x + b′ of a head.
    fn gate(&self, x: &[f64], head: usize, biased: bool) -> f64 {
        let product: f64 = self.velocity.iter().zip(x).map(|(v, x)| v[head] * x).sum();
        product + if biased { self.gate_bias[head] } else { 0.0 }
    }

    /// W h(x) + b.
    fn product(&self, x: &[f64], biased: bool) -> Row {
        let of = |column: usize| {
            let product: f64 = self.weight.iter().zip(x).map(|(w, x)| w[column] * x.max(0.0)).sum();
            product + if biased { self.bias[column] } else { 0.0 }
        };
        (0..OUTPUTS).map(of).collect()
    }
}

fn row(numbers: &[f64]) -> Tensor<1> {
    let values: Vec<f32> = numbers.iter().map(|one| *one as f32).collect();
    Tensor::from_data(TensorData::new(values, [numbers.len()]), &Device::flex())
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|one| one * one).sum::<f64>().sqrt()
}

fn scaled(x: &[f64], to: f64) -> Row {
    let own = length(x);
    x.iter().map(|one| one * to / own).collect()
}

fn relu(x: &[f64]) -> Row {
    x.iter().map(|one| one.max(0.0)).collect()
}

/// Returns the point over space-like coordinates.
fn lifted(k: f64, space: &[f64]) -> Row {
    let time = (length(space).powi(2) - 1.0 / k).sqrt();
    [vec![time], space.to_vec()].concat()
}

/// Calls `check` with a hyperboloid, numbers of a layer and points.
fn each(seed: u64, check: impl Fn(f64, Lorentz, &Numbers, &[Row], &mut Random)) {
    let mut random = Random::new(seed);
    for k in CURVATURES {
        let x = points(&mut random, k, INPUTS, 12, 2.0);
        let numbers = Numbers::drawn(&mut random);
        check(k, Lorentz::new(k).unwrap(), &numbers, &x, &mut random);
    }
}

#[test]
fn the_general_form_is_that_of_equation_3() {
    each(41, |k, lorentz, numbers, x, _| {
        let normalised = numbers.layer(lorentz, LinearForm::SpaceFirst, 1, true);
        let mut plain = normalised.clone();
        plain.normalisation = None;
        let expected: Vec<Row> = x.iter().map(|x| lifted(k, &numbers.product(x, true))).collect();
        near(&read(plain.forward(rows(x))), &expected, AGREEMENT);
        let gated = |x: &Row| {
            let phi = scaled(&numbers.product(x, true), LAMBDA * sigmoid(numbers.gate(x, 0, true)));
            lifted(k, &phi)
        };
        near(&read(normalised.forward(rows(x))), &x.iter().map(gated).collect::<Vec<_>>(), AGREEMENT);
    });
}

#[test]
fn the_time_like_coordinate_comes_first_in_equation_9() {
    each(42, |k, lorentz, numbers, x, _| {
        let layer = numbers.layer(lorentz, LinearForm::TimeFirst, 1, true);
        let expected = |x: &Row| {
            let time = LAMBDA * sigmoid(numbers.gate(x, 0, true)) + EPSILON / (-k).sqrt();
            let space = scaled(&numbers.product(x, true), (time * time + 1.0 / k).sqrt());
            [vec![time], space].concat()
        };
        let found = layer.forward(rows(x));
        near(&read(found.clone()), &x.iter().map(expected).collect::<Vec<_>>(), AGREEMENT);
        on_hyperboloid(lorentz, found.clone());
        // ε keeps every output off the origin.
        assert!(read(found).iter().all(|row| row[0] * (-k).sqrt() > EPSILON));
    });
}

#[test]
fn the_published_layer_applies_the_activation_before_the_gate_too() {
    each(43, |k, lorentz, numbers, x, _| {
        let layer = numbers.layer(lorentz, LinearForm::Published, 1, true);
        let expected = |x: &Row| {
            let time = LAMBDA * sigmoid(numbers.gate(&relu(x), 0, true)) + EPSILON / (-k).sqrt();
            let space = scaled(&numbers.product(x, true), (time * time + 1.0 / k).sqrt());
            [vec![time], space].concat()
        };
        near(&read(layer.forward(rows(x))), &x.iter().map(expected).collect::<Vec<_>>(), AGREEMENT);
    });
}

#[test]
fn every_head_has_a_length_of_its_own() {
    each(44, |k, lorentz, numbers, x, _| {
        let size = OUTPUTS / HEADS;
        for form in [LinearForm::SpaceFirst, LinearForm::TimeFirst] {
            let found = read(numbers.layer(lorentz, form, HEADS, true).space(rows(x)));
            let expected = |x: &Row| -> Row {
                let product = numbers.product(x, true);
                let of = |head: usize| {
                    let gate = LAMBDA * sigmoid(numbers.gate(x, head, true));
                    let time = gate + EPSILON / (-k).sqrt();
                    let first = form == LinearForm::SpaceFirst;
                    let own = if first { gate } else { (time * time + 1.0 / k).sqrt() };
                    scaled(&product[head * size..(head + 1) * size], own)
                };
                (0..HEADS).flat_map(of).collect()
            };
            near(&found, &x.iter().map(expected).collect::<Vec<_>>(), AGREEMENT);
        }
    });
}

#[test]
fn the_residual_of_equation_7_is_normalised_after_the_sum() {
    each(45, |k, lorentz, numbers, o, random| {
        // What the block was given, in the dimension of its last layer's outputs.
        let x = points(random, k, OUTPUTS, o.len(), 2.0);
        let given = || [Lorentz::time(rows(&x)), Lorentz::space(rows(&x))];
        let check = |form, expected: &dyn Fn(&Row, &Row) -> Row| {
            let layer = numbers.layer(lorentz, form, 1, false);
            let found = lorentz.lift(layer.space_onto(rows(o), rows(o), given()));
            let expected: Vec<Row> = o.iter().zip(&x).map(|(o, x)| expected(o, x)).collect();
            near(&read(found), &expected, AGREEMENT);
        };
        let sum = |o: &Row, x: &Row| -> Row {
            numbers.product(o, false).iter().zip(&x[1..]).map(|(one, other)| one + other).collect()
        };
        // φ(Wo, v, x) = λσ(v·o) (W h(o) + x) / |W h(o) + x|
        check(LinearForm::SpaceFirst, &|o, x| {
            lifted(k, &scaled(&sum(o, x), LAMBDA * sigmoid(numbers.gate(o, 0, false))))
        });
        let by_time = |time: f64, space: &[f64]| {
            let time = time + EPSILON / (-k).sqrt();
            [vec![time], scaled(space, (time * time + 1.0 / k).sqrt())].concat()
        };
        check(LinearForm::TimeFirst, &|o, x| by_time(LAMBDA * sigmoid(numbers.gate(o, 0, false)), &sum(o, x)));
        // The published layer adds the time-like coordinate within the gate.
        check(LinearForm::Published, &|o, x| {
            by_time(LAMBDA * sigmoid(numbers.gate(&relu(o), 0, false) + x[0]), &sum(o, x))
        });
    });
}

#[test]
fn positions_are_a_bias_of_a_linear_layer_with_a_matrix_of_its_own() {
    each(46, |k, lorentz, numbers, x, random| {
        // Not points, but vectors of any kind; the time-like coordinate stands apart and is 0.
        let positions = vectors(random, OUTPUTS, x.len());
        let added = [Tensor::zeros([x.len(), 1], &Device::flex()), rows(&positions)];
        let layer = numbers.layer(lorentz, LinearForm::SpaceFirst, 1, false);
        let found = lorentz.lift(layer.space_onto(rows(x), rows(x), added));
        let expected = |(x, p): (&Row, &Row)| {
            let sum: Row = numbers.product(x, false).iter().zip(p).map(|(one, other)| one + other).collect();
            lifted(k, &scaled(&sum, LAMBDA * sigmoid(numbers.gate(x, 0, false))))
        };
        near(&read(found), &x.iter().zip(&positions).map(expected).collect::<Vec<_>>(), AGREEMENT);
    });
}

#[test]
fn the_tangent_space_layer_is_the_matrix_of_equation_2() {
    each(47, |k, lorentz, numbers, x, _| {
        // W halved, so that outputs stay where f32 has digits: β grows with |Wx|, and coordinates as its exponential.
        let weight: Vec<Row> = numbers.weight[1..].iter().map(|row| row.iter().map(|w| w / 2.0).collect()).collect();
        let settings = LinearSettings { form: LinearForm::Tangent, ..LinearSettings::exact(INPUTS, OUTPUTS) };
        let mut layer = LorentzLinear::new(lorentz, &settings, &Device::flex());
        assert_eq!(layer.weight.dims(), [INPUTS, OUTPUTS]);
        layer.weight = Param::from_tensor(rows(&weight));
        let root = (-k).sqrt();
        let expected = |x: &Row| -> Row {
            let product: Row =
                (0..OUTPUTS).map(|at| weight.iter().zip(&x[1..]).map(|(w, x)| w[at] * x).sum()).collect();
            let own = length(&product);
            let beta = root * (root * x[0]).acosh() / (-k * x[0] * x[0] - 1.0).sqrt() * own;
            let time = beta.cosh() / (root * x[0]) * x[0];
            let space = product.iter().map(|one| beta.sinh() / (root * own) * one);
            [vec![time], space.collect()].concat()
        };
        // Of coordinates up to e^12 an exponential magnifies what f32 lost of the exponent.
        near(&read(layer.forward(rows(x))), &x.iter().map(expected).collect::<Vec<_>>(), 10.0 * AGREEMENT);
    });
}

#[test]
fn the_maps_of_the_origin_are_those_of_any_point() {
    each(48, |_, lorentz, _, x, _| {
        let origin = lorentz.lift(Tensor::zeros([x.len(), INPUTS], &Device::flex()));
        let tangent = lorentz.origin_log(rows(x));
        near(&read(tangent.clone()), &read(Lorentz::space(lorentz.log(origin, rows(x)))), AGREEMENT);
        near(&read(lorentz.lift(lorentz.origin_exp(tangent))), x, AGREEMENT);
    });
}

#[test]
fn an_input_at_the_origin_is_no_reason_for_anything_but_numbers() {
    let origin = Lorentz::UNIT.lift(Tensor::<2>::zeros([1, INPUTS], &Device::flex()));
    for form in [LinearForm::SpaceFirst, LinearForm::TimeFirst, LinearForm::Published, LinearForm::Tangent] {
        let settings = LinearSettings { normalised: Some(LAMBDA), form, ..LinearSettings::exact(INPUTS, OUTPUTS) };
        let layer = LorentzLinear::new(Lorentz::UNIT, &settings, &Device::flex());
        on_hyperboloid(Lorentz::UNIT, layer.forward(origin.clone()));
    }
}
