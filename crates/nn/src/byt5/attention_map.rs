//! Attention maps: how much each place attends to each other place, for one layer and head or averaged, with the bias
//! as it is, at another strength, or without it.
//!
//! The model runs as usual and reports every layer to a [`Watch`]; only the maps that were asked for are computed and
//! read back.

use super::hyperbolic_bias::Geometry;
use super::model::ByT5;
use super::row::SourceRow;
use super::watch::Watch;
use crate::error::{ByT5Error, read};
use crate::yielding::Yield;
use burn::tensor::Tensor;
use tuppum_tasks::translation::attention::{AttentionKind, AttentionMap, AttentionQuestion};
use tuppum_text::bytes::PAD;
use tuppum_text::tokens::TokenId;

/// Collects the map of one row that an [`AttentionQuestion`] asks for.
struct Watcher {
    kind: AttentionKind,
    layer: Option<usize>,
    head: Option<usize>,
    /// Sum of the layers' maps so far: `[places, places attended to]`.
    sum: Option<Tensor<2>>,
    layers: usize,
}

impl Watch for Watcher {
    fn observe(&mut self, kind: AttentionKind, layer: usize, weights: impl FnOnce() -> Tensor<4>) {
        if kind != self.kind || self.layer.is_some_and(|wanted| wanted != layer) {
            return;
        }
        let weights = weights();
        let [_, _, places, others] = weights.dims();
        let weights = match self.head {
            Some(head) => weights.narrow(1, head, 1),
            None => weights.mean_dim(1),
        };
        let own = weights.narrow(0, 0, 1).reshape([places, others]);
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum + own,
            None => own,
        });
        self.layers += 1;
    }

    fn is_content(&self) -> bool {
        self.kind == AttentionKind::Encoder && self.layer.is_some() && self.sum.is_some()
    }
}

impl ByT5 {
    /// Returns the number of layers with this kind of attention.
    pub fn layers_of(&self, kind: AttentionKind) -> usize {
        match kind {
            AttentionKind::Encoder => self.encoder.len(),
            AttentionKind::Decoder | AttentionKind::Cross => self.decoder.len(),
        }
    }

    /// Returns the map that a question asks for, for a row and the text written for it (empty for the encoder).
    /// `geometry` replaces the attached bias; with `None` the map is, bit for bit, that of the model with its bias
    /// detached.
    ///
    /// # Errors
    /// [`ByT5Error::Row`] for a row that cannot be read, an empty target, or a layer or head that does not exist;
    /// [`ByT5Error::Stopped`] between layers.
    pub async fn attention_map(
        &self,
        row: &SourceRow,
        target: &[TokenId],
        geometry: Option<&Geometry>,
        question: &AttentionQuestion,
        yielder: &impl Yield,
    ) -> Result<AttentionMap, ByT5Error> {
        let AttentionQuestion { kind, layer, head, .. } = *question;
        let (layers, heads) = (self.layers_of(kind), self.config.num_heads);
        let problem = if let Some(layer) = layer.filter(|layer| *layer >= layers) {
            Some(format!("layer {} is not one of the {layers}", layer + 1))
        } else if let Some(head) = head.filter(|head| *head >= heads) {
            Some(format!("head {} is not one of the {heads}", head + 1))
        } else {
            (kind != AttentionKind::Encoder && target.is_empty()).then(|| "nothing is written for it".to_owned())
        };
        if let Some(problem) = problem {
            return Err(ByT5Error::Row(problem));
        }
        let mut watcher = Watcher { kind, layer, head, sum: None, layers: 0 };
        let memory = self.encode_with(geometry, std::slice::from_ref(row), 0, yielder, &mut watcher).await?;
        if kind != AttentionKind::Encoder {
            let before = [PAD].iter().chain(target).take(target.len()).copied().collect();
            self.logits_with(&memory, &[before], yielder, &mut watcher).await?;
        }
        let Some(sum) = watcher.sum else {
            return Err(ByT5Error::Row("the model has no such layer".to_owned()));
        };
        let [rows, columns] = sum.dims();
        let values = read(sum / watcher.layers as f64).await?;
        Ok(AttentionMap { rows, columns, values })
    }
}
