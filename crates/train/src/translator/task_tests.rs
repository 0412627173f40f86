//! Tests of whole runs with small models: they learn, they can be interrupted and continued, and nothing half-made is
//! left.

use super::*;
use crate::translator::{TranslatorTrainer, export, fresh};
use crate::{checkpoint, run_checks};
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_domain::translation::training::{
    Length, LoraSettings, TranslationPair, TranslatorObjective, TranslatorPart,
};
use tuppum_nn::byt5::{ByT5Config, ByT5Error, GeometryLevel, HyperbolicBias};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_testing::now;
use tuppum_text::signs::taxonomy::SignTree;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::{MemorySource, load_byt5};

/// Returns a model of 2 + 1 layers, drawn as T5 draws its weights, with a bias over bytes.
pub(in crate::translator) fn model(width: usize, seed: u64) -> ByT5 {
    let config = ByT5Config {
        d_model: width,
        d_kv: 16,
        num_heads: 2,
        d_ff: 2 * width,
        num_layers: 2,
        num_decoder_layers: Some(1),
        geometry_layers: 1,
        ..ByT5Config::named("tiny").unwrap()
    };
    let mut draws = Random::new(seed);
    let mut model = fresh::model(&config, seed, &Device::flex()).unwrap();
    let points = (0..384 * 32).map(|_| (draws.uniform() as f32 - 0.5) * 0.2).collect();
    model.attach(HyperbolicBias::new(points, 32, 0.1, 1, 1.0, &Device::flex()).unwrap());
    model
}

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

pub(in crate::translator) fn plan(settings: TranslatorTrainingSettings) -> TranslatorTrainingPlan {
    let pairs = LINES.iter().enumerate();
    TranslatorTrainingPlan {
        pairs: pairs
            .map(|(number, (source, target))| TranslationPair::new(number.to_string(), *source, *target))
            .collect(),
        settings,
    }
}

/// Returns settings without chance: every pair trains, none is altered.
fn bare() -> TranslatorTrainingSettings {
    TranslatorTrainingSettings {
        held_out: 0.0,
        augmented: 0.0,
        dropout: 0.0,
        optimiser: OptimiserSettings { weight_decay: 0.0, ..TranslatorTrainingSettings::default().optimiser },
        ..TranslatorTrainingSettings::default()
    }
}

pub(in crate::translator) fn weights(model: &ByT5) -> Vec<(String, Vec<f32>)> {
    let read = |(place, tensor): (tuppum_nn::byt5::ByT5ParameterSpec, Tensor<2>)| {
        (place.name, tensor.into_data().try_to_vec().unwrap())
    };
    model.tensors().into_iter().map(read).collect()
}

#[test]
fn eight_pairs_are_learnt_by_heart() {
    assert!(LINES.iter().all(|(source, target)| source.len() <= 32 && target.len() <= 32));
    let settings = TranslatorTrainingSettings {
        length: Length::Steps(150),
        optimiser: OptimiserSettings { rate: 5e-3, warm_up: 0.05, ..bare().optimiser },
        batch_bytes: 1024,
        ..bare()
    };
    let mut trainer = TranslatorTrainer::new(&model(64, 1), plan(settings)).unwrap();
    assert_eq!(trainer.plan().split()[0].len(), 8);
    assert!(trainer.model().geometry().is_some());
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap();
    }
    let curve = trainer.curve();
    println!("loss: {:?}", curve.iter().step_by(15).map(|step| step.loss).collect::<Vec<_>>());
    assert!(curve[0].loss > 3.0 && curve[149].loss < 0.1, "{} {}", curve[0].loss, curve[149].loss);
    assert!(matches!(now(trainer.step(&NeverYields)), Err(TrainError::Finished)));
}

/// Returns the plan of a run with chance in it: augmentation, dropout, several batches per step, a held-out text.
fn with_chance() -> TranslatorTrainingPlan {
    let settings = TranslatorTrainingSettings {
        length: Length::Epochs(3),
        batch_bytes: 128,
        accumulation: 2,
        optimiser: OptimiserSettings { rate: 1e-3, ..TranslatorTrainingSettings::default().optimiser },
        ..TranslatorTrainingSettings::default()
    };
    plan(settings)
}

#[test]
fn a_run_that_goes_on_from_a_checkpoint_is_the_same_bit_by_bit() {
    for rule in OptimiserRule::ALL {
        let mut own = with_chance();
        own.settings.optimiser.rule = rule;
        run_checks::goes_on(|| TranslatorTrainer::new(&model(32, 1), own.clone()).unwrap(), None);
    }
}

