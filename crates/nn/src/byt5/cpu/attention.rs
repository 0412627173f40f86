//! The decoder's attention on the CPU, in plain memory: to the bytes written before and to the encoder's states. All
//! heads of a place lie side by side.
//!
//! Keys and values of a written byte are stored once and never move; a beam is a list of the bytes it consists of, so
//! reordering beams exchanges only the lists. With tensors, copying took most of a step at 200 bytes.

use super::super::config::ByT5Config;
use super::super::model::{ByT5, EncoderStates};
use super::super::position::bucket;
use crate::error::{ByT5Error, read};
use burn::tensor::Tensor;

/// Returns the dot product.
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    // The compiler must not reorder additions of floats, so a single sum would be one chain of dependent additions;
    // eight sums fit into one or two registers.
    const LANES: usize = 8;
    let mut sums = [0.0f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(x, y)| x * y).sum();
    for (ones, others) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += ones[lane] * others[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Replaces logits by their softmax over the places, separately for each head: `[places, heads]`.
pub fn softmax(values: &mut [f32], heads: usize) {
    let mut largest = vec![f32::MIN; heads];
    for row in values.chunks_exact(heads) {
        largest.iter_mut().zip(row).for_each(|(largest, value)| *largest = largest.max(*value));
    }
    let mut sums = vec![0.0; heads];
    for row in values.chunks_exact_mut(heads) {
        for ((value, largest), sum) in row.iter_mut().zip(&largest).zip(&mut sums) {
            *value = (*value - largest).exp();
            *sum += *value;
        }
    }
    for row in values.chunks_exact_mut(heads) {
        row.iter_mut().zip(&sums).for_each(|(value, sum)| *value /= sum);
    }
}

/// Keys and values of the written bytes in all blocks of the decoder.
#[derive(Debug)]
pub struct CpuRows {
    /// Keys and values of every byte per block, `[bytes, inner]` each.
    kept: Vec<[Vec<f32>; 2]>,
    /// Indices of each row's bytes.
    lists: Vec<Vec<usize>>,
    /// Number of bytes stored.
    count: usize,
    /// Bias by distance from the last place, `[distances, heads]`.
    by_distance: Vec<f32>,
}

impl CpuRows {
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

/// Keys and values of the encoder's states for all blocks of the decoder.
#[derive(Debug)]
pub struct CpuSources {
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

impl CpuSources {
    /// Computes keys and values without reading them.
    pub fn new(model: &ByT5, all_encoded: &[EncoderStates]) -> Self {
        // Reading a tensor has to be awaited in a browser, so the numbers are read at the first step.
        let unread = all_encoded.iter().map(|encoded| Unread {
            blocks: model.decoder.iter().map(|block| block.cross.keys_and_values(encoded.states.clone())).collect(),
            padding: encoded.padding.clone(),
            sources: encoded.rows,
            length: encoded.length,
        });
        let length = all_encoded.iter().map(|encoded| encoded.length).max().unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_of_any_length() {
        for length in [0, 1, 7, 8, 9, 64, 65] {
            let one: Vec<f32> = (0..length).map(|value| value as f32).collect();
            let expected: f32 = one.iter().map(|value| value * 2.0).sum();
            assert_eq!(dot(&one, &vec![2.0; length]), expected);
        }
    }

    #[test]
    fn the_shares_of_a_head_sum_to_one() {
        let mut values = vec![1000.0, 0.0, 999.0, 0.0, -1e9, 0.0];
        softmax(&mut values, 2);
        assert!((values[0] + values[2] + values[4] - 1.0).abs() < 1e-6);
        assert!((values[0] / values[2] - 1f32.exp()).abs() < 1e-5);
        assert_eq!([values[4], values[1]], [0.0, 1.0 / 3.0]);
    }
}
