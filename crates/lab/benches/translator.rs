//! Time of each part of a translation, on the CPU: encoding, and writing 64 and 256 bytes with several numbers of
//! beams. `cargo bench --package tuppum-lab --bench translator -- [size, mini] [bytes of the source, 120] [beams, 5]`

use burn::tensor::Device;
use std::error::Error;
use std::time::Instant;
use tuppum_domain::generation::{Continuation, NextByte};
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, ByT5Builder, ByT5Config, Decoding, HyperbolicBias, SourceRow};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_testing::now;

/// Returns a model of random weights, small enough that nothing overflows.
fn random(config: &ByT5Config) -> Result<ByT5, Box<dyn Error>> {
    let mut builder = ByT5Builder::new(config.clone(), Device::flex());
    let mut random = Random::stream(1, 0);
    for spec in config.tensors() {
        let scale = spec.shape.get(1).map_or(1.0, |inputs| (*inputs as f32).powf(-0.5));
        let values = (0..spec.elements()).map(|_| (random.uniform() as f32 - 0.5) * 2.0 * scale).collect();
        builder.put(&spec.name, values)?;
    }
    Ok(builder.build()?)
}

/// Milliseconds of the fastest of some runs.
fn fastest(runs: usize, mut run: impl FnMut()) -> f64 {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |place: usize, usual| words.get(place).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let name = words.first().map_or("mini", String::as_str);
    let config = ByT5Config::named(name).ok_or("the sizes are tiny, mini, small, base and large")?;
    let (length, beams): (usize, usize) = (number(1, 120), number(2, 5));
    let model = random(&config)?;
    println!("{name}: {} parameters, {length} bytes in, {beams} beams", config.parameter_count());

    let row = SourceRow::of_text(&"a-na be-li₂-ia ".repeat(length)[..length].replace('\u{fffd}', " "));
    let memory = now(model.encode(std::slice::from_ref(&row), 0, &NeverYields))?;
    let encoding = fastest(5, || drop(now(model.encode(std::slice::from_ref(&row), 0, &NeverYields))));
    println!("{:28} {encoding:8.1} ms", "encoding");
    biases(&row)?;
    let write = |bytes: usize| {
        let mut decoding = Decoding::new(&model, &memory, false, NeverYields);
        let mut rows = vec![Continuation { parent: 0, token: 0 }];
        for step in 0..bytes {
            if now(decoding.next(&rows)).is_err() {
                println!("a step failed");
                return;
            }
            // As in a search: beams change places at every other byte, and every 16 bytes half of them come to nothing.
            let parent = |beam: usize| match step {
                0 => 0,
                _ if step % 16 == 0 => beam / 2,
                _ => (beam + step % 2) % beams,
            };
            rows = (0..beams).map(|beam| Continuation { parent: parent(beam), token: 60 + beam as u32 }).collect();
        }
    };
    let (short, long) = (fastest(3, || write(64)), fastest(3, || write(256)));
    for (bytes, time) in [(64, short), (256, long)] {
        println!("{:28} {time:8.1} ms, {:.2} ms a step", format!("{bytes} bytes"), time / bytes as f64);
    }
    println!("{:28} {:8.2}", "256 bytes to 64", long / short);
    println!("{:28} {:8.2}", "with encoding", (long + encoding) / (short + encoding));
    Ok(())
}

/// Measures the cost of the hyperbolic bias over bytes, looked up and by products.
fn biases(row: &SourceRow) -> Result<(), Box<dyn Error>> {
    let mut random = Random::stream(2, 0);
    let points = (0..384 * BALL_DIMENSIONS).map(|_| (random.uniform() as f32 - 0.5) * 0.2).collect();
    let bias = HyperbolicBias::new(points, BALL_DIMENSIONS, 0.1, 4, 1.0, &Device::flex())?;
    let rows = [row.ids.clone()];
    println!("{:28} {:8.1} ms", "bias, looked up", fastest(9, || drop(now(bias.bias(&rows)))));
    println!("{:28} {:8.1} ms", "bias, by products", fastest(9, || drop(bias.by_products(&rows))));
    Ok(())
}
