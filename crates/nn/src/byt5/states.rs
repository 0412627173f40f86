//! States of the encoder layer by layer, for probes of what they encode.

use super::model::ByT5;
use super::row::SourceRow;
use super::watch::Watch;
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use burn::tensor::Tensor;
use tuppum_tasks::translation::attention::AttentionKind;

/// [`Watch`] that stores the stream of every layer.
struct Streams(Vec<Tensor<2>>);

impl Watch for Streams {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}

    fn flow(&mut self, stream: &Tensor<2>) {
        self.0.push(stream.clone());
    }
}

impl ByT5 {
    /// Returns the stream of a row before the first layer of the encoder and after each layer, `1 + layers` times
    /// `[tokens, d]`, one token after the other, before the last norm. An attached bias is applied.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] for a row that cannot be read, [`ByT5Error::Stopped`] between layers, [`ByT5Error::Device`]
    /// when the states cannot be read.
    pub async fn states(&self, row: &SourceRow, yielder: &impl Yield) -> Result<Vec<Vec<f32>>, ByT5Error> {
        let mut streams = Streams(Vec::with_capacity(1 + self.config.num_layers));
        self.encode_with(self.geometry.as_ref(), std::slice::from_ref(row), 0, yielder, &mut streams).await?;
        let mut states = Vec::with_capacity(streams.0.len());
        for stream in streams.0 {
            states.push(read(stream).await?);
        }
        Ok(states)
    }
}
