//! Pairs trained on in a second, on the CPU: a new small model with its bias, the bundled sample, the page's settings.
//! Beside the tab it is measured with one thread: `RAYON_NUM_THREADS=1 cargo bench --package tuppum-lab --profile
//! engine --bench training -- [steps, 40]`

use burn::tensor::Device;
use std::error::Error;
use std::time::Instant;
use tuppum_domain::translation::training::{
    Length, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5Config, HyperbolicBias};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_testing::now;
use tuppum_train::translator::{TranslatorTrainer, fresh};

const SAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/examples/old-assyrian-pairs.tsv"));

fn plan(steps: u32) -> TranslatorTrainingPlan {
    let pair = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        match cells[..] {
            [text, source, target] if !target.is_empty() => Some(TranslationPair::new(text, source, target)),
            _ => None,
        }
    };
    let settings = TranslatorTrainingSettings { length: Length::Steps(steps), ..TranslatorTrainingSettings::default() };
    TranslatorTrainingPlan { pairs: SAMPLE.lines().skip(1).filter_map(pair).collect(), settings }
}

/// Number of runs; the middle one counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let steps = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(40);
    let mut rounds = (0..ROUNDS).map(|_| pairs_a_second(steps)).collect::<Result<Vec<f64>, _>>()?;
    rounds.sort_by(f64::total_cmp);
    println!("training {:.2} pairs a second", rounds[ROUNDS / 2]);
    Ok(())
}

fn pairs_a_second(steps: u32) -> Result<f64, Box<dyn Error>> {
    let config = ByT5Config::named("nano").ok_or("no size is called nano")?;
    let mut model = fresh::model(&config, 1, &Device::flex())?;
    let mut draws = Random::new(1);
    let points = (0..384 * BALL_DIMENSIONS).map(|_| (draws.uniform() as f32 - 0.5) * 0.2).collect();
    let bias = HyperbolicBias::new(points, BALL_DIMENSIONS, 0.1, config.num_layers, 1.0, &Device::flex());
    model.attach(bias?);
    let mut trainer = TranslatorTrainer::new(&model, plan(steps))?;
    let (mut pairs, start) = (0, Instant::now());
    while !trainer.is_finished() {
        pairs += now(trainer.step(&NeverYields))?.pairs;
    }
    Ok(f64::from(pairs) / start.elapsed().as_secs_f64())
}
