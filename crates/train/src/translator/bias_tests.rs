//! Tests of a new bias: any model takes it, it learns alone and leaves every other number unchanged, it can be removed
//! without a trace, and it is stored.

use super::super::task::tests::{model, plan, weights};
use super::super::{TranslatorTrainer, checkpoint, export};
use super::*;
use crate::error::TrainError;
use crate::run_checks;
use burn::tensor::Device;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::learns::Learns;
use tuppum_domain::translation::training::{Length, TranslatorTrainingSettings};
use tuppum_nn::byt5::ByT5Config;
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::{now, project};
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::{MemorySource, load_byt5};

/// Returns a model that has no bias yet.
fn bare() -> ByT5 {
    let mut model = model(32, 1);
    model.detach();
    model
}

fn with(bias: &BiasSettings) -> ByT5 {
    let mut model = bare();
    let file = std::fs::read(project("assets/geometry").join(bias.points.file())).unwrap();
    assert!(held(bias.points).is_none_or(|held| held == file), "{:?}: another file is held", bias.points);
    attach(&mut model, bias, &file).unwrap();
    model
}

fn on_two_layers(points: BiasPoints) -> BiasSettings {
    BiasSettings { points, layers: 2, ..BiasSettings::default() }
}

fn settings(learns: Learns, bias: Option<BiasSettings>, steps: u32) -> TranslatorTrainingSettings {
    let usual = TranslatorTrainingSettings {
        length: Length::Steps(steps),
        optimiser: OptimiserSettings { rate: 1e-2, warm_up: 0.0, ..TranslatorTrainingSettings::default().optimiser },
        attach: bias,
        ..TranslatorTrainingSettings::default()
    };
    usual.learning(learns)
}

/// Returns the bits of the logits for a line with the source's example.
fn logits(model: &ByT5) -> Vec<u32> {
    let (row, target) = (model.row_of("a-na {d}UTU"), vec![vec![0, 75, 90, 80, 33, 40]]);
    let logits = now(async {
        let memory = model.encode(&[row], 0, &NeverYields).await.unwrap();
        model.logits(&memory, &target, &NeverYields).await.unwrap()
    });
    logits.into_data().try_to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

/// Writes a model and reads it again.
fn exported(model: &ByT5) -> ByT5 {
    let mut file = Vec::new();
    now(export::weights(model, Dtype::F32, &mut file)).unwrap();
    let config = ByT5Config::from_json(&export::config(model).unwrap()).unwrap();
    let (mut source, device) = (MemorySource::new(&file[..]), Device::flex());
    now(load_byt5(&config, &mut source, None, &device, |_, _| (), &NeverYields)).unwrap()
}

#[test]
fn the_bias_learns_alone_and_comes_off_without_a_trace() {
    for points in BiasPoints::ALL {
        let (base, bias) = (bare(), on_two_layers(points));
        let begun = with(&bias);
        assert_ne!(logits(&begun), logits(&base), "{points:?}: it changes what the model computes");
        let mut trainer = TranslatorTrainer::new(&begun, plan(settings(Learns::Bias, Some(bias), 3))).unwrap();
        let numbers = if points.are_over_signs() { 4_190 * 32 + 1 } else { 12_289 };
        assert_eq!(trainer.trained(), numbers);
        while !trainer.is_finished() {
            now(trainer.step(&NeverYields)).unwrap();
        }
        let last = trainer.curve().last().unwrap();
        assert!(last.points.unwrap().largest > 0.0 && last.alpha != Some(bias.alpha), "{points:?}: {last:?}");
        let mut after = trainer.model();
        for ((name, before), (_, after)) in weights(&begun).into_iter().zip(weights(&after)) {
            assert_eq!(before != after, name.starts_with("geometry."), "{points:?}: {name}");
        }
        assert_eq!(logits(&exported(&after)), logits(&after), "{points:?}: the export is the same model");
        after.detach();
        assert_eq!(logits(&after), logits(&base), "{points:?}");
        assert_eq!(weights(&exported(&after)), weights(&base), "{points:?}");
    }
}

#[test]
fn a_run_of_the_bias_alone_goes_on_with_a_base_that_has_none() {
    let bias = BiasSettings { curvature: 0.5, ..on_two_layers(BiasPoints::Soft) };
    for learns in [Learns::Bias, Learns::Adapters] {
        let begin = || TranslatorTrainer::new(&with(&bias), plan(settings(learns, Some(bias), 4))).unwrap();
        run_checks::goes_on(begin, Some(&bare()));
        let mut file = Vec::new();
        now(checkpoint::write(&begin(), &mut file)).unwrap();
        let read = |base: Option<&ByT5>| {
            now(checkpoint::read("run", &mut MemorySource::new(&file[..]), &Device::flex(), base))
        };
        assert!(matches!(read(None), Err(TrainError::Fit(FitError::NoBase))));
        let again = read(Some(&with(&on_two_layers(BiasPoints::Signs)))).unwrap().model();
        let geometry = again.geometry().unwrap();
        assert_eq!((geometry.layers(), geometry.curvature(), geometry.count()), (2, 0.5, 384));
        if learns == Learns::Bias {
            // The file holds the current bias and the one that the run began with; there are no moments before the
            // first step.
            assert!(file.len() < 4 * 2 * 12_289 + 20_000, "{} bytes", file.len());
        }
    }
}

#[test]
fn a_curved_ball_of_another_size_has_the_points_at_the_same_places() {
    let usual = now(with(&on_two_layers(BiasPoints::Hard)).geometry().unwrap().values()).unwrap().0;
    let of = |curvature| {
        let bias = BiasSettings { curvature, ..on_two_layers(BiasPoints::Hard) };
        now(with(&bias).geometry().unwrap().values()).unwrap().0
    };
    assert_eq!(of(4.0), usual.iter().map(|x| x / 2.0).collect::<Vec<_>>());
}

#[test]
fn what_does_not_fit_the_model_is_refused() {
    let too_deep = BiasSettings { layers: 3, ..BiasSettings::default() };
    let refused = attach(&mut bare(), &too_deep, HARD).unwrap_err();
    assert_eq!(refused, FitError::BiasLayers { asked: 3, layers: 2 });
    let refused = attach(&mut bare(), &on_two_layers(BiasPoints::Hard), b"<html>").unwrap_err();
    assert!(refused.to_string().starts_with("the points of the hyperbolic bias cannot be used"), "{refused}");
    let none = TranslatorTrainer::new(&bare(), plan(settings(Learns::Bias, None, 4)));
    assert!(matches!(none, Err(TrainError::Fit(FitError::NoBias))));
}
