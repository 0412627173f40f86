//! The torso as a [`Scorer`] for the search: rows are batched by length, logits are divided by the fitted temperature,
//! and computed logits are cached.

use super::cache::Cache;
use super::forward::Torso;
use crate::error::TorsoError;
use crate::yielding::Yield;
use burn::tensor::Device;
use tuppum_domain::restoration::{Logits, Row, Scorer};

/// Settings that decide which rows share a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Maximum number of places in one pass, padding included. It bounds memory and the time until the next pause.
    pub places: usize,
    /// Fixed cost of a pass, counted in places. A shorter row joins a pass if its padding costs at most this.
    pub pass_cost: usize,
    /// Multiple to which lengths are rounded up.
    pub round_to: usize,
    /// Number of rows that the joint search asks for before it checks whether it needs more.
    pub at_once: usize,
}

impl Batching {
    /// Batching for the CPU: time is proportional to places, so padding is avoided; the fixed cost of a pass is about 4
    /// places. 512 places take 70 ms per layer in a browser.
    pub const CPU: Self = Self { places: 512, pass_cost: 4, round_to: 1, at_once: 1 };
    /// Batching for a GPU: small passes are all latency, and repeated lengths reuse buffers and compiled kernels.
    pub const GPU: Self = Self { places: 4096, pass_cost: 1024, round_to: 16, at_once: usize::MAX };

    /// Returns the batching that suits the device.
    pub fn for_device(device: &Device) -> Self {
        if *device == Device::flex() { Self::CPU } else { Self::GPU }
    }

    /// Groups rows by length: returns the row numbers of each batch and its padded length.
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

/// Scores rows with a torso. Keep one scorer for the life of the torso, so that its cache serves later questions too.
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

/// Size of the cache: some 1,800 places of the shipped torso.
const CACHE_BYTES: usize = 32 << 20;

impl<P: Yield> TorsoScorer<P> {
    /// Creates a scorer with the batching that suits the torso's device.
    pub fn new(torso: Torso, yielder: P) -> Self {
        let batching = Batching::for_device(&torso.device());
        let temperature = torso.config().temperature;
        Self { torso, temperature, yielder, batching, cache: Cache::new(CACHE_BYTES), passes: 0, scored: 0 }
    }

    /// Replaces the batching.
    pub fn with_batching(self, batching: Batching) -> Self {
        Self { batching, ..self }
    }

    /// Returns the torso.
    pub fn torso(&self) -> &Torso {
        &self.torso
    }

    /// Returns the yielder of the current job.
    pub fn yielder(&self) -> &P {
        &self.yielder
    }

    /// Sets the yielder for the next job.
    pub fn set_yielder(&mut self, yielder: P) {
        self.yielder = yielder;
    }

    /// Replaces the fitted temperature; at 1 the logits are those that the torso was trained with.
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { temperature, ..self }
    }

    /// Divides by the temperature; dividing by 1 changes no bit.
    fn temper(&self, logits: &mut Logits) {
        logits.iter_mut().flatten().for_each(|logit| *logit /= self.temperature);
    }

    /// Returns the number of passes through the torso so far.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// Returns the number of computed rows so far, cached ones left out.
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
