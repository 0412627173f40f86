//! Tests of whole runs with small torsos: they learn, they can be interrupted and continued, and nothing half-made is
//! left.

use super::*;
use crate::restorer::{RestorerTrainer, export};
use crate::run_checks;
use std::collections::BTreeSet;
use tuppum_domain::restoration::texts::{Text, texts};
use tuppum_domain::restoration::training::{Length, Masking};
use tuppum_domain::training::{OptimiserRule, OptimiserSettings};
use tuppum_nn::torso::{TorsoBuilder, TorsoError};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_testing::now;
use tuppum_text::tokens::SPECIALS;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::{Manifest, MemorySource, load_torso, read_vocabulary};

const LETTERS: &str = "&P000001
1. um-ma a-šur-i-di₂-ma a-na
2. {d}UTU be-li₂-ia qi₂-bi-ma
&P000002
1. ṭup-pa-am ni-iš-me-ma
2. KU₃.BABBAR u₂-la a-di₂-in
3. a-lim{KI} u₃ ṣa-bi-im
&P000008
1. LUGAL GAL-u₂ LUGAL dan-nu
&P000004
1. 10 GIN₂ KU₃.BABBAR e-ri-iš x [...] a-na
2. LUGAL i-di₂-in
";

/// Returns a vocabulary that has a token for every letter.
pub(in crate::restorer) fn vocabulary() -> Vocabulary {
    let mut own = BTreeSet::new();
    for text in texts(LETTERS) {
        for sign in text.lines.iter().flat_map(|line| line.signs()) {
            own.insert(if sign.starts_word { sign.reading.to_owned() } else { format!("-{}", sign.reading) });
        }
    }
    Vocabulary::new(SPECIALS.iter().map(|special| (*special).to_owned()).chain(own).collect()).unwrap()
}

/// Returns a torso of two blocks, drawn so that activations stay near 1.
pub(in crate::restorer) fn torso(width: usize, seed: u64) -> Torso {
    let config = TorsoConfig {
        layers: 2,
        d_model: width,
        d_ff: 2 * width,
        heads: 2,
        head_dim: width / 2,
        vocabulary: vocabulary().len(),
        rope_base: 10_000.0,
        window: 64,
        longest: 64,
        temperature: 1.0,
    };
    let mut builder = TorsoBuilder::new(config.clone(), Device::flex());
    let mut draws = Random::new(seed);
    for spec in config.tensors() {
        let spread = match (spec.shape.len(), spec.name.ends_with(".bias")) {
            (1, true) => 0.1,
            (1, false) => 0.0,
            _ if spec.name == "torso.embed.weight" => 1.0,
            _ => (3.0 / spec.shape[1] as f64).sqrt(),
        };
        let centre = if spread == 0.0 { 1.0 } else { 0.0 };
        let mut value = || (centre + spread * (2.0 * draws.uniform() - 1.0)) as f32;
        builder.put(&spec.name, (0..spec.elements()).map(|_| value()).collect()).unwrap();
    }
    builder.build().unwrap()
}

pub(in crate::restorer) fn plan(settings: RestorerTrainingSettings) -> RestorerTrainingPlan {
    RestorerTrainingPlan { texts: texts(LETTERS), settings }
}

/// Returns settings with little left to chance: every text trains, nothing is dropped.
pub(in crate::restorer) fn bare() -> RestorerTrainingSettings {
    RestorerTrainingSettings {
        held_out: 0.0,
        dropout: 0.0,
        optimiser: OptimiserSettings { weight_decay: 0.0, ..RestorerTrainingSettings::default().optimiser },
        window: 64,
        ..RestorerTrainingSettings::default()
    }
}

/// Returns the plan of a run with chance in it: dropout, several batches per step, a held-out text.
fn with_chance() -> RestorerTrainingPlan {
    let settings = RestorerTrainingSettings {
        length: Length::Epochs(4),
        batch_tokens: 40,
        accumulation: 2,
        optimiser: OptimiserSettings { rate: 1e-3, ..RestorerTrainingSettings::default().optimiser },
        window: 64,
        held_out: 0.25,
        ..RestorerTrainingSettings::default()
    };
    plan(settings)
}

