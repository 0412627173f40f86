//! Tests of adapters: they begin without effect, have the right gradients, leave the model unchanged, and continue from
//! a checkpoint.

use super::super::task::tests::{model, plan, weights};
use super::super::{TranslatorTrainer, checkpoint};
use super::*;
use crate::error::{FitError, TrainError};
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_domain::translation::training::{Length, TranslatorTrainingSettings};
use tuppum_nn::byt5::SourceRow;
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;
use tuppum_weights::MemorySource;

const RANK: usize = 3;

fn settings(steps: u32) -> TranslatorTrainingSettings {
    TranslatorTrainingSettings {
        length: Length::Steps(steps),
        optimiser: OptimiserSettings { rate: 1e-2, warm_up: 0.0, ..TranslatorTrainingSettings::default().optimiser },
        dropout: 0.0,
        augmented: 0.0,
        held_out: 0.0,
        adapters: Some(LoraSettings { rank: RANK, strength: 6.0 }),
        ..TranslatorTrainingSettings::default()
    }
}

fn logits(model: &ByT5) -> Vec<f32> {
    let row = SourceRow::of_text("a-na {d}UTU");
    let target = vec![vec![0, 75, 90, 80, 33, 40]];
    now(async {
        let memory = model.encode(&[row], 0, &NeverYields).await.unwrap();
        model.logits(&memory, &target, &NeverYields).await.unwrap()
    })
    .into_data()
    .try_to_vec()
    .unwrap()
}

#[test]
fn before_the_first_step_the_model_is_bit_by_bit_what_it_was() {
    let base = model(32, 1);
    let mut trainer = TranslatorTrainer::new(&base, plan(settings(1))).unwrap();
    trainer.task.settle();
    assert_eq!(logits(&trainer.model()), logits(&base));
}

#[test]
fn only_maps_of_attention_and_the_bias_move_and_by_no_more_than_the_rank() {
    let base = model(32, 1);
    let mut trainer = TranslatorTrainer::new(&base, plan(settings(5))).unwrap();
    let first = now(trainer.step(&NeverYields)).unwrap().loss;
    for _ in 1..5 {
        now(trainer.step(&NeverYields)).unwrap();
    }
    let last = trainer.curve().last().unwrap().loss;
    assert!(last < first, "{first} {last}");
    let places = base.tensors().into_iter().map(|(place, _)| place);
    let mut moved = 0;
    for ((place, (name, before)), (_, after)) in places.zip(weights(&base)).zip(weights(&trainer.model())) {
        let may = is_map(&place) || place.is_of_bias();
        assert_eq!(before != after, may, "{name}");
        if is_map(&place) {
            let difference: Vec<f64> = before.iter().zip(&after).map(|(a, b)| f64::from(b - a)).collect();
            let width = place.shape()[1];
            assert!(rank(&difference, width) <= RANK, "{name}");
            moved += 1;
        }
    }
    // Two encoder layers with two maps each, one decoder layer with two and three.
    assert_eq!(moved, 9);
}

/// Returns the rank of a matrix by elimination; numbers below a thousandth of the largest are rounding of f32.
fn rank(numbers: &[f64], width: usize) -> usize {
    let mut rows: Vec<Vec<f64>> = numbers.chunks_exact(width).map(<[f64]>::to_vec).collect();
    let least = 1e-3 * numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let mut found = 0;
    while found < rows.len() {
        let places = (found..rows.len()).flat_map(|row| (0..width).map(move |column| (row, column)));
        let size = |(row, column): &(usize, usize)| rows[*row][*column].abs();
        let Some((row, column)) = places.max_by(|one, other| size(one).total_cmp(&size(other))) else { break };
        if rows[row][column].abs() <= least {
            break;
        }
        rows.swap(found, row);
        let pivot = rows[found].clone();
        for other in &mut rows[found + 1..] {
            let share = other[column] / pivot[column];
            other.iter_mut().zip(&pivot).for_each(|(number, pivot)| *number -= share * pivot);
        }
        found += 1;
    }
    found
}

