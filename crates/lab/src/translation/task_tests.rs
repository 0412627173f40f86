//! Small runs: that they learn, that equal plans make equal runs, and that nothing leaves the hyperboloid or stops
//! being a number.

use super::*;
use tuppum_domain::generation::{Method, Options};
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::{Length, Step, TranslationPair, TranslatorTrainingSettings};
use tuppum_hyperbolic::transformer::{
    AttentionScale, ControlAttention, Initialisation, LinearLayers, Positions, Residual, TransformerForms, translate,
};
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;
use tuppum_train::loss::read_all;

/// Returns every value of every choice, alone and in such company as the equations and programs have.
fn every_form() -> Vec<(Space, TransformerForms)> {
    let none = TransformerForms::default();
    let mut found = Vec::new();
    for linear in LinearLayers::ALL {
        found.push((Space::Lorentz, TransformerForms { linear: *linear, ..none }));
        if *linear != LinearLayers::Tangent {
            let (residual, positions) = (Residual::Merged, Positions::Layer);
            found.push((Space::Lorentz, TransformerForms { linear: *linear, residual, positions, ..none }));
        }
    }
    found.push((Space::Lorentz, TransformerForms { residual: Residual::Merged, ..none }));
    found.push((Space::Lorentz, TransformerForms { positions: Positions::Layer, ..none }));
    found.push((Space::Lorentz, TransformerForms { attention: AttentionScale::Learnt, ..none }));
    found.push((Space::Lorentz, TransformerForms { initialisation: Initialisation::Published, ..none }));
    found.push((Space::Lorentz, published()));
    found.push((Space::Euclidean, TransformerForms { control: ControlAttention::Hyperbolic, ..none }));
    found
}

/// Returns all choices as in the published program.
fn published() -> TransformerForms {
    TransformerForms {
        linear: LinearLayers::Published,
        residual: Residual::Merged,
        positions: Positions::Layer,
        attention: AttentionScale::Learnt,
        initialisation: Initialisation::Published,
        control: ControlAttention::Products,
    }
}

fn settings(space: Space) -> TransformerSettings {
    TransformerSettings {
        space,
        width: 16,
        heads: 2,
        encoder_layers: 1,
        decoder_layers: 1,
        feed_forward: 32,
        longest: 33,
        ..TransformerSettings::default()
    }
}

const LINES: [(&str, &str); 8] = [
    ("LUGAL GAL-u₂", "great king"),
    ("a-na {d}UTU", "to Šamaš"),
    ("um-ma a-šur-ma", "Thus says Aššur"),
    ("u₂-la a-di₂-in", "I did not give"),
    ("10 GIN₂ KU₃.BABBAR", "10 shekels of silver"),
    ("a-lim{KI}", "the city"),
    ("e-ri-iš", "he asked"),
    ("ṭup-pa-am", "the tablet"),
];

fn plan(lines: usize, settings: TranslatorTrainingSettings) -> TranslatorTrainingPlan {
    let pair =
        |(number, (source, target)): (usize, &(&str, &str))| TranslationPair::new(number.to_string(), *source, *target);
    let own = TranslatorTrainingSettings {
        longest: 32,
        augmented: 0.0,
        optimiser: OptimiserSettings { points_rate: Some(4.0), ..settings.optimiser },
        ..settings
    };
    TranslatorTrainingPlan { pairs: LINES.iter().take(lines).enumerate().map(pair).collect(), settings: own }
}

fn trained(space: Space, plan: TranslatorTrainingPlan) -> TransformerTrainer {
    let mut trainer = TransformerTrainer::begin(TransformerTask::new(&settings(space), plan, &Device::flex()).unwrap());
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap_or_else(|error| panic!("{space}: {error}"));
    }
    trainer
}

#[test]
fn two_pairs_are_learnt_by_heart_in_either_space() {
    for space in Space::ALL {
        let own = TranslatorTrainingSettings {
            length: Length::Steps(150),
            held_out: 0.0,
            optimiser: OptimiserSettings { rate: 0.01, ..TranslatorTrainingSettings::default().optimiser },
            dropout: 0.0,
            ..TranslatorTrainingSettings::default()
        };
        let trainer = trained(space, plan(2, own));
        let losses: Vec<f32> = trainer.curve().iter().map(|step| step.loss).collect();
        assert!(losses[0] > 3.0 && *losses.last().unwrap() < 0.1, "{space}: {losses:?}");
        let model = trainer.model();
        let found = now(validation(&model, &LINES[..2], 200)).unwrap();
        assert!(found.bits_per_byte < 0.15, "{space}: {found:?}");
        let sources: Vec<_> = LINES[..2].iter().map(|(source, _)| bytes::encode(source)).collect();
        let options = Options { method: Method::Greedy, ..Options::default() };
        let written = now(translate(&model, &sources, &options, 2, |_| ())).unwrap();
        assert_eq!([&written[0][0].text, &written[1][0].text], [LINES[0].1, LINES[1].1], "{space}");
    }
}

#[test]
fn hundreds_of_steps_at_a_high_rate_leave_every_point_on_the_sheet() {
    let own = TranslatorTrainingSettings {
        length: Length::Steps(300),
        optimiser: OptimiserSettings { rate: 0.03, clip: 1e9, ..TranslatorTrainingSettings::default().optimiser },
        dropout: 0.2,
        ..TranslatorTrainingSettings::default()
    };
    let trainer = trained(Space::Lorentz, plan(8, own));
    let model = trainer.model();
    for points in [
        model.tokens.val(),
        model.answers.val(),
        model.encoder_states(&[bytes::encode("LUGAL")]).unwrap()[1].clone().squeeze_dim::<2>(0),
    ] {
        for row in points.into_data().try_into_vec::<f32>().unwrap().chunks_exact(17) {
            let time = (1.0 + row[1..].iter().map(|one| f64::from(*one).powi(2)).sum::<f64>()).sqrt();
            assert!((f64::from(row[0]) - time).abs() < 1e-5 * time, "{row:?}");
        }
    }
}