fn weights(torso: &Torso) -> Vec<(String, Vec<f32>)> {
    let read =
        |(place, tensor): (TorsoParameterSpec, Tensor<2>)| (place.name, tensor.into_data().try_to_vec().unwrap());
    torso.tensors().into_iter().map(read).collect()
}

#[test]
fn four_texts_are_learnt_by_heart() {
    // Few signs are masked at a time, so that their surroundings determine them.
    let masking = Masking { least: 0.05, most: 0.2, spans: 0.0 };
    let settings = RestorerTrainingSettings {
        length: Length::Steps(400),
        optimiser: OptimiserSettings { rate: 5e-3, warm_up: 0.05, ..bare().optimiser },
        label_smoothing: 0.0,
        masking,
        ..bare()
    };
    let mut trainer = RestorerTrainer::new(&torso(48, 1), &vocabulary(), plan(settings)).unwrap();
    assert_eq!(trainer.sequences().len(), 4);
    while !trainer.is_finished() {
        now(trainer.step(&NeverYields)).unwrap();
    }
    let losses: Vec<f32> = trainer.curve().iter().map(|step| step.loss).collect();
    println!("loss: {:?}", losses.iter().step_by(25).collect::<Vec<_>>());
    let last = losses.iter().rev().take(20).sum::<f32>() / 20.0;
    assert!(losses[0] > 3.0 && last < 0.1, "{} {last}", losses[0]);
    let sequences = trainer.sequences().to_vec();
    let places = choose(&sequences, RATE, 3);
    let found = now(measure(&trainer.model(), &vocabulary(), &sequences, &places, 512, &NeverYields)).unwrap();
    assert!(found.loss < 0.1 && found.sequences.iter().flat_map(|own| &own.ranks).all(|rank| *rank == 0), "{found:?}");
    assert!(matches!(now(trainer.step(&NeverYields)), Err(TrainError::Finished)));
}

#[test]
fn a_held_out_text_is_never_trained_on() {
    let mut trainer = RestorerTrainer::new(&torso(16, 1), &vocabulary(), with_chance()).unwrap();
    let [trained, held_out] = trainer.plan().split();
    assert!(!held_out.is_empty() && trained.len() + held_out.len() == 4);
    let own = |side: &[usize]| -> Vec<Sequence> {
        side.iter().flat_map(|text| sequences(&trainer.task.plan.texts[*text], &vocabulary(), 64)).collect()
    };
    let (trained, held_out) = (own(&trained), own(&held_out));
    assert_eq!((trainer.sequences(), trainer.held_out(usize::MAX)), (&trained[..], held_out.clone()));
    assert_eq!(trainer.held_out(1).len(), 1);
    let settings = trainer.task.plan.settings.clone();
    for step in 0..trainer.steps() {
        for batch in trainer.task.batches.step(&settings, &vocabulary(), step).1 {
            for row in &batch.rows {
                let matches = |sequence: &Sequence| {
                    let seen = row.ids.iter().enumerate().filter(|(place, _)| !row.places.contains(place));
                    sequence.ids.len() == row.ids.len()
                        && seen.into_iter().all(|(place, id)| sequence.ids[place] == *id)
                };
                assert!(trained.iter().any(matches) && !held_out.iter().any(matches));
            }
        }
    }
}

#[test]
fn a_run_that_goes_on_from_a_checkpoint_is_the_same_bit_by_bit() {
    let rules = OptimiserRule::ALL.map(|rule| (rule, None));
    for (rule, layers) in rules.into_iter().chain([(OptimiserRule::AdamW, Some(1))]) {
        let mut own = with_chance();
        own.settings.layers = layers;
        own.settings.optimiser.rule = rule;
        run_checks::goes_on(|| RestorerTrainer::new(&torso(16, 1), &vocabulary(), own.clone()).unwrap(), None);
    }
}