#[test]
fn gradients_of_both_factors_agree_with_finite_differences() {
    let base = model(32, 4);
    // U must not be zero here, or D had no gradient.
    let mut adapters = LoraAdapters::fresh(&base, &LoraSettings { rank: RANK, strength: 6.0 }, 2);
    let device = base.device();
    let names: Vec<(String, [usize; 2])> = adapters.factors().map(|(name, own)| (name, own.dims())).collect();
    for (name, [rows, columns]) in names.iter().filter(|(name, _)| name.ends_with(".up")) {
        let values = (0..rows * columns).map(|at| 0.1 * ((at % 7) as f32 - 3.0)).collect();
        adapters.put(name, values, &device).unwrap();
    }
    let mut model = base.clone();
    model.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), Some(false)));
    let row = || SourceRow::of_text("a-na {d}UTU");
    let target = vec![vec![0, 75, 90, 80, 33, 40]];
    let loss = |model: &ByT5| {
        let logits = now(async {
            let memory = model.encode(&[row()], 0, &NeverYields).await.unwrap();
            model.logits(&memory, &target, &NeverYields).await.unwrap()
        });
        logits.square().mean()
    };
    adapters.enter(&mut model, true);
    let mut gradients = loss(&model).backward();
    let mut sum = GradientSum::default();
    adapters.take(&mut gradients, &mut sum);
    assert_eq!(sum.by_name.len(), names.len());
    for (name, _) in names.iter().step_by(3) {
        let found: Vec<f32> = sum.by_name[name].clone().into_data().try_to_vec().unwrap();
        let largest = (0..found.len()).max_by(|one, other| found[*one].abs().total_cmp(&found[*other].abs())).unwrap();
        const STEP: f32 = 2e-2;
        let moved = |by: f32| {
            let mut adapters = adapters.clone();
            let (_, own) = adapters.factors().find(|(own, _)| own == name).unwrap();
            let mut values: Vec<f32> = own.clone().into_data().try_to_vec().unwrap();
            values[largest] += by;
            adapters.put(name, values, &device).unwrap();
            let mut model = model.clone();
            adapters.enter(&mut model, false);
            let [value] = loss(&model).into_data().try_to_vec::<f32>().unwrap()[..] else { panic!("no number") };
            f64::from(value)
        };
        let slope = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
        // Losses near 1 are rounded to 1e-7, over 0.04: 3e-6 of slopes above 1e-4; the rest is curvature.
        assert!(
            (slope - f64::from(found[largest])).abs() < 0.03 * slope.abs() + 1e-5,
            "{name}: {slope} {}",
            found[largest]
        );
    }
}

#[test]
fn a_run_of_adapters_goes_on_with_its_base_and_no_other() {
    OptimiserRule::ALL.into_iter().for_each(adapters_go_on);
}

fn adapters_go_on(rule: OptimiserRule) {
    let base = model(32, 1);
    let mut own = plan(settings(4));
    own.settings.optimiser.rule = rule;
    let mut whole = TranslatorTrainer::new(&base, own).unwrap();
    let mut file = Vec::new();
    for step in 0..4 {
        if step == 2 {
            now(checkpoint::write(&whole, &mut file)).unwrap();
        }
        now(whole.step(&NeverYields)).unwrap();
    }
    let read =
        |base: Option<&ByT5>| now(checkpoint::read("run", &mut MemorySource::new(&file[..]), &base_device(), base));
    let mut again = read(Some(&base)).unwrap();
    while !again.is_finished() {
        now(again.step(&NeverYields)).unwrap();
    }
    assert_eq!(weights(&again.model()), weights(&whole.model()));
    // The file holds adapters and the bias with their moments, and the points that the run began with, but not the
    // model.
    let numbers: u64 = 3 * whole.trained() + 384 * 32;
    assert!((file.len() as u64) < 4 * numbers + 20_000, "{} bytes for {numbers} numbers", file.len());
    let said = |base: Option<&ByT5>| read(base).unwrap_err();
    assert!(matches!(said(None), TrainError::Fit(FitError::NoBase)));
    assert!(matches!(said(Some(&model(48, 1))), TrainError::Fit(FitError::OtherBase)));
}

fn base_device() -> Device {
    Device::flex()
}

#[test]
fn sizes_are_those_of_the_tensors() {
    let base = model(32, 1);
    let adapters = LoraAdapters::fresh(&base, &LoraSettings { rank: RANK, strength: 6.0 }, 2);
    let own: usize = adapters.factors().map(|(_, tensor)| tensor.shape().num_elements()).sum();
    let maps: usize = adapters.by_map.values().map(|adapter| adapter.base.shape().num_elements()).sum();
    assert_eq!(base.config().size().adapters(RANK), [own as u64, maps as u64]);
}
