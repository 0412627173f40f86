//! Tests of when the points of a run move, how far, and what its file stores of them.

use super::points::LearntPoints;
use super::task::tests::{model, plan, weights};
use super::{TranslatorTrainer, checkpoint};
use burn::tensor::{Device, Tensor};
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::points::{PointsMoved, PointsSettings};
use tuppum_domain::translation::training::{Length, TranslatorPart, TranslatorTrainingSettings};
use tuppum_nn::byt5::{ByT5, HyperbolicBias};
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;
use tuppum_weights::MemorySource;

const STEPS: u32 = 8;
const POINTS: &str = "geometry.points";

fn settings(points: PointsSettings) -> TranslatorTrainingSettings {
    let usual = TranslatorTrainingSettings::default();
    TranslatorTrainingSettings {
        length: Length::Steps(STEPS),
        held_out: 0.0,
        optimiser: OptimiserSettings { rate: 1e-3, warm_up: 0.0, ..usual.optimiser },
        points,
        ..usual
    }
}

fn trainer(points: PointsSettings) -> TranslatorTrainer {
    TranslatorTrainer::new(&model(32, 1), plan(settings(points))).unwrap()
}

fn points(model: &ByT5) -> Vec<f32> {
    weights(model).into_iter().find_map(|(name, values)| (name == POINTS).then_some(values)).unwrap()
}

/// Makes all steps and returns the distances after each step but the last; they are reported by the following step.
fn ways(trainer: &mut TranslatorTrainer) -> Vec<PointsMoved> {
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap();
    }
    trainer.curve().iter().map(|step| step.points.unwrap()).collect()
}

fn make(trainer: &mut TranslatorTrainer, steps: u32) {
    for _ in 0..steps {
        now(trainer.step(&NeverYields)).unwrap();
    }
}

#[test]
fn points_rest_for_as_many_steps_as_the_plan_wants_and_then_move() {
    let mut rested = trainer(PointsSettings { rest: 3, ..PointsSettings::default() });
    let start = points(&rested.model());
    let found = ways(&mut rested);
    assert!(found[..4].iter().all(|way| way.mean == 0.0 && way.largest == 0.0 && way.gradient > 0.0), "{found:?}");
    assert!(found[4..].is_sorted_by(|one, other| one.mean < other.mean), "{found:?}");
    assert_ne!(points(&rested.model()), start);
    assert_eq!(rested.task.points.as_ref().unwrap().steps, STEPS - 3);
    // The first step of Adam is as long as its rate for every point with a gradient, up to f32's rounding (1e-3).
    let rate = rested.curve()[3].rate * rested.plan().settings.optimiser.points_rate.unwrap();
    assert!((f64::from(found[4].largest) - rate).abs() < 1e-3 * rate, "{found:?} {rate}");
}

#[test]
fn a_pull_holds_points_back() {
    let [free, pulled] =
        [0.0, 60.0].map(|pull| ways(&mut trainer(PointsSettings { pull, ..PointsSettings::default() })));
    let last = |ways: &[PointsMoved]| ways[ways.len() - 1];
    // A rate of 1e-2 times 60 leaves less than half of the distance between a point and its start.
    assert!(last(&pulled).mean < 0.6 * last(&free).mean, "{pulled:?} {free:?}");
    assert!(last(&pulled).mean > 0.0);
}

#[test]
fn the_cut_of_the_points_and_that_of_the_weights_do_not_touch_each_other() {
    let moved = |clip: f64, of_points: f64| {
        let mut settings = settings(PointsSettings { clip: of_points, ..PointsSettings::default() });
        // Only through ε does Adam depend on the length of the gradient.
        (settings.optimiser.clip, settings.optimiser.epsilon) = (clip, 1.0);
        let mut trainer = TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap();
        now(trainer.step(&NeverYields)).unwrap();
        let all = weights(&trainer.model());
        let rest: Vec<_> = all.iter().filter(|(name, _)| name != POINTS).cloned().collect();
        (points(&trainer.model()), rest)
    };
    let [both, of_weights, of_points] = [(1.0, 1.0), (1e-3, 1.0), (1.0, 1e-6)].map(|(one, other)| moved(one, other));
    assert!(both.0 == of_weights.0 && both.1 != of_weights.1);
    assert!(both.0 != of_points.0 && both.1 == of_points.1);
}

