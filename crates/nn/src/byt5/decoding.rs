//! Writing byte by byte: what was computed for the bytes before is kept.
//!
//! Keys and values of the encoder's states are computed once per source, not per beam: the beams of a source are places
//! that attend to the same memory. Keys and values of the own row are kept in plain memory on the CPU, and in caches on
//! a GPU.

use super::error::{ByT5Error, read};
use super::model::{ByT5, Memory};
use super::rows_in_memory::MemoryRows;
use super::rows_on_device::DeviceRows;
use crate::norm::rms_norm;
use crate::yielding::Yield;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use tuppum_tasks::generation::{Chosen, Continuation, NextByte, NextByteScores};

/// A model while it writes.
#[derive(Debug)]
pub struct Decoding<'m, P> {
    model: &'m ByT5,
    yielder: P,
    layers: Vec<LayerState>,
    /// `[sources, 1, 1, length]`.
    padding: Option<Tensor<4>>,
    /// For each row of the last step, which source (of those in the layers' states) it belongs to.
    sources: Vec<usize>,
    written: Written,
    keep_attention: bool,
    length: usize,
}

/// What a block of the decoder keeps of the encoder's states.
#[derive(Debug)]
struct LayerState {
    /// `[sources, heads, head, length]`.
    memory_keys: Tensor<4>,
    /// `[sources, heads, length, head]`.
    memory_values: Tensor<4>,
}

/// Keys and values of the rows written so far.
#[derive(Debug)]
enum Written {
    InMemory(MemoryRows),
    OnDevice(Box<DeviceRows>),
}

impl<'m, P: Yield> Decoding<'m, P> {
    /// Begins to write for everything in the memory. Where `keep_attention` is set, scores hold the attention.
    pub fn new(model: &'m ByT5, memory: &Memory, keep_attention: bool, yielder: P) -> Self {
        let heads = model.config.num_heads;
        let state = |block: &super::block::DecoderBlock| {
            let [keys, values] = block.cross.memory(memory.states.clone(), memory.rows, heads);
            LayerState { memory_keys: keys.swap_dims(2, 3), memory_values: values }
        };
        let blocks = model.decoder.len();
        let written = match model.device() == Device::flex() {
            true => Written::InMemory(MemoryRows::new(blocks, memory.rows)),
            false => Written::OnDevice(Box::new(DeviceRows::new(blocks))),
        };
        Self {
            model,
            yielder,
            layers: model.decoder.iter().map(state).collect(),
            padding: memory.padding.clone(),
            sources: (0..memory.rows).collect(),
            written,
            keep_attention,
            length: memory.length,
        }
    }

    /// The same, keeping rows as on a GPU wherever the model is.
    pub fn on_device(self) -> Self {
        Self { written: Written::OnDevice(Box::new(DeviceRows::new(self.layers.len()))), ..self }
    }

    /// Makes the rows of the caches those that are continued.
    fn follow(&mut self, rows: &[Continuation]) -> Result<(), ByT5Error> {
        if rows.iter().any(|row| row.parent >= self.sources.len()) || rows.is_empty() {
            return Err(ByT5Error::Row(format!("a row continues one of {} that is not there", self.sources.len())));
        }
        let device = self.model.device();
        let unchanged = rows.len() == self.sources.len() && rows.iter().enumerate().all(|(at, row)| row.parent == at);
        if unchanged {
            return Ok(());
        }
        let parents: Vec<usize> = rows.iter().map(|row| row.parent).collect();
        match &mut self.written {
            Written::InMemory(own) => own.follow(&parents),
            Written::OnDevice(own) => own.follow(&numbers(parents.into_iter(), &device)),
        }
        let old: Vec<usize> = rows.iter().map(|row| self.sources[row.parent]).collect();
        let mut kept = old.clone();
        kept.dedup();
        let fewer = kept.len() < self.memory_sources();
        let kept_numbers = numbers(kept.iter().copied(), &device);
        for layer in &mut self.layers {
            if fewer {
                layer.memory_keys = layer.memory_keys.clone().select(0, kept_numbers.clone());
                layer.memory_values = layer.memory_values.clone().select(0, kept_numbers.clone());
            }
        }
        if fewer {
            self.padding = self.padding.take().map(|padding| padding.select(0, kept_numbers));
        }
        self.sources = old.iter().map(|source| kept.partition_point(|before| before < source)).collect();
        Ok(())
    }

