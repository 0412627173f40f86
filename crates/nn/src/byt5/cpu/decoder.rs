//! The decoder's weights in plain memory, for writing on the CPU. They are read from the model once and shared by all
//! texts that it writes.

use super::super::block::DecoderBlock;
use super::super::config::ByT5Config;
use super::quantised::QuantisedMatrix;
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use burn::module::Param;
use burn::tensor::{Tensor, TensorData};
use gemm::Packed;
use std::sync::{Arc, OnceLock};

/// Number of elements above which a matrix is rounded to sixteen bits. Such a matrix does not fit into the processor's
/// caches, so a step spends its time reading it from memory. The maps of the translator that comes with the page are
/// smaller; in the browser they are packed once in the order in which the matrix kernel reads them.
const LARGE_MAP: usize = 1 << 20;
/// Maximum number of rows that are multiplied by the sixteen-bit matrix. With more rows, computing takes longer than
/// reading, and widening the numbers no longer pays.
const MAX_QUANTISED_ROWS: usize = 8;

/// Blocks and positions of the decoder.
#[derive(Debug)]
pub struct CpuDecoder {
    /// Blocks of the decoder, in order.
    pub blocks: Vec<CpuBlock>,
    /// Learnt numbers of the relative positions, `[buckets, heads]`.
    pub positions: Vec<f32>,
}

/// Gains and linear maps of one block.
#[derive(Debug)]
pub struct CpuBlock {
    /// Gain of the norm before self-attention.
    pub own_norm: Vec<f32>,
    /// Map to queries, keys and values of self-attention.
    pub qkv: CpuMap,
    /// Map from the heads of self-attention to the stream.
    pub own_output: CpuMap,
    /// Gain of the norm before attention to the source.
    pub cross_norm: Vec<f32>,
    /// Map to queries of attention to the source.
    pub query: CpuMap,
    /// Map from the heads of attention to the source to the stream.
    pub cross_output: CpuMap,
    /// Gain of the norm before the feed-forward part.
    pub forward_norm: Vec<f32>,
    /// Map to both inputs of the gate.
    pub up: CpuMap,
    /// Map from the gate to the stream.
    pub down: CpuMap,
}

/// Linear map with its weights in the form that the CPU reads fastest.
#[derive(Debug)]
pub struct CpuMap {
    weights: Tensor<2>,
    quantised: Option<QuantisedMatrix>,
    packed: Option<Packed>,
}

impl CpuMap {
    async fn read(weights: &Param<Tensor<2>>) -> Result<Self, ByT5Error> {
        let weights = weights.val();
        let [depth, columns] = weights.dims();
        let values = read(weights.clone()).await?;
        let (quantised, packed) = match depth * columns > LARGE_MAP {
            true => (QuantisedMatrix::new(&values, columns), None),
            false => (None, Packed::new(&values, columns)),
        };
        Ok(Self { weights, quantised, packed })
    }

    /// Applies the map: `[rows, inputs]` to `[rows, outputs]`.
    pub async fn apply(&self, values: Vec<f32>) -> Result<Vec<f32>, ByT5Error> {
        let [depth, _] = self.weights.dims();
        let rows = values.len() / depth;
        if let Some(quantised) = self.quantised.as_ref().filter(|_| rows <= MAX_QUANTISED_ROWS) {
            return Ok(quantised.product(&values));
        }
        if let Some(packed) = &self.packed {
            return Ok(packed.product(&values));
        }
        // Natively no map is packed, and with many rows a large map is multiplied in f32.
        let values = Tensor::<2>::from_data(TensorData::new(values, [rows, depth]), &self.weights.device());
        Ok(read(values.matmul(self.weights.clone())).await?)
    }
}

impl CpuBlock {
    async fn read(block: &DecoderBlock) -> Result<Self, ByT5Error> {
        Ok(Self {
            own_norm: read(block.norm.val()).await?,
            qkv: CpuMap::read(&block.attention.qkv).await?,
            own_output: CpuMap::read(&block.attention.output).await?,
            cross_norm: read(block.cross_norm.val()).await?,
            query: CpuMap::read(&block.cross.query).await?,
            cross_output: CpuMap::read(&block.cross.output).await?,
            forward_norm: read(block.feed_forward.norm.val()).await?,
            up: CpuMap::read(&block.feed_forward.up).await?,
            down: CpuMap::read(&block.feed_forward.down).await?,
        })
    }
}

/// Cache of the [`CpuDecoder`] of a model. A clone starts empty, since the weights of a cloned model may change.
#[derive(Debug, Default)]
pub struct CpuDecoderCache(OnceLock<Arc<CpuDecoder>>);

impl Clone for CpuDecoderCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ByT5Config {
    /// Returns the number of bytes that the second copy of the maps takes while the CPU writes: two per number of a
    /// large map, four per number of the others.
    pub fn bytes_to_write(&self) -> u64 {
        let bytes = |numbers: usize| numbers * if numbers > LARGE_MAP { size_of::<i16>() } else { size_of::<f32>() };
        (self.decoder_layers() * self.numbers_of_maps().map(bytes).iter().sum::<usize>()) as u64
    }

    /// Returns `true` if the CPU reads some maps in sixteen bits and should therefore write few rows at a time.
    pub fn has_rounded_maps(&self) -> bool {
        self.numbers_of_maps().into_iter().any(|numbers| numbers > LARGE_MAP)
    }

