//! Gradients of every layer against finite differences. The gradients are burn's, in f32 as they are used; the
//! differences are taken of the same layers in f64, where a step of 1e-5 leaves an error of 1e-9.

use super::support::{CURVATURES, points, read, tangents, vectors};
use super::{Activation, LinearForm, Lorentz, LorentzLinear, attend};
use burn::module::{Param, ParamId};
use burn::tensor::{DType, Device, Tensor, TensorData};
use tuppum_geometry::{Hyperboloid, Random};

const STEP: f64 = 1e-5;
/// Tolerance, as a share of the largest component: what f32 loses in a few dozen operations on numbers near 10.
const AGREEMENT: f64 = 1e-3;

type Rows = Vec<Vec<f64>>;

fn tensor(rows: &Rows, kind: DType) -> Tensor<2> {
    let width = rows[0].len();
    let data = TensorData::new(rows.concat(), [rows.len(), width]).convert_dtype(kind);
    let device = if kind == DType::F64 { Device::flex() } else { Device::flex().autodiff() };
    Tensor::from_data(data, (&device, kind))
}

/// Returns the gradient of Σ wᵢⱼ f(inputs)ᵢⱼ, with fixed random w, by every input.
pub fn check(name: &str, inputs: &[Rows], f: impl Fn(&[Tensor<2>]) -> Tensor<2>) {
    let weighted = |tensors: &[Tensor<2>]| {
        let out = f(tensors);
        let [count, width] = out.dims();
        let weights = vectors(&mut Random::new(77), width, count);
        let data = TensorData::new(weights.concat(), [count, width]).convert_dtype(out.dtype());
        (out.clone() * Tensor::from_data(data, (&out.device(), out.dtype()))).sum()
    };
    let exact = |inputs: &[Rows]| -> f64 {
        let tensors: Vec<_> = inputs.iter().map(|rows| tensor(rows, DType::F64)).collect();
        weighted(&tensors).into_data().try_to_vec::<f64>().unwrap()[0]
    };
    let leaves: Vec<_> = inputs.iter().map(|rows| tensor(rows, DType::F32).require_grad()).collect();
    let gradients = weighted(&leaves).backward();
    for (which, leaf) in leaves.iter().enumerate() {
        let found = read(leaf.grad(&gradients).unwrap());
        let largest = found.iter().flatten().fold(1e-3f64, |most, one| most.max(one.abs()));
        for (row, found) in found.iter().enumerate() {
            for (column, found) in found.iter().enumerate() {
                let moved = |by: f64| {
                    let mut moved = inputs.to_vec();
                    moved[which][row][column] += by;
                    exact(&moved)
                };
                let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                assert!(
                    (found - slope).abs() < AGREEMENT * largest,
                    "{name}, input {which} [{row}, {column}]: {found} and {slope}"
                );
            }
        }
    }
}

#[test]
fn maps() {
    let mut random = Random::new(31);
    for k in CURVATURES {
        let (lorentz, plain) = (Lorentz::new(k).unwrap(), Hyperboloid::new(-k).unwrap());
        let (x, y) = (points(&mut random, k, 3, 4, 2.0), points(&mut random, k, 3, 4, 2.0));
        let v = tangents(&mut random, &plain, &x);
        let pair = [x.clone(), y.clone()];
        check("inner", &pair, |t| Lorentz::inner(t[0].clone(), t[1].clone()));
        check("squared distances", &pair, |t| lorentz.squared_distances(t[0].clone(), t[1].clone()));
        check("squared distance", &pair, |t| lorentz.squared_distance(t[0].clone(), t[1].clone()));
        check("distance", &pair, |t| lorentz.distance(t[0].clone(), t[1].clone()));
        check("log", &pair, |t| lorentz.log(t[0].clone(), t[1].clone()));
        check("boost", &pair, |t| lorentz.boost(t[0].clone(), t[1].clone()));
        check("residual", &pair, |t| lorentz.residual(t[0].clone(), t[1].clone()));
        check("exp", &[x.clone(), v.clone()], |t| lorentz.exp(t[0].clone(), t[1].clone()));
        check("tangent", &[x.clone(), v.clone()], |t| lorentz.tangent(t[0].clone(), t[1].clone()));
        check("transport", &[x, y, v], |t| lorentz.transport(t[0].clone(), t[1].clone(), t[2].clone()));
    }
}