#[test]
fn without_curvature_points_move_too() {
    let mut flat = model(32, 1);
    let values = points(&flat);
    flat.attach(HyperbolicBias::new(values, 32, 0.1, 1, 0.0, &Device::flex()).unwrap());
    let mut trainer = TranslatorTrainer::new(&flat, plan(settings(PointsSettings::default()))).unwrap();
    let found = ways(&mut trainer);
    assert!(found[1..].iter().all(|way| way.mean > 0.0 && way.largest.is_finite()), "{found:?}");
}

#[test]
fn frozen_points_and_none_have_no_way() {
    let frozen =
        TranslatorTrainingSettings { frozen: [TranslatorPart::Points].into(), ..settings(PointsSettings::default()) };
    let without = TranslatorTrainingSettings { bias: false, ..settings(PointsSettings::default()) };
    for settings in [frozen, without] {
        let mut trainer = TranslatorTrainer::new(&model(32, 1), plan(settings)).unwrap();
        assert_eq!(now(trainer.step(&NeverYields)).unwrap().points, None);
        assert!(!trainer.optimiser.moments.contains_key(POINTS));
    }
}

fn written(trainer: &TranslatorTrainer) -> Vec<u8> {
    let mut file = Vec::new();
    now(checkpoint::write(trainer, &mut file)).unwrap();
    file
}

fn read(file: &[u8]) -> TranslatorTrainer {
    now(checkpoint::read("run", &mut MemorySource::new(file), &Device::flex(), None)).unwrap()
}

fn values(tensor: &Tensor<2>) -> Vec<f32> {
    tensor.clone().into_data().try_to_vec().unwrap()
}

#[test]
fn a_checkpoint_keeps_the_start_of_the_points_and_their_moments() {
    let mut whole = trainer(PointsSettings { rest: 1, ..PointsSettings::default() });
    let start = points(&whole.model());
    make(&mut whole, 4);
    let again = read(&written(&whole));
    let LearntPoints { start: kept, steps, .. } = again.task.points.as_ref().unwrap();
    assert_eq!((values(kept), *steps), (start, 3));
    let [one, other] = [&whole, &again].map(|trainer| &trainer.optimiser.moments[POINTS]);
    assert_eq!(values(&one.first), values(&other.first));
    // The file has one number per point, repeated in every column.
    let wide: Vec<f32> = values(&one.second).into_iter().flat_map(|value| [value; 32]).collect();
    assert_eq!(wide, values(&other.second));
}

#[test]
fn a_checkpoint_without_moments_of_points_goes_on_with_none() {
    let mut old = trainer(PointsSettings::default());
    make(&mut old, 2);
    // Older versions wrote nothing about the points but their current place.
    let own = old.task.points.take();
    old.optimiser.moments.remove(POINTS);
    old.curve.iter_mut().for_each(|step| step.points = None);
    let file = written(&old);
    assert!(own.is_some() && !String::from_utf8_lossy(&file).contains("points_steps"));
    let mut again = read(&file);
    assert_eq!(again.task.points.as_ref().unwrap().steps, 0);
    assert_eq!(values(&again.task.points.as_ref().unwrap().start), points(&again.model()));
    let step = now(again.step(&NeverYields)).unwrap();
    assert_eq!(step.points.map(|way| way.largest), Some(0.0));
    let step = now(again.step(&NeverYields)).unwrap();
    assert!(step.points.unwrap().largest > 0.0);
}