#[test]
fn a_checkpoint_that_was_altered_or_cut_is_refused() {
    let mut exported = Vec::new();
    now(export::weights(&torso(16, 1), Dtype::F32, &mut exported)).unwrap();
    let trainer = RestorerTrainer::new(&torso(16, 1), &vocabulary(), with_chance()).unwrap();
    run_checks::refuses_damaged_checkpoints(trainer, &exported);
}

#[test]
fn a_stopped_step_was_not_made_and_is_made_again_the_same() {
    run_checks::makes_stopped_steps_again(|| {
        RestorerTrainer::new(&torso(16, 1), &vocabulary(), with_chance()).unwrap()
    });
}

#[test]
fn batches_of_one_step_count_like_one_large_batch() {
    let trainer = |batch_tokens, accumulation| {
        let settings = RestorerTrainingSettings { length: Length::Steps(3), batch_tokens, accumulation, ..bare() };
        RestorerTrainer::new(&torso(16, 1), &vocabulary(), plan(settings)).unwrap()
    };
    run_checks::accumulates(trainer(4096, 1), trainer(1, 4));
}

#[test]
fn a_batch_in_parts_counts_like_the_whole() {
    let trainer = |parts| {
        let settings = RestorerTrainingSettings { length: Length::Steps(3), parts, ..bare() };
        RestorerTrainer::new(&torso(16, 1), &vocabulary(), plan(settings)).unwrap()
    };
    run_checks::accumulates(trainer(1), trainer(3));
    // There are more parts than rows.
    run_checks::accumulates(trainer(1), trainer(1000));
}

#[test]
fn only_the_last_blocks_and_the_head_train_where_it_is_asked_for() {
    let before = torso(16, 1);
    for (layers, moves) in [(None, [true, true, true]), (Some(2), [false, true, true]), (Some(1), [false, false, true])]
    {
        let settings = RestorerTrainingSettings {
            length: Length::Steps(1),
            layers,
            optimiser: OptimiserSettings { warm_up: 0.0, ..bare().optimiser },
            ..bare()
        };
        let mut trainer = RestorerTrainer::new(&before, &vocabulary(), plan(settings)).unwrap();
        now(trainer.step(&NeverYields)).unwrap();
        let places = before.tensors().into_iter().map(|(place, _)| place);
        let mut trained = 0;
        for ((place, (name, one)), (_, other)) in places.zip(weights(&before)).zip(weights(&trainer.model())) {
            let may = match place.group {
                TorsoPart::Embeddings => moves[0],
                TorsoPart::Block(number) => moves[1 + number],
                TorsoPart::Head => true,
            };
            assert_eq!(one != other, may, "{name} with {layers:?}");
            trained += if may { one.len() as u64 } else { 0 };
        }
        assert_eq!(trainer.trained(), trained);
        assert!(!trainer.model().device().is_autodiff());
    }
    // Frozen layers compute the same as in use, so the losses before the first step are equal.
    let loss = |layers| {
        let settings = RestorerTrainingSettings { length: Length::Steps(1), layers, ..bare() };
        now(RestorerTrainer::new(&before, &vocabulary(), plan(settings)).unwrap().step(&NeverYields)).unwrap().loss
    };
    assert!((loss(None) - loss(Some(1))).abs() < 1e-5, "{} {}", loss(None), loss(Some(1)));
}

