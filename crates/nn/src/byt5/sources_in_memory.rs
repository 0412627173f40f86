//! Attention to what the encoder read, on the CPU, in plain memory.

use super::config::ByT5Config;
use super::error::{ByT5Error, read};
use super::heads_in_memory::{dot, softmax};
use super::model::{ByT5, Memory};
use burn::tensor::Tensor;

/// Keys and values of the encoder's states, as the blocks of the decoder keep them.
#[derive(Debug)]
pub struct MemorySources {
    /// For each block, keys and values of every place side by side, `[sources · length, 2 · inner]`: those that are
    /// still to be read, and those that are.
    unread: Vec<Tensor<2>>,
    kept: Vec<Vec<f32>>,
    /// The logit that is added for every place, `[sources, length]`.
    unread_padding: Option<Tensor<4>>,
    padding: Option<Vec<f32>>,
    /// Which of the sources are still wanted, by the numbers that they have now.
    wanted: Vec<usize>,
    length: usize,
}

impl MemorySources {
    /// Computes the keys and values.
    pub fn new(model: &ByT5, memory: &Memory) -> Self {
        Self {
            unread: model.decoder.iter().map(|block| block.cross.keys_and_values(memory.states.clone())).collect(),
            kept: Vec::new(),
            unread_padding: memory.padding.clone(),
            padding: None,
            wanted: (0..memory.rows).collect(),
            length: memory.length,
        }
    }

    /// Places of a source.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Wants these sources only, which have the numbers of their places in the list from now on.
    pub fn keep(&mut self, sources: &[usize]) {
        self.wanted = sources.iter().map(|source| self.wanted[*source]).collect();
    }

    /// Reads the keys and values before the first step.
    pub async fn begin(&mut self) -> Result<(), ByT5Error> {
        for both in std::mem::take(&mut self.unread) {
            self.kept.push(read(both).await?);
        }
        if let Some(padding) = self.unread_padding.take() {
            self.padding = Some(read(padding).await?);
        }
        Ok(())
    }

    /// What each row takes from its source, `[rows, inner]`, by its query. Adds to `attention`, `[rows, length]`, how
    /// much it attended to each place, mean over heads.
    pub fn attend(
        &self,
        block: usize,
        config: &ByT5Config,
        queries: &[f32],
        sources: &[usize],
        mut attention: Option<&mut [f32]>,
    ) -> Vec<f32> {
        let (heads, head, length) = (config.num_heads, config.d_kv, self.length);
        let inner = heads * head;
        let mut taken = vec![0.0; queries.len()];
        let mut weights = vec![0.0; length * heads];
        let rows = sources.iter().zip(queries.chunks_exact(inner)).zip(taken.chunks_exact_mut(inner));
        for (row, ((source, query), taken)) in rows.enumerate() {
            let first = self.wanted[*source] * length;
            let places = self.kept[block][first * 2 * inner..][..length * 2 * inner].chunks_exact(2 * inner);
            for (place, (both, weights)) in places.clone().zip(weights.chunks_exact_mut(heads)).enumerate() {
                let more = self.padding.as_ref().map_or(0.0, |padding| padding[first + place]);
                let by_head = both.chunks_exact(head).zip(query.chunks_exact(head));
                for (weight, (key, query)) in weights.iter_mut().zip(by_head) {
                    *weight = dot(query, key) + more;
                }
            }
            softmax(&mut weights, heads);
            for (both, weights) in places.zip(weights.chunks_exact(heads)) {
                let by_head = both[inner..].chunks_exact(head).zip(taken.chunks_exact_mut(head));
                for (weight, (value, taken)) in weights.iter().zip(by_head) {
                    taken.iter_mut().zip(value).for_each(|(taken, value)| *taken += weight * value);
                }
            }
            if let Some(attention) = attention.as_deref_mut() {
                let own = attention[row * length..][..length].iter_mut().zip(weights.chunks_exact(heads));
                own.for_each(|(sum, weights)| *sum += weights.iter().sum::<f32>() / heads as f32);
            }
        }
        taken
    }
}
