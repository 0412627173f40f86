//! Attention to what was written before, on the CPU, in plain memory.
//!
//! Keys and values of every byte stay where they were put, and a beam is a list of where its bytes lie: beams that change
//! places exchange lists. As tensors, the same took most of a step at 200 bytes, for copying.

use super::error::{ByT5Error, read};
use super::model::ByT5;
use super::position::bucket;
use burn::tensor::{Tensor, TensorData};

/// What was written, as the blocks of the decoder keep it.
#[derive(Debug)]
pub struct MemoryRows {
    /// For each block, keys, then values of every byte, `[bytes, 2 · inner]`.
    kept: Vec<Vec<f32>>,
    /// For each row, where its bytes lie.
    lists: Vec<Vec<usize>>,
    /// Bytes kept.
    count: usize,
    /// The learnt numbers of the relative positions, `[buckets, heads]`.
    table: Vec<f32>,
    /// The same by distance from the last place, `[distances, heads]`.
    by_distance: Vec<f32>,
}

impl MemoryRows {
    /// Nothing written, in so many rows.
    pub fn new(blocks: usize, rows: usize) -> Self {
        let (kept, lists) = (vec![Vec::new(); blocks], vec![Vec::new(); rows]);
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
        let kept = &mut self.kept[block];
        qkv.chunks_exact(3 * inner).for_each(|row| kept.extend_from_slice(&row[inner..]));
        let mut taken = vec![0.0; rows * inner];
        let mut weights = Vec::new();
        for (row, list) in self.lists.iter().enumerate() {
            for number in 0..heads {
                let query = &qkv[row * 3 * inner + number * head..][..head];
                let bias = self.by_distance[..list.len() * heads].iter().skip(number).step_by(heads).rev();
                let key = |byte: usize| &kept[byte * 2 * inner + number * head..][..head];
                weights.clear();
                weights.extend(list.iter().zip(bias).map(|(byte, bias)| dot(query, key(*byte)) + bias));
                softmax(&mut weights);
                let taken = &mut taken[row * inner + number * head..][..head];
                for (byte, weight) in list.iter().zip(&weights) {
                    let value = &kept[(byte * 2 + 1) * inner + number * head..][..head];
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

fn softmax(values: &mut [f32]) {
    let largest = values.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - largest).exp();
        sum += *value;
    }
    values.iter_mut().for_each(|value| *value /= sum);
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
    fn shares_sum_to_one() {
        let mut values = vec![1000.0, 999.0, -1e9];
        softmax(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((values[0] / values[1] - 1f32.exp()).abs() < 1e-5);
        assert_eq!(values[2], 0.0);
    }
}
