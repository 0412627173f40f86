//! Cost of a Lorentz linear layer beside a Euclidean one of the same size, forward and backward, on the CPU: `cargo
//! bench --package tuppum-lab --bench hybonet -- [dimension, 512] [points, 1024]`

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use burn::tensor::{Device, Distribution, Tensor};
use std::hint::black_box;
use std::time::Instant;
use tuppum_hyperbolic::{LinearSettings, Lorentz, LorentzLinear};

/// Runs of each layer, taken in turns so that both meet the same load; the fastest counts.
const TIMES: usize = 15;

/// Milliseconds of one pass forward and backward, by the inputs and the weights.
fn milliseconds(x: &Tensor<2>, forward: impl Fn(Tensor<2>) -> Tensor<2>) -> f64 {
    let x = x.clone().require_grad();
    let start = Instant::now();
    black_box(forward(x).sum().backward());
    start.elapsed().as_secs_f64() * 1e3
}

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let (size, points) = (sizes.first().copied().unwrap_or(512), sizes.get(1).copied().unwrap_or(1024));
    let device = Device::flex().autodiff();
    let space = Tensor::<2>::random([points, size], Distribution::Normal(0.0, 0.1), &device);
    let lifted = Lorentz::UNIT.lift(space.clone());
    let euclidean: Linear = LinearConfig::new(size, size).init(&device);
    let layer = |settings: LinearSettings| LorentzLinear::new(Lorentz::UNIT, &settings, &device);
    let exact = layer(LinearSettings::exact(size, size));
    let general = layer(LinearSettings { bias: true, normalised: Some(10.0), ..LinearSettings::exact(size, size) });
    println!(
        "{} weights in a Euclidean layer, {} in an exact Lorentz layer",
        euclidean.num_params(),
        exact.num_params()
    );
    let mut fastest = [f64::INFINITY; 3];
    for _ in 0..TIMES {
        let taken = [
            milliseconds(&space, |x| euclidean.forward(x)),
            milliseconds(&lifted, |x| exact.forward(x)),
            milliseconds(&lifted, |x| general.forward(x)),
        ];
        fastest = std::array::from_fn(|which| fastest[which].min(taken[which]));
    }
    let [plain, exact, general] = fastest;
    println!("Euclidean linear layer, {points} points of {size}: {plain:.1} ms forward and backward");
    println!("Lorentz linear layer, exact: {exact:.1} ms, ratio {:.2}", exact / plain);
    println!("Lorentz linear layer, with bias and normalisation: {general:.1} ms, ratio {:.2}", general / plain);
}