    fn memory_sources(&self) -> usize {
        self.layers.first().map_or(1, |layer| layer.memory_keys.dims()[0])
    }

    /// Logits after one more token per row, `[rows, vocabulary]`, and where it is kept, the attention, `[rows,
    /// length]`.
    async fn step(&mut self, mut stream: Tensor<2>) -> Result<(Tensor<2>, Option<Tensor<2>>), ByT5Error> {
        let model = self.model;
        let epsilon = model.config.layer_norm_epsilon;
        match &mut self.written {
            Written::InMemory(own) => own.begin(model).await?,
            Written::OnDevice(own) => own.begin(model, stream.dims()[0]),
        }
        let mut attention: Option<Tensor<2>> = None;
        for (number, block) in model.decoder.iter().enumerate() {
            let qkv = rms_norm(&stream, &block.norm, epsilon).matmul(block.attention.qkv.val());
            let taken = match &mut self.written {
                Written::InMemory(own) => own.attend(number, model, qkv).await?,
                Written::OnDevice(own) => own.attend(number, model, qkv),
            };
            stream = stream + taken.matmul(block.attention.output.val());
            let (taken, weights) = self.memory(number, rms_norm(&stream, &block.cross_norm, epsilon));
            stream = stream + taken.matmul(block.cross.output.val());
            if let Some(weights) = weights {
                attention = Some(match attention {
                    Some(others) => others + weights,
                    None => weights,
                });
            }
            stream = block.feed_forward.forward(stream, epsilon, &mut ()).await?;
            self.yielder.yield_now().await?;
        }
        if let Written::OnDevice(own) = &mut self.written {
            own.end();
        }
        Ok((model.head(&stream, &mut ()), attention.map(|sum| sum / model.decoder.len() as f64)))
    }

    /// What the last place of every row takes from its source, `[rows, inner]`, and how much it attended to each place
    /// of it, mean over heads, `[rows, length]`.
    fn memory(&self, layer: usize, normed: Tensor<2>) -> (Tensor<2>, Option<Tensor<2>>) {
        let (rows, sources) = (normed.dims()[0], self.memory_sources());
        let (heads, head) = (self.model.config.num_heads, self.model.config.d_kv);
        let state = &self.layers[layer];
        let queries = normed.matmul(self.model.decoder[layer].cross.query.val());
        let queries = queries.reshape([sources, rows / sources, heads, head]).swap_dims(1, 2);
        let mut logits = queries.matmul(state.memory_keys.clone());
        if let Some(padding) = &self.padding {
            logits = logits + padding.clone();
        }
        let weights = activation::softmax(logits, 3);
        let attention = self.keep_attention.then(|| weights.clone().mean_dim(1).reshape([rows, self.length]));
        let taken = weights.matmul(state.memory_values.clone()).swap_dims(1, 2).reshape([rows, heads * head]);
        (taken, attention)
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
        self.follow(rows)?;
        let (logits, attention) = self.step(self.embedded(rows)).await?;
        let (logits, attention) = read_both(logits, attention).await?;
        if logits.iter().any(|logit| !logit.is_finite()) {
            return Err(ByT5Error::Device("its logits are no finite numbers".to_string()));
        }
        Ok(NextByteScores { logits, vocabulary: self.model.config.vocab_size, attention, inputs: self.length })
    }

    async fn likeliest(&mut self, rows: &[Continuation], count: usize) -> Result<Vec<Vec<Chosen>>, ByT5Error> {
        self.check_tokens(rows)?;
        self.follow(rows)?;
        let mut stream = self.embedded(rows);
        let (mut tokens, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
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
        // Numbers of tokens are far below what f32 has exactly.
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

/// The numbers of two tensors with as many rows, read at once: a graphics device is waited for at every reading.
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
