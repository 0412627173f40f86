//! Self-attention of the decoder on the CPU, in plain memory.
//!
//! Keys and values of a byte are stored once and never move; a beam is a list of the bytes it consists of, so
//! reordering beams exchanges only the lists. With tensors, copying took most of a step at 200 bytes.

use super::super::config::ByT5Config;
use super::super::position::bucket;
use super::heads::{dot, softmax};

/// Keys and values of the written bytes in all blocks of the decoder.
#[derive(Debug)]
pub struct MemoryRows {
    /// Keys and values of every byte per block, `[bytes, inner]` each.
    kept: Vec<[Vec<f32>; 2]>,
    /// Indices of each row's bytes.
    lists: Vec<Vec<usize>>,
    /// Number of bytes stored.
    count: usize,
    /// Bias by distance from the last place, `[distances, heads]`.
    by_distance: Vec<f32>,
}

impl MemoryRows {
    /// Begins `rows` empty rows.
    pub fn new(blocks: usize, rows: usize) -> Self {
        let (kept, lists) = (vec![[Vec::new(), Vec::new()]; blocks], vec![Vec::new(); rows]);
        Self { kept, lists, count: 0, by_distance: Vec::new() }
    }

    /// Replaces the rows by copies of their parents.
    pub fn follow(&mut self, parents: &[usize]) {
        // Keys and values of abandoned beams stay in memory: removing them would move all others.
        self.lists = parents.iter().map(|parent| self.lists[*parent].clone()).collect();
    }

    /// Adds one place to every row. `positions` are the learnt numbers of the relative positions, `[buckets, heads]`.
    pub fn begin(&mut self, config: &ByT5Config, positions: &[f32]) {
        let heads = config.num_heads;
        let (buckets, far) = (config.relative_attention_num_buckets, config.relative_attention_max_distance);
        let bucket = bucket(-((self.by_distance.len() / heads) as isize), false, buckets, far);
        // Only one number per head is added: the bias depends on the distance alone, so all rows and all later places
        // use it.
        self.by_distance.extend_from_slice(&positions[bucket * heads..][..heads]);
        for list in &mut self.lists {
            list.push(self.count);
            self.count += 1;
        }
    }

    /// Stores keys and values of the new place and returns its attention output over all places: `[rows, 3 · inner]` to
    /// `[rows, inner]`.
    pub fn attend(&mut self, block: usize, config: &ByT5Config, qkv: &[f32]) -> Vec<f32> {
        let (heads, head) = (config.num_heads, config.d_kv);
        let inner = heads * head;
        let rows = self.lists.len();
        let [keys, values] = &mut self.kept[block];
        for row in qkv.chunks_exact(3 * inner) {
            keys.extend_from_slice(&row[inner..2 * inner]);
            values.extend_from_slice(&row[2 * inner..]);
        }
        let mut taken = vec![0.0; rows * inner];
        let mut weights = vec![0.0; self.by_distance.len()];
        for ((list, row), taken) in
            self.lists.iter().zip(qkv.chunks_exact(3 * inner)).zip(taken.chunks_exact_mut(inner))
        {
            // The heads of a byte lie together in memory, and this loop is bound by memory: handling all heads of a
            // byte at a time reads each key once, in order.
            let by_place = weights.chunks_exact_mut(heads).zip(self.by_distance.chunks_exact(heads).rev());
            for (byte, (weights, bias)) in list.iter().zip(by_place) {
                let keys = keys[byte * inner..][..inner].chunks_exact(head);
                for (((weight, bias), key), query) in weights.iter_mut().zip(bias).zip(keys).zip(row.chunks_exact(head))
                {
                    *weight = dot(query, key) + bias;
                }
            }
            softmax(&mut weights, heads);
            for (byte, weights) in list.iter().zip(weights.chunks_exact(heads)) {
                let values = values[byte * inner..][..inner].chunks_exact(head);
                for ((weight, value), taken) in weights.iter().zip(values).zip(taken.chunks_exact_mut(head)) {
                    taken.iter_mut().zip(value).for_each(|(taken, value)| *taken += weight * value);
                }
            }
        }
        taken
    }
}
