//! The sequences that a step trains with, and their masks. Everything follows from the texts, the settings, the seed
//! and the number of the step, so that a run that continues from a checkpoint sees the same batches as one that was
//! never interrupted.

use super::masking;
use crate::epochs::{Epochs, grouped, mixed};
use crate::sequences::{Sequence, masked_as_it_is};
use crate::task::TrainingBatch;
use tuppum_domain::restoration::Row;
use tuppum_domain::restoration::training::RestorerTrainingSettings;
use tuppum_random::Random;
use tuppum_text::tokens::{TokenId, Vocabulary};

/// Difference in tokens up to which rows may share a batch, as in the recipe.
const JITTER: f64 = 20.0;

/// Sequences that train at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Masked sequences, each with the places of its masks.
    pub rows: Vec<Row>,
    /// Tokens at the masked places, row after row.
    pub targets: Vec<TokenId>,
    /// Seed of the random numbers within the batch.
    pub seed: u64,
}

impl TrainingBatch for Batch {
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of masked signs.
    fn weight(&self) -> f64 {
        self.targets.len() as f64
    }

    fn tokens(&self) -> u32 {
        self.rows.iter().map(|row| row.ids.len() as u32).sum()
    }

    fn rows(&self) -> u32 {
        self.rows.len() as u32
    }

    fn split(self, parts: usize) -> Vec<Self> {
        if parts < 2 {
            return vec![self];
        }
        let (mut targets, rows) = (self.targets.into_iter(), self.rows.len().div_ceil(parts).max(1));
        let of = |(number, rows): (u64, &[Row])| Self {
            rows: rows.to_vec(),
            targets: targets.by_ref().take(rows.iter().map(|row| row.places.len()).sum()).collect(),
            seed: mixed([self.seed, number, 0, 0]),
        };
        (0..).zip(self.rows.chunks(rows)).map(of).collect()
    }
}

/// Batches of a run.
#[derive(Clone, Debug)]
pub struct Batches {
    trained: Vec<Sequence>,
    epochs: Epochs,
    /// Batches of the most recently used epoch.
    current: Option<(usize, Vec<Vec<usize>>)>,
}

/// Purposes of random numbers; each has its own stream.
enum Purpose {
    Order = 1,
    Batch = 2,
    Masking = 3,
    Pool = 4,
}

impl Batches {
    pub fn new(trained: Vec<Sequence>, settings: &RestorerTrainingSettings) -> Self {
        let steps_of = |epoch| order(&trained, settings, epoch).len().div_ceil(settings.accumulation) as u32;
        let epochs = Epochs::new(settings.length, steps_of);
        Self { trained, epochs, current: None }
    }

    pub fn steps(&self) -> u32 {
        self.epochs.steps()
    }

    /// Returns the sequences that train.
    pub fn trained(&self) -> &[Sequence] {
        &self.trained
    }

    /// Returns the epoch of a step, its number counted from 0, and the step's batches.
    pub fn step(
        &mut self,
        settings: &RestorerTrainingSettings,
        vocabulary: &Vocabulary,
        step: u32,
    ) -> (u32, Vec<Batch>) {
        let (epoch, within) = self.epochs.at(step);
        if self.current.as_ref().is_none_or(|(number, _)| *number != epoch) {
            self.current = Some((epoch, order(&self.trained, settings, epoch)));
        }
        let batches = self.current.iter().flat_map(|(_, batches)| batches.chunks(settings.accumulation));
        let own = batches.skip(within as usize).take(1).flatten();
        let batches = own.enumerate().map(|(number, rows)| {
            let mut batch = Batch {
                seed: mixed([settings.seed, Purpose::Batch as u64, u64::from(step), number as u64]),
                ..Batch::default()
            };
            rows.iter().for_each(|row| self.add(&mut batch, settings, vocabulary, epoch as u64, *row));
            batch
        });
        (epoch as u32, batches.collect())
    }

    /// Adds a sequence with fresh masks.
    fn add(
        &self,
        batch: &mut Batch,
        settings: &RestorerTrainingSettings,
        vocabulary: &Vocabulary,
        epoch: u64,
        number: usize,
    ) {
        let Some(sequence) = self.trained.get(number) else { return };
        let mut draws = Random::new(mixed([settings.seed, Purpose::Masking as u64, epoch, number as u64]));
        let places = masking::places(&sequence.kinds, &settings.masking, &mut draws);
        let (row, targets) = masked_as_it_is(sequence, &places, vocabulary);
        batch.rows.push(row);
        batch.targets.extend(targets);
    }
}

/// Returns the sequences of each batch of an epoch.
fn order(trained: &[Sequence], settings: &RestorerTrainingSettings, epoch: usize) -> Vec<Vec<usize>> {
    let mut draws = Random::new(mixed([settings.seed, Purpose::Order as u64, epoch as u64, 0]));
    let numbers: Vec<usize> = (0..trained.len()).collect();
    grouped(&numbers, |number| [trained[number].ids.len(), 0], JITTER, settings.batch_tokens, &mut draws)
}