#[test]
fn equal_plans_make_equal_runs_and_both_spaces_see_the_same_bytes() {
    let own = |seed| TranslatorTrainingSettings {
        length: Length::Steps(6),
        batch_bytes: 120,
        seed,
        dropout: 0.1,
        ..TranslatorTrainingSettings::default()
    };
    let curve = |space, seed| trained(space, plan(8, own(seed))).curve().to_vec();
    let (one, again, other) = (curve(Space::Lorentz, 1), curve(Space::Lorentz, 1), curve(Space::Lorentz, 2));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let bytes = |steps: &[Step]| steps.iter().map(|step| (step.bytes, step.pairs, step.epoch)).collect::<Vec<_>>();
    assert_eq!(bytes(&one), bytes(&curve(Space::Euclidean, 1)));
}

#[test]
fn every_tensor_moves_by_its_rate_in_the_first_step() {
    let (rate, points_rate) = (1e-3, 4.0);
    for space in Space::ALL {
        let plan = plan(
            8,
            TranslatorTrainingSettings {
                length: Length::Steps(2),
                dropout: 0.0,
                ..TranslatorTrainingSettings::default()
            },
        );
        let mut task = TransformerTask::new(&settings(space), plan, &Device::flex()).unwrap();
        let before = task.model().tensors();
        let logits = task.model.forced_logits(&[bytes::encode("LUGAL")], &[bytes::encode("king")], &mut ()).unwrap();
        let mut gradients = GradientSum::default();
        task.add_gradients(logits.square().sum().backward(), &mut gradients);
        let (settings, norm) = (task.optimiser_settings(), task.grad_norm(&gradients));
        let mut optimiser = Optimiser::default();
        task.update(&mut optimiser, gradients, &StepUpdate { settings, rate, number: 1, norm });
        assert_eq!(optimiser.moments.len(), before.len(), "{space}: every tensor has its moments");
        for ((spec, before), (_, after)) in before.into_iter().zip(task.model().tensors()) {
            let most = now(read_all((after - before).abs().max())).unwrap()[0];
            let name = spec.name.as_str();
            let own = if space == Space::Lorentz && POINTS.contains(&name) { rate * points_rate } else { rate };
            // Adam's first step is as long as the rate for numbers with a gradient, and of points together; where a
            // gradient is all but 0, ε shortens it. A time-like coordinate may move by more than the distance.
            assert!((0.0..3.0 * own).contains(&f64::from(most)), "{space} {name}: {most}");
        }
        let moved = |name: &str| optimiser.moments[name].second.dims()[1];
        assert_eq!(moved("tokens") == 1, space == Space::Lorentz, "points have one second moment each");
    }
}

#[test]
fn three_steps_move_every_tensor_in_every_form() {
    for (space, forms) in every_form() {
        let own = TranslatorTrainingSettings {
            length: Length::Steps(3),
            dropout: 0.1,
            ..TranslatorTrainingSettings::default()
        };
        let model = TransformerSettings { forms, ..settings(space) };
        let task = TransformerTask::new(&model, plan(8, own), &Device::flex()).unwrap();
        let before = task.model().tensors();
        let mut trainer = TransformerTrainer::begin(task);
        while !trainer.is_finished() {
            now(trainer.step(&NeverYields)).unwrap_or_else(|error| panic!("{forms:?}: {error}"));
        }
        for ((spec, before), (_, after)) in before.into_iter().zip(trainer.model().tensors()) {
            let most = now(read_all((after - before).abs().max())).unwrap()[0];
            assert!(most > 0.0 && most.is_finite(), "{forms:?}, {}: {most}", spec.name);
        }
    }
}

#[test]
fn the_validation_of_a_batch_is_that_of_its_pairs() {
    let model = Transformer::new(&settings(Space::Lorentz), 1, &Device::flex()).unwrap();
    let [together, alone] = [10_000, 1].map(|bytes| now(validation(&model, &LINES, bytes)).unwrap());
    assert_eq!(together.bytes, alone.bytes);
    for (one, other) in together.bits.iter().zip(&alone.bits) {
        // Products of other shapes are added up in another order.
        assert!((one - other).abs() < 1e-4 * other, "{one} {other}");
    }
}

#[test]
fn plans_that_cannot_be_carried_out_are_refused() {
    let refused = |model: TransformerSettings, plan: TranslatorTrainingPlan, said: &str| {
        let problem = TransformerTask::new(&model, plan, &Device::flex()).err().unwrap().to_string();
        assert!(problem.contains(said), "{problem}");
    };
    let own = settings(Space::Lorentz);
    refused(own.clone(), plan(0, TranslatorTrainingSettings::default()), "of 0 pairs none is left");
    refused(
        TransformerSettings { longest: 20, ..own.clone() },
        plan(4, TranslatorTrainingSettings::default()),
        "up to 32 bytes",
    );
    refused(
        TransformerSettings { curvature: 0.0, ..own.clone() },
        plan(4, TranslatorTrainingSettings::default()),
        "curvature is 0",
    );
    refused(
        TransformerSettings { heads: 3, ..own.clone() },
        plan(4, TranslatorTrainingSettings::default()),
        "cannot be cut into 3",
    );
    let mut spans = plan(4, TranslatorTrainingSettings::default());
    spans.settings.task = TranslatorObjective::Spans { share: 0.15, mean: 5 };
    refused(own, spans, "translations only");
}