#[test]
fn every_rule_moves_all_parameters_and_lowers_the_loss_and_what_it_keeps_is_in_the_file() {
    let before = model(32, 1);
    let file = |rule| {
        let mut own = with_chance();
        own.settings.length = Length::Steps(30);
        own.settings.optimiser = OptimiserSettings { rule, rate: 3e-3, ..own.settings.optimiser };
        let mut trainer = TranslatorTrainer::new(&before, own).unwrap();
        let first = now(trainer.validate(&NeverYields)).unwrap().unwrap();
        while !trainer.is_finished() {
            now(trainer.step(&NeverYields)).unwrap();
        }
        let last = now(trainer.validate(&NeverYields)).unwrap().unwrap();
        assert!(last.bits_per_byte < first.bits_per_byte, "{rule:?}: {first:?} {last:?}");
        for ((place, one), (_, other)) in before.tensors().into_iter().zip(trainer.model().tensors()) {
            let same = one.into_data().try_to_vec::<f32>().unwrap() == other.into_data().try_to_vec::<f32>().unwrap();
            assert!(!same, "{} rests with {rule:?}", place.name);
        }
        let mut file = Vec::new();
        now(checkpoint::write(&trainer, &mut file)).unwrap();
        file.len() as f64
    };
    let [adamw, adafactor, muon] = OptimiserRule::ALL.map(file);
    // The file holds the weights with two moments, none, or one: three parts, one and two; in addition names and plan,
    // and the points with both moments.
    assert!(adafactor < 0.6 * adamw && muon > 0.6 * adamw && muon < 0.9 * adamw, "{adamw} {adafactor} {muon}");
}

#[test]
fn a_checkpoint_that_was_altered_or_cut_is_refused() {
    let mut exported = Vec::new();
    now(export::weights(&model(32, 1), Dtype::F32, &mut exported)).unwrap();
    run_checks::refuses_damaged_checkpoints(TranslatorTrainer::new(&model(32, 1), with_chance()).unwrap(), &exported);
}

#[test]
fn a_stopped_step_was_not_made_and_is_made_again_the_same() {
    run_checks::makes_stopped_steps_again(|| TranslatorTrainer::new(&model(32, 1), with_chance()).unwrap());
}

#[test]
fn batches_of_one_step_count_like_one_large_batch() {
    let trainer = |batch_bytes, accumulation| {
        let settings = TranslatorTrainingSettings { length: Length::Steps(3), batch_bytes, accumulation, ..bare() };
        TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap()
    };
    run_checks::accumulates(trainer(4096, 1), trainer(128, 8));
}

#[test]
fn a_batch_in_parts_counts_like_the_whole() {
    let trainer = |parts| {
        let settings = TranslatorTrainingSettings { length: Length::Steps(3), parts, ..bare() };
        TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap()
    };
    run_checks::accumulates(trainer(1), trainer(3));
    // There are more parts than rows.
    run_checks::accumulates(trainer(1), trainer(1000));
    let mut begun_whole = trainer(1);
    begun_whole.compute_in_parts(3);
    assert_eq!(begun_whole.plan().settings.parts, 3);
    run_checks::accumulates(begun_whole, trainer(3));
}

#[test]
fn parts_on_several_threads_make_the_same_steps_bit_for_bit() {
    for adapters in [None, Some(LoraSettings { rank: 2, strength: 4.0 })] {
        let run = |at_once: usize| {
            let mut own = with_chance();
            own.settings.length = Length::Steps(4);
            (own.settings.parts, own.settings.adapters) = (3, adapters);
            let mut trainer = TranslatorTrainer::new(&model(32, 1), own).unwrap();
            trainer.compute_at_once(at_once);
            while !trainer.is_finished() {
                now(trainer.step(&NeverYields)).unwrap();
            }
            (weights(&trainer.model()), trainer.curve().to_vec())
        };
        let one_by_one = run(1);
        assert_eq!(run(2), one_by_one);
        assert_eq!(run(16), one_by_one, "more threads than parts");
    }
}

#[test]
fn what_is_frozen_stays_and_the_rest_moves() {
    for group in TranslatorPart::ALL {
        let frozen = TranslatorPart::ALL.into_iter().filter(|other| *other != group).collect();
        let settings = TranslatorTrainingSettings {
            length: Length::Steps(2),
            frozen,
            optimiser: OptimiserSettings { warm_up: 0.0, ..bare().optimiser },
            ..bare()
        };
        let before = model(32, 1);
        let mut trainer = TranslatorTrainer::new(&before, plan(settings)).unwrap();
        now(trainer.step(&NeverYields)).unwrap();
        let after = trainer.model();
        for ((place, one), (_, other)) in before.tensors().into_iter().zip(after.tensors()) {
            let same = one.into_data().try_to_vec::<f32>().unwrap() == other.into_data().try_to_vec::<f32>().unwrap();
            assert_eq!(same, place.group != group, "{} with only {group:?} trained", place.name);
        }
    }
    let all = TranslatorTrainingSettings { frozen: TranslatorPart::ALL.into(), ..bare() };
    let said = TranslatorTrainer::new(&model(32, 1), plan(all)).unwrap_err().to_string();
    assert!(said.contains("nothing is left to train"), "{said}");
}

#[test]
fn a_detached_bias_takes_no_part() {
    let settings = TranslatorTrainingSettings { length: Length::Steps(1), bias: false, ..bare() };
    let mut trainer = TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap();
    assert_eq!(now(trainer.step(&NeverYields)).unwrap().alpha, None);
    let model = trainer.model();
    assert!(model.geometry().is_none() && !model.device().is_autodiff());
}

