//! Training in a real worker of a real browser, on both devices: single steps as the reference makes them, eight pairs
//! learnt by heart, and the first steps of a graphics device compared with the CPU's.
#![cfg(target_family = "wasm")]

use burn::tensor::{Device, Tensor, TensorData};
use serde_json::Value;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::training_memory::TrainingMemory;
use tuppum_domain::translation::training::{
    Length, Step, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_engine::models::device::run_constructors;
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, ByT5Config, HyperbolicBias};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_train::ball::PoincareBall;
use tuppum_train::optimiser::{Optimiser, TensorRule};
use tuppum_train::translator::{TranslatorTrainer, fresh};
use tuppum_train::update_rules::RiemannianAdam;
use tuppum_train::update_rules::TensorUpdate;
use tuppum_wasm_tests::graphics;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Golden steps, made by `recipes/golden_training.py`.
const STEPS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/training/steps.json"));

/// Golden points, made by `recipes/golden_ball_adam.py`.
const POINTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/geometry/ball_adam.json"));

/// Pairs of at most 32 bytes.
const LINES: [(&str, &str); 8] = [
    ("um-ma a-šur-i-di₂-ma", "Thus says Aššur-iddin"),
    ("a-na {d}UTU be-li₂-ia", "to Šamaš, my lord"),
    ("ṭup-pa-am ni-iš-me-ma", "we heard the tablet"),
    ("KU₃.BABBAR u₂-la a-di₂-in", "I gave no silver"),
    ("10 GIN₂ KU₃.BABBAR", "10 shekels of silver"),
    ("a-lim{KI} u₃ ṣa-bi-im", "the city and the troops"),
    ("LUGAL GAL-u₂", "great king"),
    ("e-ri-iš", "he asked"),
];

/// Returns a translator of width 64 with 2 + 1 layers and a bias over bytes.
fn model(device: &Device) -> ByT5 {
    let config = ByT5Config {
        d_model: 64,
        d_kv: 16,
        num_heads: 2,
        d_ff: 128,
        num_layers: 2,
        num_decoder_layers: Some(1),
        geometry_layers: 1,
        ..ByT5Config::named("tiny").expect("a size")
    };
    let mut model = fresh::model(&config, 1, device).expect("a model");
    let mut draws = Random::new(1);
    let points = (0..384 * BALL_DIMENSIONS).map(|_| (draws.uniform() as f32 - 0.5) * 0.2).collect();
    model.attach(HyperbolicBias::new(points, BALL_DIMENSIONS, 0.1, 1, 1.0, device).expect("a bias"));
    model
}

/// Returns a plan without chance: every pair trains, and none is altered.
fn plan(steps: u32) -> TranslatorTrainingPlan {
    let settings = TranslatorTrainingSettings {
        length: Length::Steps(steps),
        optimiser: OptimiserSettings {
            rate: 5e-3,
            warm_up: 0.05,
            weight_decay: 0.0,
            ..TranslatorTrainingSettings::default().optimiser
        },
        batch_bytes: 1024,
        held_out: 0.0,
        augmented: 0.0,
        dropout: 0.0,
        ..TranslatorTrainingSettings::default()
    };
    let pairs = LINES.iter().enumerate();
    TranslatorTrainingPlan {
        pairs: pairs
            .map(|(number, (source, target))| TranslationPair::new(number.to_string(), *source, *target))
            .collect(),
        settings,
    }
}

