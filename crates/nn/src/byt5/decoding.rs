//! From rows to texts: encoder, search and decoder together; and the decoder byte by byte, which keeps the keys and
//! values of the bytes written before.
//!
//! Keys and values of the encoder's states are computed once per source, not per beam. On the CPU everything that is
//! kept lies in plain memory ([`cpu`](super::cpu)), on other devices in tensors ([`device`](super::device)).

use super::cpu::step::CpuStep;
use super::device::step::DeviceStep;
use super::model::{ByT5, EncoderStates, SourceRow};
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use std::slice::from_ref;
use tuppum_domain::generation::{Chosen, Continuation, NextByte, NextByteScores, Options, Output, Partial, generate};

/// Translator in the course of writing.
#[derive(Debug)]
pub struct Decoding<'m, P> {
    model: &'m ByT5,
    yielder: P,
    /// Number of the source of each row of the last step, among the sources still kept.
    sources: Vec<usize>,
    way: Way,
    keep_attention: bool,
    length: usize,
}

/// Method of computing a step, with the state kept between steps.
#[derive(Debug)]
enum Way {
    Cpu(Box<CpuStep>),
    Device(Box<DeviceStep>),
}

impl<'m, P: Yield> Decoding<'m, P> {
    /// Begins to write for all encoded rows. With `keep_attention`, the scores contain the attention to the source.
    pub fn new(model: &'m ByT5, encoded: &EncoderStates, keep_attention: bool, yielder: P) -> Self {
        if model.device() != Device::flex() {
            return Self::on_device(model, encoded, keep_attention, yielder);
        }
        Self::on_cpu(model, std::slice::from_ref(encoded), keep_attention, yielder)
    }

    /// Begins to write on the CPU for all encoded rows, in order, each row as if it stood alone.
    pub(super) fn on_cpu(model: &'m ByT5, all_encoded: &[EncoderStates], keep_attention: bool, yielder: P) -> Self {
        let way = Way::Cpu(Box::new(CpuStep::new(model, all_encoded)));
        Self::by(way, model, all_encoded, keep_attention, yielder)
    }

    /// Begins to write with tensors, as on a GPU, whatever the model's device is.
    pub fn on_device(model: &'m ByT5, encoded: &EncoderStates, keep_attention: bool, yielder: P) -> Self {
        let way = Way::Device(Box::new(DeviceStep::new(model, encoded)));
        Self::by(way, model, std::slice::from_ref(encoded), keep_attention, yielder)
    }

    fn by(way: Way, model: &'m ByT5, all_encoded: &[EncoderStates], keep_attention: bool, yielder: P) -> Self {
        let rows = all_encoded.iter().map(|encoded| encoded.rows).sum();
        let length = all_encoded.iter().map(|encoded| encoded.length).max().unwrap_or_default();
        Self { model, yielder, sources: (0..rows).collect(), way, keep_attention, length }
    }

    /// Reorders the caches so that each row continues its parent.
    async fn follow(&mut self, rows: &[Continuation]) -> Result<(), ByT5Error> {
        if rows.iter().any(|row| row.parent >= self.sources.len()) || rows.is_empty() {
            return Err(ByT5Error::Row(format!("a row continues one of {} that is not there", self.sources.len())));
        }
        if let Way::Cpu(step) = &mut self.way {
            step.sources.read().await?;
        }
        // A greedy search keeps its rows, and copying the caches then would be for nothing.
        let unchanged = rows.len() == self.sources.len() && rows.iter().enumerate().all(|(at, row)| row.parent == at);
        if unchanged {
            return Ok(());
        }
        let parents: Vec<usize> = rows.iter().map(|row| row.parent).collect();
        let old: Vec<usize> = parents.iter().map(|parent| self.sources[*parent]).collect();
        debug_assert!(old.is_sorted(), "the rows of a source stand together, in the order of the sources");
        let mut kept = old.clone();
        kept.dedup();
        let device = self.model.device();
        match &mut self.way {
            Way::Cpu(step) => {
                step.own.follow(&parents);
                step.sources.keep(&kept);
            }
            Way::Device(step) => {
                step.own.follow(&numbers(parents.into_iter(), &device));
                if kept.len() < step.sources() {
                    step.keep(&numbers(kept.iter().copied(), &device));
                }
            }
        }
        self.sources = old.iter().map(|source| kept.partition_point(|before| before < source)).collect();
        Ok(())
    }

    /// Returns the logits after one more token per row, `[rows, vocabulary]`, and, with `keep_attention`, the
    /// attention, `[rows, length]`.
    async fn step(&mut self, stream: Tensor<2>) -> Result<(Tensor<2>, Option<Tensor<2>>), ByT5Error> {
        let (model, yielder) = (self.model, &self.yielder);
        match &mut self.way {
            Way::Cpu(step) => step.step(model, stream, &self.sources, self.keep_attention, yielder).await,
            Way::Device(step) => step.step(model, stream, self.keep_attention, yielder).await,
        }
    }

    fn embedded(&self, rows: &[Continuation]) -> Tensor<2> {
        let tokens: Vec<u32> = rows.iter().map(|row| row.token).collect();
        self.model.embedded(&tokens)
    }

    fn check_tokens(&self, rows: &[Continuation]) -> Result<(), ByT5Error> {
        let vocabulary = self.model.config.vocab_size;
        match rows.iter().find(|row| row.token as usize >= vocabulary) {
            Some(row) => {
                Err(ByT5Error::Row(format!("token {} lies outside the vocabulary of {vocabulary}", row.token)))
            }
            None => Ok(()),
        }
    }
}

