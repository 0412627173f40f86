//! The torso as the search sees it: rows are batched by length, logits are divided by the fitted temperature, and what
//! was computed once is remembered.

use super::cache::Cache;
use super::error::TorsoError;
use super::forward::Torso;
use crate::yielding::Yield;
use burn::tensor::Device;
use tuppum_tasks::restoration::{Logits, Row, Scorer};

/// Settings by which rows share passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Most places in one pass, padding included. Bounds memory, and the time to the next pause.
    pub places: usize,
    /// What a pass costs beyond its places, counted in places. A shorter row joins a pass when its padding costs less.
    pub pass_cost: usize,
    /// Lengths are rounded up to a multiple of this.
    pub round_to: usize,
    /// How many rows the joint search asks for before it looks whether more are needed.
    pub at_once: usize,
}

impl Batching {
    /// For the CPU: time is places times a constant, so padding is avoided; a pass beyond that costs about 4 places.
    /// 512 places are 70 ms per layer in a browser.
    pub const CPU: Self = Self { places: 512, pass_cost: 4, round_to: 1, at_once: 1 };
    /// For a GPU: small passes are all latency, and lengths that repeat reuse buffers and compiled kernels.
    pub const GPU: Self = Self { places: 4096, pass_cost: 1024, round_to: 16, at_once: usize::MAX };

    /// Batching that suits the device.
    pub fn for_device(device: &Device) -> Self {
        if *device == Device::flex() { Self::CPU } else { Self::GPU }
    }

    /// Groups row numbers: `lengths` in, batches out, each with its padded length.
    fn group(&self, lengths: &[usize]) -> Vec<(Vec<usize>, usize)> {
        let mut numbers: Vec<usize> = (0..lengths.len()).collect();
        numbers.sort_by_key(|number| std::cmp::Reverse(lengths[*number]));
        let mut groups: Vec<(Vec<usize>, usize)> = Vec::new();
        for number in numbers {
            let length = lengths[number].next_multiple_of(self.round_to);
            if let Some((members, padded)) = groups.last_mut()
                && (members.len() + 1) * *padded <= self.places
                && *padded - length <= self.pass_cost
            {
                members.push(number);
            } else {
                groups.push((vec![number], length));
            }
        }
        groups
    }
}

/// Scores rows with a torso. Keep one for the life of the torso, so that its memory serves later questions too.
#[derive(Debug)]
pub struct TorsoScorer<P> {
    torso: Torso,
    temperature: f32,
    yielder: P,
    batching: Batching,
    cache: Cache,
    passes: u64,
    scored: u64,
}

/// Logits kept for later: some 1,800 places of the shipped torso.
const CACHE_BYTES: usize = 32 << 20;

impl<P: Yield> TorsoScorer<P> {
    /// A scorer with the batching that suits the torso's device.
    pub fn new(torso: Torso, yielder: P) -> Self {
        let batching = Batching::for_device(&torso.device());
        let temperature = torso.config().temperature;
        Self { torso, temperature, yielder, batching, cache: Cache::new(CACHE_BYTES), passes: 0, scored: 0 }
    }

    /// The scorer with other batching.
    pub fn with_batching(self, batching: Batching) -> Self {
        Self { batching, ..self }
    }

    /// The torso.
    pub fn torso(&self) -> &Torso {
        &self.torso
    }

    /// What yields between layers for the job at hand.
    pub fn yielder(&self) -> &P {
        &self.yielder
    }

    /// Yields for another job from now on.
    pub fn set_yielder(&mut self, yielder: P) {
        self.yielder = yielder;
    }

    /// The scorer at another temperature than the one that was fitted: at 1 as the torso was trained.
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { temperature, ..self }
    }

    /// Divides by the temperature; by 1 nothing changes, not by a bit.
    fn temper(&self, logits: &mut Logits) {
        logits.iter_mut().flatten().for_each(|logit| *logit /= self.temperature);
    }

    /// How many passes through the torso were made.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// How many rows were computed; the others were remembered.
    pub fn scored(&self) -> u64 {
        self.scored
    }
}

impl<P: Yield> Scorer for TorsoScorer<P> {
    type Error = TorsoError;

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, TorsoError> {
        let mut found: Vec<Option<Logits>> = rows.iter().map(|row| self.cache.get(row)).collect();
        let mut missing: Vec<&Row> = Vec::new();
        for (row, found) in rows.iter().zip(&found) {
            if found.is_none() && !missing.contains(&row) {
                missing.push(row);
            }
        }
        let lengths: Vec<usize> = missing.iter().map(|row| row.ids.len()).collect();
        for (members, length) in self.batching.group(&lengths) {
            let batch: Vec<&Row> = members.iter().map(|number| missing[*number]).collect();
            let computed = self.torso.logits(&batch, length, &self.yielder).await?;
            self.passes += 1;
            self.scored += batch.len() as u64;
            for (computed_row, mut logits) in batch.into_iter().zip(computed) {
                self.temper(&mut logits);
                for (row, found) in rows.iter().zip(&mut found) {
                    if row == computed_row {
                        *found = Some(logits.clone());
                    }
                }
                self.cache.put(computed_row, logits);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn rows_at_once(&self) -> usize {
        self.batching.at_once
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_share_a_pass_while_padding_is_cheaper_than_another() {
        let batching = Batching { places: 100, pass_cost: 4, round_to: 1, at_once: 1 };
        let check = |lengths: &[usize], expected: &[(&[usize], usize)]| {
            let expected: Vec<_> = expected.iter().map(|(members, length)| (members.to_vec(), *length)).collect();
            assert_eq!(batching.group(lengths), expected, "{lengths:?}");
        };
        check(&[], &[]);
        check(&[10, 14], &[(&[1, 0], 14)]);
        check(&[10, 15], &[(&[1], 15), (&[0], 10)]);
        check(&[40, 40, 40], &[(&[0, 1], 40), (&[2], 40)]);
        check(&[300, 299], &[(&[0], 300), (&[1], 299)]);
    }

    #[test]
    fn a_gpu_sees_few_lengths() {
        let batching = Batching { round_to: 16, ..Batching::GPU };
        assert_eq!(batching.group(&[62, 50]), [(vec![0, 1], 64)]);
    }
}