async fn train(device: &Device, of: u32, steps: u32) -> Vec<Step> {
    let mut trainer = TranslatorTrainer::new(&model(device), plan(of)).expect("a plan that can be carried out");
    let mut curve = Vec::new();
    for _ in 0..steps {
        curve.push(trainer.step(&NeverYields).await.expect("a step"));
    }
    curve
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number") as f32).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

async fn check(found: Tensor<2>, expected: &Value, tolerance: f32) {
    let found: Vec<f32> = found.into_data_async().await.expect("a reading").try_into_vec().expect("fractions");
    for (found, expected) in found.iter().zip(numbers(expected)) {
        assert!((found - expected).abs() < tolerance * expected.abs().max(1.0), "{found} and {expected}");
    }
}

async fn check_single_steps(device: &Device) {
    let golden: Value = serde_json::from_str(STEPS).expect("the golden file");
    let tensor = |value: &Value, columns: usize| {
        let numbers = numbers(value);
        let rows = numbers.len() / columns;
        Tensor::<2>::from_data(TensorData::new(numbers, [rows, columns]), device)
    };
    for rule in ["adamw", "adafactor", "muon"] {
        for expected in golden[rule].as_array().expect("tensors") {
            let columns = expected["columns"].as_u64().expect("a number") as usize;
            let own = match rule {
                "adamw" => TensorRule::AdamW,
                "adafactor" => TensorRule::Adafactor,
                _ => TensorRule::Muon(vec![columns]),
            };
            let (mut optimiser, mut value) = (Optimiser::default(), tensor(&expected["start"], columns));
            for (step, made) in expected["steps"].as_array().expect("steps").iter().zip(1..) {
                let update = TensorUpdate {
                    rate: number(&step["rate"]),
                    betas: [0, 1].map(|one| number(&expected["betas"][one])),
                    epsilon: number(&expected["epsilon"]),
                    decay: number(&expected["decay"]),
                    number: made,
                };
                value = optimiser.moved("a", value, tensor(&step["gradient"], columns), &update, &own);
                // Stated precision: 1e-5, as f32 arithmetic allows.
                check(value.clone(), &step["value"], 1e-5).await;
            }
        }
    }
    check_steps_of_points(device).await;
}

async fn check_steps_of_points(device: &Device) {
    let golden: Value = serde_json::from_str(POINTS).expect("the golden file");
    for case in golden["cases"].as_array().expect("cases") {
        let columns = number(&case["dimensions"]) as usize;
        let tensor = |value: &Value| {
            let numbers = numbers(value);
            let rows = numbers.len() / columns;
            Tensor::<2>::from_data(TensorData::new(numbers, [rows, columns]), device)
        };
        let ball = PoincareBall::new(number(&case["c"]));
        let (mut points, mut moments) = (tensor(&case["start"]), None);
        for (step, made) in case["steps"].as_array().expect("steps").iter().zip(1..) {
            let update = TensorUpdate {
                rate: number(&step["rate"]),
                betas: [0, 1].map(|one| number(&case["betas"][one])),
                epsilon: number(&case["epsilon"]),
                decay: 0.0,
                number: made,
            };
            let (moved, after) = ball.adam(points, tensor(&step["gradient"]), moments, &update);
            // f32 rounding at 0.95 of the radius is amplified by 1 / (1 − 0.95²), over eight steps; tanh and roots of a
            // graphics device are a few digits less precise.
            check(moved.clone(), &step["points"], 1e-3).await;
            (points, moments) = (moved, Some(after));
        }
    }
}

#[wasm_bindgen_test]
async fn single_steps_on_the_cpu_are_those_of_the_reference() {
    run_constructors();
    check_single_steps(&Device::flex()).await;
}

#[wasm_bindgen_test]
async fn single_steps_on_webgpu_are_those_of_the_reference() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    check_single_steps(&gpu.device).await;
    assert_eq!(gpu.errors.take(), None);
}

#[wasm_bindgen_test]
async fn eight_pairs_are_learnt_by_heart_on_the_cpu() {
    run_constructors();
    assert!(LINES.iter().all(|(source, target)| source.len() <= 32 && target.len() <= 32));
    let curve = train(&Device::flex(), 150, 150).await;
    assert!(curve[0].loss > 3.0 && curve[149].loss < 0.1, "{} {}", curve[0].loss, curve[149].loss);
}

/// The graphics allocator's bytes after two steps must stay within the estimate by which the page plans.
#[wasm_bindgen_test]
async fn what_training_holds_on_webgpu_is_within_the_estimate() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    // Memory held by earlier tests must not count.
    gpu.device.memory_cleanup();
    let before = gpu.device.memory_pool_usage().expect("what the allocator holds").bytes_reserved;
    let model = model(&gpu.device);
    let mut plan = plan(2);
    // Sixteen copies of each line, so that activations outweigh the weights.
    plan.pairs = std::iter::repeat_n(plan.pairs, 16).flatten().collect();
    plan.settings.batch_bytes = 4096;
    let estimate = TrainingMemory::of_translator(model.config().size(), &plan).bytes_on_card();
    let mut trainer = TranslatorTrainer::new(&model, plan).expect("a plan that can be carried out");
    for _ in 0..2 {
        trainer.step(&NeverYields).await.expect("a step");
    }
    let held = gpu.device.memory_pool_usage().expect("what the allocator holds");
    console_log!("{held:?}, {before} bytes before, estimated {estimate}");
    assert!(
        held.bytes_reserved.saturating_sub(before) < estimate,
        "{held:?}, {before} bytes before, estimated {estimate}"
    );
    assert_eq!(gpu.errors.take(), None);
}

#[wasm_bindgen_test]
async fn webgpu_learns_as_the_cpu_does() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    let (expected, found) = (train(&Device::flex(), 150, 5).await, train(&gpu.device, 150, 5).await);
    for (expected, found) in expected.iter().zip(&found) {
        // Stated precision: 1e-3 relative.
        let off = (expected.loss - found.loss).abs() / expected.loss;
        assert!(off < 1e-3, "step {}: {} and {}", expected.number, expected.loss, found.loss);
    }
    assert!(found[4].loss < found[0].loss, "{} {}", found[0].loss, found[4].loss);
    assert_eq!(gpu.errors.take(), None);
}