#[test]
fn linear_layers() {
    let mut random = Random::new(32);
    for k in CURVATURES {
        let lorentz = Lorentz::new(k).unwrap();
        let x = points(&mut random, k, 3, 4, 2.0);
        let weights = [x, vectors(&mut random, 2, 4), vectors(&mut random, 2, 1), vectors(&mut random, 1, 4)];
        check("exact", &weights[..2], |t| LorentzLinear::of_weight(lorentz, t[1].clone()).forward(t[0].clone()));
        for activation in [Activation::None, Activation::Relu, Activation::Tanh] {
            check("general", &weights, |t| general(lorentz, activation, t).forward(t[0].clone()));
            for form in [LinearForm::TimeFirst, LinearForm::Published] {
                check(&format!("{form:?}"), &weights, |t| {
                    general(lorentz, activation, t).with_form(form).forward(t[0].clone())
                });
            }
        }
    }
}

#[test]
fn residuals_within_a_layer() {
    let mut random = Random::new(34);
    for k in CURVATURES {
        let lorentz = Lorentz::new(k).unwrap();
        let o = points(&mut random, k, 3, 4, 2.0);
        let x = points(&mut random, k, 2, 4, 2.0);
        let inputs = [o, vectors(&mut random, 2, 4), vectors(&mut random, 2, 1), vectors(&mut random, 1, 4), x];
        for form in [LinearForm::SpaceFirst, LinearForm::TimeFirst, LinearForm::Published] {
            check(&format!("residual, {form:?}"), &inputs, |t| {
                let given = [Lorentz::time(t[4].clone()), Lorentz::space(t[4].clone())];
                let layer = general(lorentz, Activation::Relu, t).with_form(form);
                lorentz.lift(layer.space_onto(t[0].clone(), t[0].clone(), given))
            });
        }
    }
}

#[test]
fn the_layer_by_the_tangent_space() {
    let mut random = Random::new(35);
    for k in CURVATURES {
        let lorentz = Lorentz::new(k).unwrap();
        let inputs = [points(&mut random, k, 3, 4, 2.0), vectors(&mut random, 2, 3)];
        check("tangent space", &inputs, |t| {
            let layer = LorentzLinear::of_weight(lorentz, t[1].clone()).with_form(LinearForm::Tangent);
            lorentz.lift(layer.space(t[0].clone()))
        });
    }
}

/// Returns a normalised layer with a bias, of weights `t[1]`, bias `t[2]` and velocity `t[3]`.
fn general(lorentz: Lorentz, activation: Activation, t: &[Tensor<2>]) -> LorentzLinear {
    let mut layer = LorentzLinear::of_weight(lorentz, t[1].clone()).with_activation(activation);
    let of = |tensor: Tensor<1>| Param::initialized(ParamId::new(), tensor);
    let constant = |value: f64| of(t[2].clone().slice([0..1, 0..1]).reshape([1]) * 0.0 + value);
    layer.bias = Some(of(t[2].clone().reshape([2])));
    layer.normalisation = Some(super::Normalisation {
        velocity: Param::initialized(ParamId::new(), t[3].clone()),
        bias: Some(constant(0.1)),
        log_scale: constant(0.7),
    });
    layer
}

#[test]
fn centroids_and_attention() {
    let mut random = Random::new(33);
    for k in CURVATURES {
        let lorentz = Lorentz::new(k).unwrap();
        let weights: Rows = vectors(&mut random, 4, 2)
            .into_iter()
            .map(|row| row.into_iter().map(|one| one.abs() + 0.1).collect())
            .collect();
        let draw = |random: &mut Random, count| points(random, k, 3, count, 2.0);
        let x = draw(&mut random, 4);
        check("centroid", &[weights, x], |t| lorentz.centroids(t[0].clone(), t[1].clone()));
        let (q, keys, values) = (draw(&mut random, 2), draw(&mut random, 3), draw(&mut random, 3));
        let heads = |t: &Tensor<2>| t.clone().unsqueeze::<4>();
        check("attention", &[q, keys, values], |t| {
            attend(lorentz, heads(&t[0]), heads(&t[1]), heads(&t[2]), None).reshape([2, 4])
        });
    }
}
