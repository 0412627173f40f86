//! Time of each part of a pass through the shipped torso, on the CPU: `cargo bench --package tuppum-lab --bench torso
//! -- [signs per row, 62] [rows, 1]`

use burn::tensor::{Device, Distribution, Tensor, activation, module::attention, ops::AttentionModuleOptions};
use std::time::Instant;
use tuppum_domain::restoration::Row;
use tuppum_nn::torso::NeverYields;
use tuppum_testing::now;
use tuppum_weights::{WeightsError, open_folder};

/// Prints the fastest of nine runs, and the time of `times` such runs in a pass; returns milliseconds.
fn time(name: &str, times: usize, mut run: impl FnMut()) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..9 {
        let start = Instant::now();
        run();
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("{name:28} {fastest:8.3} ms × {times:2} = {:7.1} ms", fastest * times as f64);
    fastest
}

fn main() -> Result<(), WeightsError> {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    let (length, rows) = (sizes.first().copied().unwrap_or(62), sizes.get(1).copied().unwrap_or(1));
    let device = Device::flex();
    let start = Instant::now();
    let torso = now(open_folder(&tuppum_testing::project("models/restorer"), &device, |_, _| (), &NeverYields))?.torso;
    println!("loaded and checked in {:.2} s", start.elapsed().as_secs_f64());

    let sequence = |row: usize| (0..length).map(|i| (10 + (i * 37 + row) % 4000) as u32).collect();
    let places: Vec<usize> = (0..length).step_by(12).collect();
    let wanted: Vec<Row> = (0..rows).map(|row| Row { ids: sequence(row), places: places.clone() }).collect();
    let wanted: Vec<&Row> = wanted.iter().collect();
    let pass = time("whole pass", 1, || {
        now(torso.logits(&wanted, 0, &NeverYields)).map_or_else(|error| println!("{error}"), |_| ());
    });
    let products = 2.0 * 25.2e6 * (rows * length) as f64;
    println!("{:28} {:8.1} GFLOP/s, were it all matrix products", "", products / pass / 1e6);
    products_alone(&device, rows * length);
    rest(&device, rows, length);
    Ok(())
}

fn products_alone(device: &Device, n: usize) {
    let random = |shape: [usize; 2]| Tensor::<2>::random(shape, Distribution::Default, device);
    let (left, right) = (random([512, 512]), random([512, 512]));
    let square = time("512 × 512 × 512", 1, || drop(left.clone().matmul(right.clone())));
    println!("{:28} {:8.1} GFLOP/s", "", 2.0 * 512f64.powi(3) / square / 1e6);
    for (name, inputs, outputs, times) in [
        ("q, k, v", 384, 768, 16),
        ("o", 256, 384, 16),
        ("up", 384, 1536, 16),
        ("down", 1536, 384, 16),
        ("head", 384, 4463, 1),
    ] {
        let (x, weight) = (random([if times == 1 { 5 } else { n }, inputs]), random([inputs, outputs]));
        time(name, times, || drop(x.clone().matmul(weight.clone())));
    }
}

fn rest(device: &Device, rows: usize, length: usize) {
    let stream = Tensor::<2>::random([rows * length, 384], Distribution::Default, device);
    let wide = Tensor::<2>::random([rows * length, 1536], Distribution::Default, device);
    time("norm", 33, || {
        let size = (stream.clone().square().mean_dim(1) + 1e-6).sqrt();
        drop(stream.clone() / size * Tensor::<1>::ones([384], device).unsqueeze());
    });
    time("burn's gelu (not used here)", 16, || drop(activation::gelu(wide.clone())));
    let heads = Tensor::<4>::random([rows, 8, length, 32], Distribution::Default, device);
    let same = || heads.clone();
    time("attention", 16, || drop(attention(same(), same(), same(), None, None, AttentionModuleOptions::default())));
}