#[test]
fn a_plan_that_does_not_go_with_the_model_is_refused() {
    let said = |settings: RestorerTrainingSettings, vocabulary: &Vocabulary| {
        RestorerTrainer::new(&torso(16, 1), vocabulary, plan(settings)).unwrap_err().to_string()
    };
    let check = |settings: RestorerTrainingSettings, expected: &str| {
        let said = said(settings, &vocabulary());
        assert!(said.contains(expected), "{said}");
    };
    check(RestorerTrainingSettings { layers: Some(3), ..bare() }, "3 layers are to train, and the model has 2");
    check(RestorerTrainingSettings { window: 65, ..bare() }, "longer than the model reads, 64");
    check(
        RestorerTrainingSettings { optimiser: OptimiserSettings { rate: 0.0, ..bare().optimiser }, ..bare() },
        "learning rate is 0",
    );
    let other = Vocabulary::new(SPECIALS.map(str::to_owned).to_vec()).unwrap();
    assert!(said(bare(), &other).contains("do not belong together"));
    let unknown = Text { name: "P1".into(), ..texts("1. ku ku ku ku ku")[0].clone() };
    let foreign = RestorerTrainingPlan { texts: vec![unknown], settings: bare() };
    let said = RestorerTrainer::new(&torso(16, 1), &vocabulary(), foreign).unwrap_err().to_string();
    assert!(said.contains("knows too few signs"), "{said}");
}

#[test]
fn a_loss_that_is_no_number_changes_nothing() {
    let optimiser = OptimiserSettings { rate: 1e30, warm_up: 0.0, clip: 1e30, ..bare().optimiser };
    let settings = RestorerTrainingSettings { length: Length::Steps(5), optimiser, ..bare() };
    run_checks::diverges_without_a_change(RestorerTrainer::new(&torso(16, 1), &vocabulary(), plan(settings)).unwrap());
}

#[test]
fn an_export_is_read_back_as_the_same_model() {
    let mut trainer = RestorerTrainer::new(&torso(16, 1), &vocabulary(), with_chance()).unwrap();
    now(trainer.step(&NeverYields)).unwrap();
    let (own, mut file) = (trainer.model(), Vec::new());
    let entry = now(export::weights(&own, Dtype::F32, &mut file)).unwrap();
    let files = export::small_files(&own, &vocabulary(), entry).unwrap();
    let bytes = |name: &str| &files.iter().find(|(own, _)| *own == name).unwrap().1[..];
    let manifest = Manifest::from_json(bytes("manifest.json")).unwrap();
    for name in ["config.json", "vocab.json"] {
        assert_eq!(manifest.file(name).unwrap().verify(bytes(name)), Ok(()));
    }
    let config = TorsoConfig::from_json(bytes("config.json")).unwrap();
    let entry = manifest.file(export::WEIGHTS).unwrap();
    let (mut source, device) = (MemorySource::new(&file[..]), Device::flex());
    let read = now(load_torso(&config, &mut source, Some(entry), &device, |_, _| (), &NeverYields)).unwrap();
    assert_eq!(weights(&read), weights(&own));
    let words = read_vocabulary(bytes("vocab.json"), &config).unwrap();
    assert!((0..words.len() as u32).all(|id| words.text(id) == vocabulary().text(id)));
}

#[test]
fn measuring_does_not_depend_on_the_batches() {
    let (own, vocabulary) = (torso(16, 1), vocabulary());
    let all: Vec<Sequence> = texts(LETTERS).iter().flat_map(|text| sequences(text, &vocabulary, 64)).collect();
    let mut places = choose(&all, 0.3, 1);
    places[1].clear();
    let [one, other] =
        [1, 4096].map(|tokens| now(measure(&own, &vocabulary, &all, &places, tokens, &NeverYields)).unwrap());
    assert!((one.loss - other.loss).abs() < 1e-5, "{} {}", one.loss, other.loss);
    assert_eq!((one.sequences.len(), one.sequences[1].ranks.len()), (4, 0));
    for (places, found) in places.iter().zip(&one.sequences) {
        assert_eq!((places.len(), places.len()), (found.ranks.len(), found.log_probabilities.len()));
    }
    let long = Sequence { ids: vec![8; 65], ..all[0].clone() };
    let refused = now(measure(&own, &vocabulary, &[long], &[vec![1]], 64, &NeverYields)).unwrap_err();
    assert!(matches!(refused, TrainError::Restorer(TorsoError::Row(_))), "{refused}");
}