#[test]
fn an_export_is_read_back_as_the_same_model() {
    let settings = TranslatorTrainingSettings { bias_layers: Some(2), ..TranslatorTrainingSettings::default() };
    let mut trainer = TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap();
    now(trainer.step(&NeverYields)).unwrap();
    let (own, mut file) = (trainer.model(), Vec::new());
    now(export::weights(&own, Dtype::F32, &mut file)).unwrap();
    let config = ByT5Config::from_json(&export::config(&own).unwrap()).unwrap();
    assert_eq!(config.geometry_layers, 2);
    let (mut source, device) = (MemorySource::new(&file[..]), Device::flex());
    let read = now(load_byt5(&config, &mut source, None, &device, |_, _| (), &NeverYields)).unwrap();
    assert_eq!(weights(&read), weights(&own));
    let pairs = LINES.to_vec();
    let [one, other] = [&own, &read].map(|model| now(validation(model, &pairs, 512, &NeverYields)).unwrap());
    assert_eq!(one, other);
}

#[test]
fn a_loss_that_is_no_number_changes_nothing() {
    let optimiser = OptimiserSettings { rate: 1e30, warm_up: 0.0, clip: 1e30, ..bare().optimiser };
    let settings = TranslatorTrainingSettings { length: Length::Steps(5), optimiser, ..bare() };
    run_checks::diverges_without_a_change(TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap());
}

#[test]
fn validation_counts_bits_without_padding_and_training_lowers_them() {
    let pairs = LINES.to_vec();
    let own = model(32, 1);
    let [single, together] = [1, 4096].map(|bytes| now(validation(&own, &pairs, bytes, &NeverYields)).unwrap());
    for (one, other) in single.bits.iter().zip(&together.bits) {
        // A masked place adds exp(−1e9) = 0; the difference is rounding.
        assert!((one - other).abs() < 1e-4 * one, "{one} {other}");
    }
    assert_eq!(single.bytes, LINES.map(|(_, target)| target.len() as u32 + 1));
    let mut trainer = TranslatorTrainer::new(
        &own,
        plan(TranslatorTrainingSettings {
            length: Length::Steps(30),
            optimiser: OptimiserSettings { rate: 3e-3, ..TranslatorTrainingSettings::default().optimiser },
            ..TranslatorTrainingSettings::default()
        }),
    )
    .unwrap();
    let before = now(trainer.validate(&NeverYields)).unwrap().unwrap();
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap();
    }
    let after = now(trainer.validate(&NeverYields)).unwrap().unwrap();
    assert!(after.bits_per_byte < before.bits_per_byte && after.after == 30, "{before:?} {after:?}");
    assert_eq!(trainer.validations().len(), 2);
}

#[test]
fn spans_are_learnt_without_any_target() {
    let pairs = LINES.iter().map(|(source, _)| TranslationPair::new(*source, *source, "")).collect();
    let task = TranslatorObjective::Spans { share: 0.15, mean: 3 };
    let settings = TranslatorTrainingSettings {
        task,
        length: Length::Steps(40),
        optimiser: OptimiserSettings { rate: 5e-3, ..TranslatorTrainingSettings::default().optimiser },
        augmented: 0.0,
        ..TranslatorTrainingSettings::default()
    };
    let mut trainer = TranslatorTrainer::new(&model(32, 1), TranslatorTrainingPlan { pairs, settings }).unwrap();
    let before = now(trainer.validate(&NeverYields)).unwrap().unwrap();
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap();
    }
    let after = now(trainer.validate(&NeverYields)).unwrap().unwrap();
    assert_eq!(before.bytes, after.bytes);
    assert!(after.bits_per_byte < before.bits_per_byte, "{before:?} {after:?}");
}

#[test]
fn a_bias_over_signs_knows_which_sign_each_byte_belongs_to() {
    let own = ["{d}UTU", "a-na"].map(bytes::encode);
    let mut signed = model(32, 1);
    assert!(rows(&signed, &own).iter().all(|row| row.points.is_none()));
    let config = ByT5Config { geometry_level: GeometryLevel::Sign, ..signed.config().clone() };
    let bias = signed.detach().unwrap();
    signed = fresh::model(&config, 1, &Device::flex()).unwrap();
    signed.attach(bias);
    for (row, ids) in rows(&signed, &own).iter().zip(&own) {
        assert_eq!(row.points.as_deref(), Some(&SignTree::shared().numbers(&bytes::decode(ids))[..]));
    }
}

#[test]
fn a_row_that_cannot_be_read_is_named() {
    let long = TranslationPair::new("", "a".repeat(3_000), "b");
    let settings = TranslatorTrainingSettings {
        longest: 5_000,
        augmented: 0.0,
        held_out: 0.0,
        ..TranslatorTrainingSettings::default()
    };
    let mut trainer =
        TranslatorTrainer::new(&model(32, 1), TranslatorTrainingPlan { pairs: vec![long], settings }).unwrap();
    assert!(matches!(now(trainer.step(&NeverYields)), Err(TrainError::Model(ByT5Error::Row(_)))));
}