/// Returns the seed of the pool of dropout.
pub fn pool_seed(settings: &RestorerTrainingSettings) -> u64 {
    mixed([settings.seed, Purpose::Pool as u64, 0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequences::TokenKind;
    use tuppum_domain::restoration::training::Length;
    use tuppum_text::tokens::{INNER_MASK, MASK, SPECIALS};

    fn vocabulary() -> Vocabulary {
        let own = ["a", "-na", "šu", "-šu"];
        Vocabulary::new(SPECIALS.iter().chain(&own).map(|token| (*token).to_owned()).collect()).unwrap()
    }

    fn trained() -> Vec<Sequence> {
        let sequence = |number: usize| {
            let length = 6 + number % 30;
            let mut ids: Vec<TokenId> = (0..length).map(|place| 10 + ((place + number) % 4) as TokenId).collect();
            ids[0] = 8;
            let mut kinds = vec![TokenKind::Read; length];
            kinds[0] = TokenKind::Special;
            Sequence { ids, kinds }
        };
        (0..80).map(sequence).collect()
    }

    fn settings(length: Length) -> RestorerTrainingSettings {
        RestorerTrainingSettings { length, batch_tokens: 120, accumulation: 2, ..RestorerTrainingSettings::default() }
    }

    /// Returns the rows of a batch before they were masked.
    fn whole(batch: &Batch) -> Vec<Vec<TokenId>> {
        let mut targets = batch.targets.iter();
        let mut unmasked = |row: &Row| {
            let mut ids = row.ids.clone();
            for place in &row.places {
                let target = *targets.next().unwrap();
                let expected = if target == 11 || target == 13 { INNER_MASK } else { MASK };
                assert_eq!(ids[*place], expected, "masks are of the kind of what stood there");
                ids[*place] = target;
            }
            ids
        };
        batch.rows.iter().map(&mut unmasked).collect()
    }

    #[test]
    fn every_epoch_has_every_sequence_once_and_tokens_enough_for_each_batch() {
        let settings = settings(Length::Epochs(3));
        let mut batches = Batches::new(trained(), &settings);
        let mut seen = vec![Vec::new(); 3];
        for step in 0..batches.steps() {
            let (epoch, own) = batches.step(&settings, &vocabulary(), step);
            assert!((1..=2).contains(&own.len()));
            for batch in own {
                let longest = batch.rows.iter().map(|row| row.ids.len()).max().unwrap();
                assert!(longest * batch.rows.len() <= 120);
                seen[epoch as usize].extend(whole(&batch));
            }
        }
        let mut expected: Vec<Vec<TokenId>> = trained().into_iter().map(|sequence| sequence.ids).collect();
        expected.sort();
        for mut epoch in seen {
            epoch.sort();
            assert_eq!(epoch, expected);
        }
    }

    #[test]
    fn a_step_is_the_same_whenever_it_is_asked_for_and_masks_are_drawn_afresh() {
        let settings = settings(Length::Epochs(2));
        let mut one = Batches::new(trained(), &settings);
        let all: Vec<_> = (0..one.steps()).map(|step| one.step(&settings, &vocabulary(), step)).collect();
        for step in (0..one.steps()).rev() {
            let mut other = Batches::new(trained(), &settings);
            assert_eq!(other.step(&settings, &vocabulary(), step), all[step as usize]);
        }
        let rows = |epoch: u32| -> Vec<&Row> {
            let own = all.iter().filter(|(own, _)| *own == epoch).flat_map(|(_, batches)| batches);
            let mut rows: Vec<&Row> = own.flat_map(|batch| &batch.rows).collect();
            rows.sort_by_key(|row| (&row.ids, &row.places));
            rows
        };
        assert_ne!(rows(0), rows(1));
        let other = RestorerTrainingSettings { seed: 2, ..settings.clone() };
        assert_ne!(Batches::new(trained(), &other).step(&other, &vocabulary(), 0), all[0]);
    }

    #[test]
    fn parts_of_a_batch_are_its_rows_with_their_targets() {
        let settings = settings(Length::Epochs(1));
        let (_, batches) = Batches::new(trained(), &settings).step(&settings, &vocabulary(), 0);
        for batch in batches {
            assert_eq!(batch.clone().split(1), std::slice::from_ref(&batch));
            for parts in 2..=batch.rows.len() + 1 {
                let split = batch.clone().split(parts);
                assert!((2..=parts).contains(&split.len()) || batch.rows.len() == 1, "{parts}");
                let rows: Vec<Row> = split.iter().flat_map(|part| part.rows.clone()).collect();
                assert_eq!(rows, batch.rows);
                for part in &split {
                    assert_eq!(part.targets.len(), part.rows.iter().map(|row| row.places.len()).sum::<usize>());
                }
                let targets: Vec<TokenId> = split.iter().flat_map(|part| part.targets.clone()).collect();
                assert_eq!(targets, batch.targets);
            }
        }
    }
}
