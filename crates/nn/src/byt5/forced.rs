//! Teacher forcing: logits for every place of given targets at once, with gradients if the model's device has them, and
//! with dropout in training.

use super::model::ByT5;
use super::row::SourceRow;
use super::watch::Watch;
use crate::dropout::Dropout;
use crate::error::ByT5Error;
use crate::yielding::Yield;
use burn::tensor::Tensor;
use tuppum_tasks::translation::attention::AttentionKind;
use tuppum_text::bytes::PAD;
use tuppum_text::tokens::TokenId;

/// [`Watch`] that applies dropout after the embeddings, after every layer, within the feed-forward parts and after the
/// last norms, as T5 does (Raffel et al. 2020, §2.1), but not to attention weights.
struct Dropping<'d, D>(&'d mut D);

impl<D: Dropout> Watch for Dropping<'_, D> {
    fn observe(&mut self, _: AttentionKind, _: usize, _: impl FnOnce() -> Tensor<4>) {}

    fn passed(&mut self, stream: Tensor<2>) -> Tensor<2> {
        self.0.dropped(stream)
    }
}

impl ByT5 {
    /// Returns the logits for every place of the targets, given the source and the target before that place: `[rows,
    /// places, vocabulary]`, where `places` is the length of the longest target. Logits beyond a shorter target's end
    /// must be left out of any loss.
    ///
    /// # Errors
    /// As for [`ByT5::encode`] and [`ByT5::logits`].
    pub async fn forced_logits(
        &self,
        sources: &[SourceRow],
        targets: &[Vec<TokenId>],
        dropout: &mut impl Dropout,
        yielder: &impl Yield,
    ) -> Result<Tensor<3>, ByT5Error> {
        let places = targets.iter().map(Vec::len).max().unwrap_or_default();
        let before = |target: &Vec<TokenId>| {
            let shifted = [PAD].into_iter().chain(target.iter().copied()).take(target.len());
            shifted.chain(std::iter::repeat(PAD)).take(places).collect()
        };
        let before: Vec<Vec<TokenId>> = targets.iter().map(before).collect();
        let mut dropping = Dropping(dropout);
        let memory = self.encode_with(self.geometry.as_ref(), sources, 0, yielder, &mut dropping).await?;
        self.logits_with(&memory, &before, yielder, &mut dropping).await
    }
}
