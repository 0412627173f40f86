//! Attention of the decoder to the encoder's states on the CPU, in plain memory.

use super::super::config::ByT5Config;
use super::super::model::{ByT5, Memory};
use super::heads::{dot, softmax};
use crate::error::{ByT5Error, read};
use burn::tensor::Tensor;

/// Keys and values of the encoder's states for all blocks of the decoder.
#[derive(Debug)]
pub struct MemorySources {
    unread: Vec<Unread>,
    sources: Vec<Source>,
    /// Number of places of the longest source.
    length: usize,
}

/// Keys and values that are computed but not yet read into plain memory.
#[derive(Debug)]
struct Unread {
    /// Keys and values of every place side by side, per block: `[sources · length, 2 · inner]`.
    blocks: Vec<Tensor<2>>,
    /// Mask of the padding, `[sources, 1, 1, length]`.
    padding: Option<Tensor<4>>,
    /// Number of sources.
    sources: usize,
    length: usize,
}

/// Keys and values of one source.
#[derive(Clone, Debug, Default)]
struct Source {
    /// Keys and values of every place side by side, per block: `[length, 2 · inner]`.
    blocks: Vec<Vec<f32>>,
    /// Mask of the padding, `[length]`; empty when no place is padding.
    padding: Vec<f32>,
}

impl Unread {
    async fn read(self) -> Result<Vec<Source>, ByT5Error> {
        let mut sources = vec![Source::default(); self.sources];
        for block in self.blocks {
            let both = read(block).await?;
            let parts = both.chunks_exact(both.len() / sources.len());
            sources.iter_mut().zip(parts).for_each(|(source, part)| source.blocks.push(part.to_vec()));
        }
        if let Some(padding) = self.padding {
            let padding = read(padding).await?;
            let parts = padding.chunks_exact(self.length);
            sources.iter_mut().zip(parts).for_each(|(source, part)| source.padding = part.to_vec());
        }
        Ok(sources)
    }
}

impl MemorySources {
    /// Computes keys and values without reading them.
    pub fn new(model: &ByT5, memories: &[Memory]) -> Self {
        // Reading a tensor has to be awaited in a browser, so the numbers are read at the first step.
        let unread = memories.iter().map(|memory| Unread {
            blocks: model.decoder.iter().map(|block| block.cross.keys_and_values(memory.states.clone())).collect(),
            padding: memory.padding.clone(),
            sources: memory.rows,
            length: memory.length,
        });
        let length = memories.iter().map(|memory| memory.length).max().unwrap_or_default();
        Self { unread: unread.collect(), sources: Vec::new(), length }
    }

    /// Returns the number of places of the longest source.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Reads the keys and values into plain memory. Must be awaited before any other use; later calls do nothing.
    pub async fn read(&mut self) -> Result<(), ByT5Error> {
        for unread in std::mem::take(&mut self.unread) {
            self.sources.extend(unread.read().await?);
        }
        Ok(())
    }

    /// Drops all sources but these and renumbers them by their place in the list.
    pub fn keep(&mut self, sources: &[usize]) {
        self.sources = sources.iter().map(|source| std::mem::take(&mut self.sources[*source])).collect();
    }

    /// Returns the attention output of each row over its source, `[rows, inner]`, for the row's query. Adds the
    /// attention weights, averaged over heads, to `attention`, `[rows, length]`.
    pub fn attend(
        &self,
        block: usize,
        config: &ByT5Config,
        queries: &[f32],
        sources: &[usize],
        mut attention: Option<&mut [f32]>,
    ) -> Vec<f32> {
        let (heads, head, longest) = (config.num_heads, config.d_kv, self.length);
        let inner = heads * head;
        let mut taken = vec![0.0; queries.len()];
        let mut weights = vec![0.0; longest * heads];
        let rows = sources.iter().zip(queries.chunks_exact(inner)).zip(taken.chunks_exact_mut(inner));
        for (row, ((source, query), taken)) in rows.enumerate() {
            let Source { blocks, padding } = &self.sources[*source];
            let places = blocks[block].chunks_exact(2 * inner);
            let weights = &mut weights[..places.len() * heads];
            for (place, (both, weights)) in places.clone().zip(weights.chunks_exact_mut(heads)).enumerate() {
                let more = padding.get(place).copied().unwrap_or_default();
                let by_head = both.chunks_exact(head).zip(query.chunks_exact(head));
                for (weight, (key, query)) in weights.iter_mut().zip(by_head) {
                    *weight = dot(query, key) + more;
                }
            }
            softmax(weights, heads);
            for (both, weights) in places.zip(weights.chunks_exact(heads)) {
                let by_head = both[inner..].chunks_exact(head).zip(taken.chunks_exact_mut(head));
                for (weight, (value, taken)) in weights.iter().zip(by_head) {
                    taken.iter_mut().zip(value).for_each(|(taken, value)| *taken += weight * value);
                }
            }
            if let Some(attention) = attention.as_deref_mut() {
                let own = attention[row * longest..][..longest].iter_mut().zip(weights.chunks_exact(heads));
                own.for_each(|(sum, weights)| *sum += weights.iter().sum::<f32>() / heads as f32);
            }
        }
        taken
    }
}
