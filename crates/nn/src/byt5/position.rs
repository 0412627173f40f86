//! T5's relative positions (Raffel et al. 2020, §2.1, <https://arxiv.org/abs/1910.10683>): distances fall into buckets,
//! and each bucket adds a learnt number per head to the attention logits.
//!
//! The table is looked up by a product with one-hot rows, one per distance, and the result is spread along the
//! diagonals. The gradient of a gather would be a serial loop over all pairs of places on a GPU.

use super::block::MASKED;
use burn::module::{Module, Param};
use burn::tensor::{Tensor, TensorData};

/// Learnt table of one stack.
#[derive(Module, Debug)]
pub struct RelativePositions {
    /// Learnt numbers, `[buckets, heads]`.
    pub table: Param<Tensor<2>>,
    /// `true` if later places have buckets of their own, as in the encoder.
    #[module(skip)]
    pub both_ways: bool,
    /// Distance from which on all distances share one bucket.
    #[module(skip)]
    pub far: usize,
}

/// Returns the bucket of the place `distance` after the current one (before it if negative). Half of the buckets are
/// exact distances, the others grow by a factor up to `far`.
pub fn bucket(distance: isize, both_ways: bool, buckets: usize, far: usize) -> usize {
    let (buckets, offset, size) = match (both_ways, distance > 0) {
        (true, true) => (buckets / 2, buckets / 2, distance.unsigned_abs()),
        (true, false) => (buckets / 2, 0, distance.unsigned_abs()),
        (false, true) => (buckets, 0, 0),
        (false, false) => (buckets, 0, distance.unsigned_abs()),
    };
    let exact = buckets / 2;
    if size < exact {
        return offset + size;
    }
    let growth = (size as f64 / exact as f64).ln() / (far as f64 / exact as f64).ln();
    // A millionth is added so that rounding does not put exact powers below their bound; no other distance is that near
    // to a bound.
    let large = exact + (growth * (buckets - exact) as f64 + 1e-6) as usize;
    offset + large.min(buckets - 1)
}

impl RelativePositions {
    /// Returns the learnt numbers of these distances, and a row of zeros for `None`: `[distances, heads]`.
    fn at(&self, distances: impl Iterator<Item = Option<isize>>) -> Tensor<2> {
        let table = self.table.val();
        let [buckets, _] = table.dims();
        let mut hot = Vec::new();
        for distance in distances {
            let start = hot.len();
            hot.resize(start + buckets, 0.0f32);
            if let Some(distance) = distance {
                hot[start + bucket(distance, self.both_ways, buckets, self.far)] = 1.0;
            }
        }
        let rows = hot.len() / buckets;
        Tensor::from_data(TensorData::new(hot, [rows, buckets]), &table.device()).matmul(table)
    }

    /// Returns the bias on the logits between all places of a row: `[1, heads, length, length]`, the attending place
    /// first.
    pub fn square(&self, length: usize) -> Tensor<4> {
        let signed = length as isize;
        // Distances 1 − length … length − 1 and a row of zeros: twice the length.
        let by_distance = self.at((1 - signed..signed).map(Some).chain([None])).transpose();
        let [heads, width] = by_distance.dims();
        // Rows that are one number shorter than the period shift each row by one: entry (i, c) holds the number of c −
        // i.
        by_distance
            .repeat_dim(1, length)
            .narrow(1, 0, length * (width - 1))
            .reshape([heads, length, width - 1])
            .narrow(2, length - 1, length)
            .unsqueeze()
    }

    /// Returns the bias for decoding place by place: the numbers of the distances `1 − capacity … 0`, then −1e9 for
    /// places not written yet, `[1, heads, 1, 2 · capacity]`. Narrowed to `capacity` numbers starting at `capacity − 1
    /// − place`, it is the bias of the last of `place + 1` places over a cache of that capacity.
    pub fn backwards(&self, capacity: usize) -> Tensor<4> {
        let signed = capacity as isize;
        let known = self.at((1 - signed..=0).map(Some).chain((0..capacity).map(|_| None))).transpose();
        let [heads, width] = known.dims();
        let mask: Vec<f32> = (0..width).map(|place| if place < capacity { 0.0 } else { MASKED }).collect();
        let mask = Tensor::from_data(TensorData::new(mask, [1, width]), &known.device());
        (known + mask).reshape([1, heads, 1, width])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    fn positions(both_ways: bool) -> RelativePositions {
        let values: Vec<f32> = (0..64).map(|value| value as f32).collect();
        let table = Param::from_data(TensorData::new(values, [32, 2]), &Device::flex());
        RelativePositions { table, both_ways, far: 128 }
    }

    #[test]
    fn buckets_are_those_of_the_paper() {
        let check = |distance, both_ways, expected| {
            assert_eq!(bucket(distance, both_ways, 32, 128), expected, "{distance} {both_ways}");
        };
        for (distance, expected) in [(0, 0), (-7, 7), (-8, 8), (-16, 10), (-32, 12), (-64, 14), (-1000, 15)] {
            check(distance, true, expected);
        }
        for (distance, expected) in [(1, 17), (7, 23), (15, 25), (16, 26), (128, 31)] {
            check(distance, true, expected);
        }
        for (distance, expected) in [(0, 0), (5, 0), (-15, 15), (-16, 16), (-32, 21), (-64, 26), (-128, 31)] {
            check(distance, false, expected);
        }
    }

    #[test]
    fn every_pair_of_places_has_the_number_of_its_distance() {
        for length in [1, 2, 7, 40] {
            let square = positions(true).square(length);
            assert_eq!(square.dims(), [1, 2, length, length]);
            let values = square.into_data().try_to_vec::<f32>().unwrap();
            for (at, value) in values.iter().enumerate() {
                let (head, from, to) = (at / (length * length), at / length % length, at % length);
                let bucket = bucket(to as isize - from as isize, true, 32, 128);
                assert_eq!(*value, (2 * bucket + head) as f32, "{head} {from} {to} of {length}");
            }
        }
    }

    #[test]
    fn places_to_come_are_masked_while_decoding() {
        let (capacity, place) = (8, 5);
        let row = positions(false).backwards(capacity).narrow(3, capacity - 1 - place, capacity);
        let values = row.into_data().try_to_vec::<f32>().unwrap();
        assert_eq!(values[..capacity], [10.0, 8.0, 6.0, 4.0, 2.0, 0.0, MASKED, MASKED]);
    }
}
