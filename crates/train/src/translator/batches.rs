//! The pairs that a step trains with. Everything follows from the plan, the seed and the number of the step, so that a
//! run that continues from a checkpoint sees the same batches as one that was never interrupted.

use super::spans;
use crate::epochs::{Epochs, grouped, mixed};
use crate::loss;
use crate::task::TrainingBatch;
use tuppum_domain::translation::training::{TranslationPair, TranslatorObjective, TranslatorTrainingPlan};
use tuppum_random::Random;
use tuppum_text::augment::augment;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// Difference in bytes up to which rows may share a batch, so that batches differ from epoch to epoch.
const JITTER: f64 = 30.0;

/// Pairs that train at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Tokens to read, the end last: augmented, or with spans removed.
    pub sources: Vec<Vec<TokenId>>,
    /// Tokens to write, the end last.
    pub targets: Vec<Vec<TokenId>>,
    /// Weight of each pair.
    pub weights: Vec<f32>,
    /// Seed of the random numbers within the batch.
    pub seed: u64,
}

impl TrainingBatch for Batch {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn weight(&self) -> f64 {
        loss::weight(&self.targets, &self.weights)
    }

    fn tokens(&self) -> u32 {
        self.sources.iter().chain(&self.targets).map(Vec::len).sum::<usize>() as u32
    }

    fn rows(&self) -> u32 {
        self.sources.len() as u32
    }

    fn split(self, parts: usize) -> Vec<Self> {
        if parts < 2 {
            return vec![self];
        }
        let rows = self.sources.len().div_ceil(parts).max(1);
        let texts = self.sources.chunks(rows).zip(self.targets.chunks(rows)).zip(self.weights.chunks(rows));
        let of = |(number, ((sources, targets), weights)): (u64, ((&[_], &[_]), &[f32]))| Self {
            sources: sources.to_vec(),
            targets: targets.to_vec(),
            weights: weights.to_vec(),
            seed: mixed([self.seed, number, 0, 0]),
        };
        (0..).zip(texts).map(of).collect()
    }
}

/// Batches of a run.
#[derive(Clone, Debug)]
pub struct Batches {
    /// Numbers of the pairs that train.
    trained: Vec<usize>,
    epochs: Epochs,
    /// Batches of the most recently used epoch.
    current: Option<(usize, Vec<Vec<usize>>)>,
}

impl Batches {
    pub fn new(plan: &TranslatorTrainingPlan) -> Self {
        let [trained, _] = plan.split();
        let steps_of = |epoch| order(&trained, plan, epoch).len().div_ceil(plan.settings.accumulation) as u32;
        let epochs = Epochs::new(plan.settings.length, steps_of);
        Self { trained, epochs, current: None }
    }

    pub fn steps(&self) -> u32 {
        self.epochs.steps()
    }

    /// Returns the epoch of a step, its number counted from 0, and the step's batches.
    pub fn step(&mut self, plan: &TranslatorTrainingPlan, step: u32) -> (u32, Vec<Batch>) {
        let (epoch, within) = self.epochs.at(step);
        if self.current.as_ref().is_none_or(|(number, _)| *number != epoch) {
            self.current = Some((epoch, order(&self.trained, plan, epoch)));
        }
        let accumulation = plan.settings.accumulation;
        let all =
            self.current.iter().flat_map(|(_, batches)| batches.chunks(accumulation).nth(within as usize)).flatten();
        let batches = all.enumerate().map(|(number, pairs)| {
            let seed = mixed([plan.settings.seed, Purpose::Batch as u64, u64::from(step), number as u64]);
            batch(plan, epoch as u64, pairs, seed)
        });
        (epoch as u32, batches.collect())
    }
}

/// Returns the pairs of each batch of an epoch.
fn order(trained: &[usize], plan: &TranslatorTrainingPlan, epoch: usize) -> Vec<Vec<usize>> {
    let mut draws = Random::new(mixed([plan.settings.seed, Purpose::Order as u64, epoch as u64, 0]));
    let length = |number: usize| plan.pairs.get(number).map(|pair| lengths(pair, plan)).unwrap_or_default();
    grouped(trained, length, JITTER, plan.settings.batch_bytes, &mut draws)
}

/// Purposes of random numbers; each has its own stream.
enum Purpose {
    Order = 1,
    Batch = 2,
    Augmentation = 3,
    Pool = 4,
}

/// Returns the seed of the pool of dropout.
pub fn pool_seed(plan: &TranslatorTrainingPlan) -> u64 {
    mixed([plan.settings.seed, Purpose::Pool as u64, 0, 0])
}

/// Returns the tokens to read and to write for a pair, each with its end.
fn example(source: &str, target: &str, task: TranslatorObjective, draws: &mut Random) -> [Vec<TokenId>; 2] {
    let mut source = bytes::encode(source);
    match task {
        TranslatorObjective::Translation => [source, bytes::encode(target)],
        TranslatorObjective::Spans { share, mean } => {
            source.pop();
            spans::corrupted(&source, share, mean, draws)
        }
    }
}

/// Returns the tokens to read and to write for a held-out pair; every call returns the same.
pub fn held_out_example(pair: &TranslationPair, task: TranslatorObjective) -> [Vec<TokenId>; 2] {
    example(&pair.source, &pair.target, task, &mut Random::new(pair.source.len() as u64))
}