impl<P: Yield> NextByte for Decoding<'_, P> {
    type Error = ByT5Error;

    async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, ByT5Error> {
        self.check_tokens(rows)?;
        self.follow(rows).await?;
        let (logits, attention) = self.step(self.embedded(rows)).await?;
        let (logits, attention) = match (&self.way, attention) {
            (Way::Cpu(_), Some(attention)) => (read(logits).await?, read(attention).await?),
            (_, attention) => read_both(logits, attention).await?,
        };
        if logits.iter().any(|logit| !logit.is_finite()) {
            return Err(ByT5Error::Device("its logits are no finite numbers".to_string()));
        }
        Ok(NextByteScores { logits, vocabulary: self.model.config.vocab_size, attention, inputs: self.length })
    }

    async fn likeliest(&mut self, rows: &[Continuation], count: usize) -> Result<Vec<Vec<Chosen>>, ByT5Error> {
        self.check_tokens(rows)?;
        self.follow(rows).await?;
        let mut stream = self.embedded(rows);
        let (mut tokens, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
        // The chosen token goes into the next step as a tensor: every read would wait for the device, so all bytes are
        // read at once at the end.
        for _ in 0..count {
            let (logits, _) = self.step(stream).await?;
            let (value, token) = activation::log_softmax(logits, 1).max_dim_with_indices(1);
            stream = self.model.shared.val().select(0, token.clone().reshape([rows.len()]));
            tokens.push(token);
            values.push(value);
        }
        if count == 0 {
            return Ok(vec![Vec::new(); rows.len()]);
        }
        // Token numbers are small enough for f32 to hold them exactly.
        let (values, tokens) = read_both(Tensor::cat(values, 1), Some(Tensor::cat(tokens, 1).float())).await?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(ByT5Error::Device("its logits are no finite numbers".to_string()));
        }
        let tokens = tokens.into_iter().map(|token| token as u32);
        let chosen = tokens.zip(values).map(|(token, log_probability)| Chosen { token, log_probability });
        let all: Vec<Chosen> = chosen.collect();
        Ok(all.chunks(count).map(<[Chosen]>::to_vec).collect())
    }
}

/// Reads two tensors with the same number of rows in one transfer: every read of a graphics device waits for it.
async fn read_both(one: Tensor<2>, other: Option<Tensor<2>>) -> Result<(Vec<f32>, Vec<f32>), ByT5Error> {
    let Some(other) = other else { return Ok((read(one).await?, Vec::new())) };
    let [[_, width], [_, more]] = [one.dims(), other.dims()];
    let both = read(Tensor::cat(vec![one, other], 1)).await?;
    let rows = both.chunks_exact((width + more).max(1)).map(|row| row.split_at(width));
    let (one, other): (Vec<&[f32]>, Vec<&[f32]>) = rows.unzip();
    Ok((one.concat(), other.concat()))
}

fn numbers(values: impl Iterator<Item = usize>, device: &Device) -> Tensor<1, Int> {
    let values: Vec<i32> = values.map(|value| value as i32).collect();
    let length = values.len();
    Tensor::from_data(TensorData::new(values, [length]), device)
}

/// Translates some rows in one batch and returns the outputs of each, best first. `on_partial` receives the text
/// written so far.
///
/// On the CPU each row is encoded alone, without padding, and written as if it were alone; the rows share only the
/// reading of the model's weights.
///
/// # Errors
/// As for [`ByT5::encode`].
pub async fn translate(
    model: &ByT5,
    rows: &[SourceRow],
    options: &Options,
    yielder: &impl Yield,
    on_partial: impl FnMut(Partial<'_>),
) -> Result<Vec<Vec<Output>>, ByT5Error> {
    let mut decoding = if model.device() == Device::flex() && !rows.is_empty() {
        let mut all_encoded = Vec::with_capacity(rows.len());
        for row in rows {
            all_encoded.push(model.encode(from_ref(row), 0, yielder).await?);
        }
        Decoding::on_cpu(model, &all_encoded, options.attention, yielder)
    } else {
        Decoding::new(model, &model.encode(rows, 0, yielder).await?, options.attention, yielder)
    };
    generate(&mut decoding, rows.len(), options, on_partial).await
}

/// Translates any number of rows and returns their outputs in order. Rows of similar length share a batch of at most
/// `batch` rows. `on_done` receives the number of finished rows.
///
/// # Errors
/// As for [`ByT5::encode`].
pub async fn translate_all(
    model: &ByT5,
    rows: &[SourceRow],
    options: &Options,
    batch: usize,
    yielder: &impl Yield,
    mut on_done: impl FnMut(usize),
) -> Result<Vec<Vec<Output>>, ByT5Error> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|number| std::cmp::Reverse(rows[*number].ids.len()));
    let mut found = vec![Vec::new(); rows.len()];
    let mut done = 0;
    for numbers in order.chunks(batch.max(1)) {
        let own: Vec<SourceRow> = numbers.iter().map(|number| rows[*number].clone()).collect();
        let outputs = translate(model, &own, options, yielder, |_| ()).await?;
        for (number, outputs) in numbers.iter().zip(outputs) {
            found[*number] = outputs;
        }
        done += numbers.len();
        on_done(done);
    }
    Ok(found)
}
