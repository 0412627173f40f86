//! Attention to what was written before, on the CPU, in plain memory.
//!
//! Keys and values of every byte stay where they were put, and a beam is a list of where its bytes lie: beams that
//! change places exchange lists. As tensors, the same took most of a step at 200 bytes, for copying.

use super::error::{ByT5Error, read};
use super::model::ByT5;
use super::position::bucket;
use burn::tensor::{Tensor, TensorData};

/// What was written, as the blocks of the decoder keep it.
#[derive(Debug)]
pub struct MemoryRows {
    /// For each block, keys and values of every byte, `[bytes, inner]` each.
    kept: Vec<[Vec<f32>; 2]>,
    /// For each row, where its bytes lie.
    lists: Vec<Vec<usize>>,
    /// Bytes kept.
    count: usize,
    /// The learnt numbers of the relative positions, `[buckets, heads]`.
    table: Vec<f32>,
    /// The bias by distance from the last place, `[distances, heads]`.
    by_distance: Vec<f32>,
}

impl MemoryRows {
    /// Begins `rows` rows in which nothing is written.
    pub fn new(blocks: usize, rows: usize) -> Self {
        let (kept, lists) = (vec![[Vec::new(), Vec::new()]; blocks], vec![Vec::new(); rows]);
        Self { kept, lists, count: 0, table: Vec::new(), by_distance: Vec::new() }
    }

    /// Makes the rows those that these continue.
    pub fn follow(&mut self, parents: &[usize]) {
        self.lists = parents.iter().map(|parent| self.lists[*parent].clone()).collect();
    }

    /// Makes room for one more place.
    pub async fn begin(&mut self, model: &ByT5) -> Result<(), ByT5Error> {
        if self.table.is_empty() {
            self.table = read(model.decoder_positions.table.val()).await?;
        }
        let (config, heads) = (&model.config, model.config.num_heads);
        let (buckets, far) = (config.relative_attention_num_buckets, config.relative_attention_max_distance);
        let bucket = bucket(-((self.by_distance.len() / heads) as isize), false, buckets, far);
        self.by_distance.extend_from_slice(&self.table[bucket * heads..][..heads]);
        for list in &mut self.lists {
            list.push(self.count);
            self.count += 1;
        }
        Ok(())
    }

    /// Keeps the new place's keys and values and returns what it takes from all places: `[rows, 3 · inner]` to
    /// `[rows, inner]`.
    pub async fn attend(&mut self, block: usize, model: &ByT5, qkv: Tensor<2>) -> Result<Tensor<2>, ByT5Error> {
        let (device, heads, head) = (qkv.device(), model.config.num_heads, model.config.d_kv);
        let inner = heads * head;
        let rows = self.lists.len();
        let qkv = read(qkv).await?;
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
            // All heads of a byte at a time: they lie together, and memory is what this waits for.
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
        Ok(Tensor::from_data(TensorData::new(taken, [rows, inner]), &device))
    }
}

/// Sum of products, in eight sums that the compiler keeps in one register or two.
fn dot(one: &[f32], other: &[f32]) -> f32 {
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

/// Makes shares of the logits of each head, `[places, heads]`.
fn softmax(values: &mut [f32], heads: usize) {
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