    /// Returns the number of elements of each map of a decoder block.
    fn numbers_of_maps(&self) -> [usize; 6] {
        let (d, inner, wide) = (self.d_model, self.inner(), self.d_ff);
        [d * 3 * inner, inner * d, d * inner, inner * d, d * 2 * wide, wide * d]
    }
}

impl CpuDecoderCache {
    /// Returns the decoder of these blocks and relative positions, reading it at the first call.
    pub async fn of(
        &self,
        blocks: &[DecoderBlock],
        positions: &Param<Tensor<2>>,
        yielder: &impl Yield,
    ) -> Result<Arc<CpuDecoder>, ByT5Error> {
        let Self(kept) = self;
        if let Some(decoder) = kept.get() {
            return Ok(Arc::clone(decoder));
        }
        let mut read_blocks = Vec::with_capacity(blocks.len());
        for block in blocks {
            read_blocks.push(CpuBlock::read(block).await?);
            yielder.yield_now().await?;
        }
        let decoder = CpuDecoder { blocks: read_blocks, positions: read(positions.val()).await? };
        // Another job may have read the decoder while this one yielded; then its copy is kept.
        Ok(Arc::clone(kept.get_or_init(|| Arc::new(decoder))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{ByT5, ByT5Builder, Decoding, SourceRow, Value};
    use super::*;
    use crate::yielding::NeverYields;
    use burn::tensor::Device;
    use tuppum_domain::generation::{Continuation, NextByte};
    use tuppum_random::Random;
    use tuppum_testing::now;

    /// Returns a model with random weights in which only the feed-forward maps are large.
    fn model() -> ByT5 {
        let tiny = ByT5Config::named("tiny").unwrap();
        let config = ByT5Config { d_model: 272, d_ff: 4096, num_layers: 1, num_decoder_layers: Some(2), ..tiny };
        let mut builder = ByT5Builder::new(config.clone(), Device::flex());
        let mut random = Random::stream(1, 0);
        for spec in config.tensors() {
            let scale = spec.shape.get(1).map_or(1.0, |inputs| (*inputs as f32).powf(-0.5));
            let values = (0..spec.elements()).map(|_| (random.uniform() as f32 - 0.5) * 2.0 * scale).collect();
            builder.put(&spec.name, values).unwrap();
        }
        builder.build().unwrap()
    }

    /// Returns the logits after three bytes of `rows` rows, computed by the CPU's way and by tensors throughout.
    fn both_ways(model: &ByT5, rows: usize) -> [Vec<f32>; 2] {
        let encoded = now(model.encode(&[SourceRow::of_text("a-na LUGAL")], 0, &NeverYields)).unwrap();
        [Decoding::new, Decoding::on_device].map(|way| {
            let mut decoding = way(model, &encoded, false, NeverYields);
            let first = now(decoding.next(&[Continuation { parent: 0, token: 0 }])).unwrap();
            let mut continued: Vec<_> =
                (0..rows).map(|row| Continuation { parent: 0, token: 60 + row as u32 }).collect();
            let second = now(decoding.next(&continued)).unwrap();
            continued.iter_mut().enumerate().for_each(|(row, continuation)| continuation.parent = row);
            [first, second, now(decoding.next(&continued)).unwrap()].map(|scores| scores.logits).concat()
        })
    }

    fn difference([one, other]: &[Vec<f32>; 2]) -> f32 {
        let largest = other.iter().fold(0.0, |largest: f32, value| largest.max(value.abs()));
        one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max) / largest
    }

    #[test]
    fn large_maps_are_rounded_and_change_little() {
        let model = model();
        let decoder = now(model.cpu_decoder(&NeverYields)).unwrap();
        for block in &decoder.blocks {
            let rounded = [&block.qkv, &block.query, &block.up, &block.down].map(|map| map.quantised.is_some());
            assert_eq!(rounded, [false, false, true, true]);
        }
        let config = model.config();
        assert!(config.has_rounded_maps() && !ByT5Config::named("tiny").unwrap().has_rounded_maps());
        let of_block = config.d_model * config.inner() * 6 * 4 + config.d_model * config.d_ff * 3 * 2;
        assert_eq!(config.bytes_to_write(), 2 * of_block as u64);
        for rows in [1, 2, 5, MAX_QUANTISED_ROWS] {
            let rounded = difference(&both_ways(&model, rows));
            println!("{rows} rows: {rounded:e}");
            // Weights differ by up to 1/65,534 of the largest; sums of 4,096 products differ by much less.
            assert!(rounded > 0.0 && rounded < 1.0 / 65_534.0, "{rows} rows: {rounded:e}");
        }
    }

    #[test]
    fn changed_weights_are_read_again() {
        let mut model = model();
        let before = both_ways(&model, 1);
        let copy = model.clone();
        for (place, value) in model.parameters_mut() {
            if let Value::Vector(gain) = value
                && place.name.starts_with("decoder")
            {
                *gain = Param::from_tensor(gain.val() * 1.5);
            }
        }
        let after = both_ways(&model, 1);
        assert!(difference(&after) < 1.0 / 65_534.0, "what was read before is still used");
        assert!(difference(&[after[0].clone(), before[0].clone()]) > 1e-3);
        assert_eq!(both_ways(&copy, 1), before);
    }
}
