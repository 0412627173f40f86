//! One more token of every row on the CPU. Matrix products go through tensors unless the matrix is packed or in sixteen
//! bits; everything between them is computed in plain memory. For a single row, creating a tensor costs more than
//! computing with it: with tensors throughout, a byte of the translator that comes with the page took a third longer.

use super::super::gate::gated_rows;
use super::super::model::{ByT5, EncoderStates};
use super::attention::{CpuRows, CpuSources, dot};
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use burn::tensor::{Tensor, TensorData};

/// State kept between steps.
#[derive(Debug)]
pub struct CpuStep {
    /// Keys and values of the rows written so far.
    pub own: CpuRows,
    /// Keys and values of the encoder's states.
    pub sources: CpuSources,
}

impl CpuStep {
    /// Begins empty rows.
    pub fn new(model: &ByT5, all_encoded: &[EncoderStates]) -> Self {
        let rows = all_encoded.iter().map(|encoded| encoded.rows).sum();
        let own = CpuRows::new(model.decoder.len(), rows);
        Self { own, sources: CpuSources::new(model, all_encoded) }
    }

    /// Returns the logits after one more token per row, `[rows, vocabulary]`, and, with `keep_attention`, the
    /// attention, `[rows, length]`. `sources` holds the number of each row's source.
    pub async fn step(
        &mut self,
        model: &ByT5,
        stream: Tensor<2>,
        sources: &[usize],
        keep_attention: bool,
        yielder: &impl Yield,
    ) -> Result<(Tensor<2>, Option<Tensor<2>>), ByT5Error> {
        let decoder = model.cpu_decoder(yielder).await?;
        self.own.begin(&model.config, &decoder.positions);
        let ([rows, _], device) = (stream.dims(), stream.device());
        let mut stream = read(stream).await?;
        let mut attention = keep_attention.then(|| vec![0.0; rows * self.sources.length()]);
        let epsilon = model.config.layer_norm_epsilon as f32;
        for (number, block) in decoder.blocks.iter().enumerate() {
            let qkv = block.qkv.apply(normed(&stream, &block.own_norm, epsilon)).await?;
            let taken = self.own.attend(number, &model.config, &qkv);
            add(&mut stream, &block.own_output.apply(taken).await?);
            let queries = block.query.apply(normed(&stream, &block.cross_norm, epsilon)).await?;
            let taken = self.sources.attend(number, &model.config, &queries, sources, attention.as_deref_mut());
            add(&mut stream, &block.cross_output.apply(taken).await?);
            let wide = block.up.apply(normed(&stream, &block.forward_norm, epsilon)).await?;
            let gated = gated_rows(&wide, wide.len() / rows);
            add(&mut stream, &block.down.apply(gated).await?);
            yielder.yield_now().await?;
        }
        let layers = decoder.blocks.len() as f32;
        let tensor = |values: Vec<f32>| {
            let width = values.len() / rows;
            Tensor::<2>::from_data(TensorData::new(values, [rows, width]), &device)
        };
        let attention = attention.map(|sum| tensor(sum.into_iter().map(|one| one / layers).collect()));
        Ok((model.head(&tensor(stream), &mut ()), attention))
    }
}

/// Computes [`rms_norm`](crate::layers::rms_norm) of rows as wide as the gain.
fn normed(rows: &[f32], gain: &[f32], epsilon: f32) -> Vec<f32> {
    let mut normed = Vec::with_capacity(rows.len());
    for row in rows.chunks_exact(gain.len()) {
        let size = (dot(row, row) / row.len() as f32 + epsilon).sqrt();
        normed.extend(row.iter().zip(gain).map(|(one, gain)| one / size * gain));
    }
    normed
}

fn add(stream: &mut [f32], more: &[f32]) {
    stream.iter_mut().zip(more).for_each(|(one, more)| *one += more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::rms_norm;
    use burn::module::Param;
    use burn::tensor::Device;

    #[test]
    fn rows_are_normed_as_tensors_are() {
        for width in [1, 7, 8, 20] {
            let values: Vec<f32> = (0..3 * width).map(|at| (at as f32 * 0.7).sin()).collect();
            let gain: Vec<f32> = (0..width).map(|at| 0.5 + at as f32).collect();
            let tensor = Tensor::<2>::from_data(TensorData::new(values.clone(), [3, width]), &Device::flex());
            let param = Param::from_data(TensorData::new(gain.clone(), [width]), &Device::flex());
            let expected = rms_norm(&tensor, &param, 1e-6).into_data().try_into_vec::<f32>().unwrap();
            for (found, expected) in normed(&values, &gain, 1e-6).iter().zip(&expected) {
                // The squares are summed in another order.
                assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{width}: {found} {expected}");
            }
        }
    }
}
