//! Attention to what was written before, as tensors: for a GPU, and for whatever is no plain CPU.
//!
//! Keys and values lie in a cache with room for a few dozen bytes more than were written, which grows by as many when
//! it is full: a step costs what its row has come to, and beams that change places copy no more than that.

use super::model::ByT5;
use crate::softmax::shares_of;
use burn::tensor::{Int, Tensor};

/// Bytes by which the cache grows.
const GROWTH: usize = 32;

/// What was written, as the blocks of the decoder keep it.
#[derive(Debug)]
pub struct DeviceRows {
    /// For each block keys, then values: `[rows, 2 · heads, capacity, head]`. Taken out while it is written, so that it
    /// can be written in place.
    caches: Vec<Option<Tensor<4>>>,
    /// Places written.
    written: usize,
    /// Places that the caches have room for.
    capacity: usize,
    /// Of [`RelativePositions::backwards`](super::RelativePositions::backwards), for that capacity.
    positions: Option<Tensor<4>>,
}

impl DeviceRows {
    /// Begins rows in which nothing is written.
    pub fn new(blocks: usize) -> Self {
        Self { caches: vec![None; blocks], written: 0, capacity: 0, positions: None }
    }

    /// Makes the rows those that these continue.
    pub fn follow(&mut self, parents: &Tensor<1, Int>) {
        for cache in &mut self.caches {
            *cache = cache.take().map(|cache| cache.select(0, parents.clone()));
        }
    }

    /// Makes room for one more place.
    pub fn begin(&mut self, model: &ByT5, rows: usize) {
        if self.written < self.capacity {
            return;
        }
        let (config, device) = (&model.config, model.device());
        let capacity = self.capacity + GROWTH;
        for cache in &mut self.caches {
            let empty = Tensor::<4>::zeros([rows, 2 * config.num_heads, capacity, config.d_kv], &device);
            *cache = Some(match cache.take() {
                Some(full) => {
                    let [rows, both, old, head] = full.dims();
                    empty.slice_assign([0..rows, 0..both, 0..old, 0..head], full)
                }
                None => empty,
            });
        }
        self.capacity = capacity;
        self.positions = Some(model.decoder_positions.backwards(capacity));
    }

    /// Keeps the new place's keys and values and returns what it takes from all places: `[rows, 3 · inner]` to
    /// `[rows, inner]`.
    pub fn attend(&mut self, block: usize, model: &ByT5, qkv: Tensor<2>) -> Tensor<2> {
        let (rows, at) = (qkv.dims()[0], self.written);
        let (heads, head) = (model.config.num_heads, model.config.d_kv);
        let all = qkv.reshape([rows, 3 * heads, 1, head]);
        let queries = all.clone().narrow(1, 0, heads);
        let (Some(cache), Some(positions)) = (self.caches[block].take(), &self.positions) else {
            return queries.reshape([rows, heads * head]);
        };
        let cache = cache.slice_assign([0..rows, 0..2 * heads, at..at + 1, 0..head], all.narrow(1, heads, 2 * heads));
        let keys = cache.clone().narrow(1, 0, heads).swap_dims(2, 3);
        let bias = positions.clone().narrow(3, self.capacity - 1 - at, self.capacity);
        let weights = shares_of(queries.matmul(keys) + bias);
        let taken = weights.matmul(cache.clone().narrow(1, heads, heads)).reshape([rows, heads * head]);
        self.caches[block] = Some(cache);
        taken
    }

    /// The place has gone through all blocks.
    pub fn end(&mut self) {
        self.written += 1;
    }
}
