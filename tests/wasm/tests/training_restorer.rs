//! Training of a restorer in a real worker of a real browser: the first steps of a graphics device compared with the
//! CPU's.
#![cfg(target_family = "wasm")]

use burn::tensor::Device;
use tuppum_domain::restoration::texts::texts;
use tuppum_domain::restoration::training::{Length, RestorerTrainingPlan, RestorerTrainingSettings, Step};
use tuppum_domain::training::OptimiserSettings;
use tuppum_engine::models::device::run_constructors;
use tuppum_nn::torso::{Torso, TorsoBuilder, TorsoConfig};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_text::tokens::{SPECIALS, Vocabulary};
use tuppum_train::restorer::RestorerTrainer;
use tuppum_wasm_tests::graphics;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

const READINGS: [&str; 12] = ["a", "-na", "LUGAL", "ša", "DUMU", "la", "i", "-di₂", "-in", "be", "-li₂", "-ia"];
const LINES: &str = "&P000001\n1. a-na LUGAL be-li₂-ia\n&P000002\n1. DUMU LUGAL i-di₂-in\n2. ša a-na \
    DUMU\n&P000003\n1. la i-di₂-in x a-na be-li₂-ia";

fn vocabulary() -> Vocabulary {
    let tokens = SPECIALS.iter().chain(&READINGS).map(|token| (*token).to_owned());
    Vocabulary::new(tokens.collect()).expect("a vocabulary")
}

/// Returns a torso of two layers of width 32, with weights around zero and norm gains around one.
fn torso(device: &Device) -> Torso {
    let config = TorsoConfig {
        layers: 2,
        d_model: 32,
        d_ff: 64,
        heads: 2,
        head_dim: 16,
        vocabulary: vocabulary().len(),
        rope_base: 10_000.0,
        window: 64,
        longest: 64,
        temperature: 1.0,
    };
    let (mut builder, mut draws) = (TorsoBuilder::new(config.clone(), device.clone()), Random::new(1));
    for spec in config.tensors() {
        let centre = if spec.shape.len() == 1 && !spec.name.ends_with(".bias") { 1.0 } else { 0.0 };
        let count: usize = spec.shape.iter().product();
        let values = (0..count).map(|_| centre + (draws.uniform() as f32 - 0.5) * 0.4).collect();
        builder.put(&spec.name, values).expect("a tensor of the model");
    }
    builder.build().expect("every tensor")
}

async fn train(device: &Device) -> Vec<Step> {
    let settings = RestorerTrainingSettings {
        length: Length::Steps(4),
        optimiser: OptimiserSettings { rate: 3e-3, ..RestorerTrainingSettings::default().optimiser },
        held_out: 0.0,
        window: 64,
        layers: Some(1),
        ..RestorerTrainingSettings::default()
    };
    let plan = RestorerTrainingPlan { texts: texts(LINES), settings };
    let mut trainer =
        RestorerTrainer::new(&torso(device), &vocabulary(), plan).expect("a plan that can be carried out");
    let mut curve = Vec::new();
    while !trainer.is_finished() {
        curve.push(trainer.step(&NeverYields).await.expect("a step"));
    }
    curve
}

#[wasm_bindgen_test]
async fn webgpu_trains_a_restorer_as_the_cpu_does() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    let (expected, found) = (train(&Device::flex()).await, train(&gpu.device).await);
    assert_eq!(expected.len(), 4);
    for (expected, found) in expected.iter().zip(&found) {
        // Stated precision, as for the translator's training: 1e-3 relative.
        let off = [(expected.loss, found.loss), (expected.gradient_norm, found.gradient_norm)]
            .map(|(one, other)| (one - other).abs() / one);
        assert!(off[0] < 1e-3 && off[1] < 1e-3, "step {}: {expected:?} and {found:?}", expected.number);
    }
    assert_eq!(gpu.errors.take(), None);
}