/// Returns the number of tokens to read and to write for a pair; augmentation may change the first slightly.
fn lengths(pair: &TranslationPair, plan: &TranslatorTrainingPlan) -> [usize; 2] {
    match plan.settings.task {
        TranslatorObjective::Translation => pair.bytes(),
        TranslatorObjective::Spans { share, mean } => {
            let length = pair.source.len();
            let [taken, spans] = spans::counts(length, share, mean);
            [length.saturating_sub(taken) + spans + 1, taken + spans + 1]
        }
    }
}

fn batch(plan: &TranslatorTrainingPlan, epoch: u64, pairs: &[usize], seed: u64) -> Batch {
    let settings = &plan.settings;
    let mut batch = Batch { seed, ..Batch::default() };
    for (number, pair) in pairs.iter().filter_map(|number| plan.pairs.get(*number).map(|pair| (*number, pair))) {
        let mut draws = Random::new(mixed([settings.seed, Purpose::Augmentation as u64, epoch, number as u64]));
        let augmented = draws.uniform() < settings.augmented;
        let source = match augmented {
            true => augment(&pair.source, &settings.augmentation, &mut draws),
            false => pair.source.clone(),
        };
        let [source, target] = example(&source, &pair.target, settings.task, &mut draws);
        batch.sources.push(source);
        batch.targets.push(target);
        batch.weights.push(pair.weight);
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_domain::translation::training::{Length, TranslatorTrainingSettings};

    fn plan(length: Length) -> TranslatorTrainingPlan {
        let pair = |number: usize| {
            let words = vec!["a-na {d}UTU be-li₂-ia"; 1 + number % 7].join(" ");
            TranslationPair::new(format!("text {number}"), words, format!("number {number}"))
        };
        let settings = TranslatorTrainingSettings {
            length,
            batch_bytes: 400,
            accumulation: 2,
            ..TranslatorTrainingSettings::default()
        };
        TranslatorTrainingPlan { pairs: (0..60).map(pair).collect(), settings }
    }

    #[test]
    fn every_epoch_has_every_pair_once_and_bytes_enough_for_each_batch() {
        let plan = plan(Length::Epochs(3));
        let mut batches = Batches::new(&plan);
        let mut seen = vec![Vec::new(); 3];
        for step in 0..batches.steps() {
            let (epoch, own) = batches.step(&plan, step);
            assert!((1..=2).contains(&own.len()));
            for batch in own {
                let target = batch.targets.iter().map(Vec::len).max().unwrap();
                // Augmentation may lengthen a source slightly: {d} to {DINGIR}.
                let source = batch.sources.iter().map(Vec::len).max().unwrap();
                assert!(
                    batch.targets.len() == 1 || (source + target) * batch.targets.len() <= 600,
                    "{source} {target}"
                );
                seen[epoch as usize].extend(batch.targets.iter().map(|target| bytes::decode(target)));
            }
        }
        let [trained, _] = plan.split();
        for mut epoch in seen {
            epoch.sort();
            let mut expected: Vec<String> = trained.iter().map(|number| format!("number {number}")).collect();
            expected.sort();
            assert_eq!(epoch, expected);
        }
    }

    #[test]
    fn a_step_is_the_same_whenever_it_is_asked_for() {
        let plan = plan(Length::Epochs(2));
        let mut one = Batches::new(&plan);
        let all: Vec<_> = (0..one.steps()).map(|step| one.step(&plan, step)).collect();
        for step in (0..one.steps()).rev() {
            assert_eq!(Batches::new(&plan).step(&plan, step), all[step as usize]);
        }
        let sources = |epoch: u32| -> Vec<&Vec<TokenId>> {
            let mut sources: Vec<_> = all
                .iter()
                .filter(|(own, _)| *own == epoch)
                .flat_map(|(_, batches)| batches)
                .flat_map(|batch| &batch.sources)
                .collect();
            sources.sort();
            sources
        };
        assert_ne!(sources(0), sources(1), "augmentations are drawn afresh each epoch");
    }

    #[test]
    fn parts_of_a_batch_are_its_rows() {
        let plan = plan(Length::Epochs(1));
        let (_, batches) = Batches::new(&plan).step(&plan, 0);
        for batch in batches {
            assert_eq!(batch.clone().split(1), std::slice::from_ref(&batch));
            for parts in 2..=batch.sources.len() + 1 {
                let split = batch.clone().split(parts);
                assert!((2..=parts).contains(&split.len()) || batch.sources.len() == 1, "{parts}");
                let most = split.iter().map(|part| part.sources.len()).max();
                assert_eq!(most, Some(batch.sources.len().div_ceil(parts)));
                let together =
                    |of: fn(&Batch) -> &[Vec<TokenId>]| split.iter().flat_map(of).cloned().collect::<Vec<_>>();
                assert_eq!(together(|part| &part.sources), batch.sources);
                assert_eq!(together(|part| &part.targets), batch.targets);
                let weights: Vec<f32> = split.iter().flat_map(|part| part.weights.clone()).collect();
                assert_eq!(weights, batch.weights);
                assert!(split.windows(2).all(|two| two[0].seed != two[1].seed));
            }
        }
    }

    #[test]
    fn a_number_of_steps_is_kept() {
        for wanted in [1, 5, 40] {
            let plan = plan(Length::Steps(wanted));
            let mut batches = Batches::new(&plan);
            assert_eq!(batches.steps(), wanted);
            assert!(!batches.step(&plan, wanted - 1).1.is_empty());
        }
    }
}
