//! Self-attention of the decoder with tensors: for a GPU, and for every device that is not a plain CPU.
//!
//! The cache of keys and values has room for a few dozen more bytes than were written and grows by that many when it is
//! full. A step therefore costs what its row's length demands, and reordering beams copies no more than that.

use super::super::model::ByT5;
use crate::softmax::shares_of;
use burn::tensor::{Int, Tensor};

/// Number of bytes by which the cache grows.
const GROWTH: usize = 32;

/// Keys and values of the written bytes in all blocks of the decoder.
#[derive(Debug)]
pub struct DeviceRows {
    /// Keys, then values, per block: `[rows, 2 · heads, capacity, head]`. Taken out of the option while it is written,
    /// so that burn can write in place.
    caches: Vec<Option<Tensor<4>>>,
    /// Number of places written.
    written: usize,
    /// Number of places that the caches have room for.
    capacity: usize,
    /// Result of [`RelativePositions::backwards`](super::super::RelativePositions::backwards) for the current capacity.
    positions: Option<Tensor<4>>,
}

impl DeviceRows {
    /// Begins empty rows.
    pub fn new(blocks: usize) -> Self {
        Self { caches: vec![None; blocks], written: 0, capacity: 0, positions: None }
    }

    /// Replaces the rows by copies of their parents.
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
        // Tensors cannot grow in place, and growing by one place at a time would copy the cache at every byte.
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

    /// Stores keys and values of the new place and returns its attention output over all places: `[rows, 3 · inner]` to
    /// `[rows, inner]`.
    pub fn attend(&mut self, block: usize, model: &ByT5, qkv: Tensor<2>) -> Tensor<2> {
        let (rows, at) = (qkv.dims()[0], self.written);
        let (heads, head) = (model.config.num_heads, model.config.d_kv);
        let all = qkv.reshape([rows, 3 * heads, 1, head]);
        let queries = all.clone().narrow(1, 0, heads);
        let (Some(cache), Some(positions)) = (self.caches[block].take(), &self.positions) else {
            return queries.reshape([rows, heads * head]);
        };
        // Nobody else holds the cache here, so burn writes the new place in place.
        let cache = cache.slice_assign([0..rows, 0..2 * heads, at..at + 1, 0..head], all.narrow(1, heads, 2 * heads));
        let keys = cache.clone().narrow(1, 0, heads).swap_dims(2, 3);
        // As the row grows, the window moves along the table: places not written yet get −1e9, so that the unused part
        // of the cache has no weight.
        let bias = positions.clone().narrow(3, self.capacity - 1 - at, self.capacity);
        let weights = shares_of(queries.matmul(keys) + bias);
        let taken = weights.matmul(cache.clone().narrow(1, heads, heads)).reshape([rows, heads * head]);
        self.caches[block] = Some(cache);
        taken
    }

    /// Ends the place, after it has passed through all blocks.
    pub fn end(&mut self) {
        self.written += 1;
    }
}
