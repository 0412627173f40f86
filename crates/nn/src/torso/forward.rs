//! The torso itself: from rows of tokens to logits at the wanted places.

use super::block::{Block, EPSILON, Pass, Rotary};
use super::config::TorsoConfig;
use crate::error::{TorsoError, read};
use crate::layers::{Dropout, rms_norm};
use crate::yielding::Yield;
use burn::module::{Module, Param};
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use tuppum_domain::restoration::{Logits, Row};
use tuppum_text::tokens::{PAD, TokenId};

/// Number added to the logits of attention to padding. Finite, because WebGPU's shading language has no infinity.
const PADDING_BIAS: f32 = -1e9;

/// Bidirectional encoder over signs with a restoration head.
#[derive(Module, Debug)]
pub struct Torso {
    pub(super) embed: Param<Tensor<2>>,
    pub(super) layers: Vec<Block>,
    pub(super) final_norm: Param<Tensor<1>>,
    pub(super) head: Head,
    rotary: Rotary,
    #[module(skip)]
    pub(super) config: TorsoConfig,
}

/// Restoration head (linear, ReLU, linear) from the stream to logits over the vocabulary.
#[derive(Module, Debug)]
pub(super) struct Head {
    pub hidden: Param<Tensor<2>>,
    pub hidden_bias: Param<Tensor<1>>,
    pub output: Param<Tensor<2>>,
    pub output_bias: Param<Tensor<1>>,
}

impl Head {
    fn forward(&self, stream: Tensor<2>) -> Tensor<2> {
        let hidden = stream.matmul(self.hidden.val()) + self.hidden_bias.val().unsqueeze();
        activation::relu(hidden).matmul(self.output.val()) + self.output_bias.val().unsqueeze()
    }
}

impl Torso {
    pub(super) fn assemble(
        embed: Param<Tensor<2>>,
        layers: Vec<Block>,
        final_norm: Param<Tensor<1>>,
        head: Head,
        config: TorsoConfig,
        device: &Device,
    ) -> Self {
        let rotary = Rotary::new(&config, config.longest, device);
        Self { embed, layers, final_norm, head, rotary, config }
    }

    /// Returns the sizes of the torso.
    pub fn config(&self) -> &TorsoConfig {
        &self.config
    }

    /// Returns the device that holds the weights.
    pub fn device(&self) -> Device {
        self.embed.val().device()
    }

    /// Returns the logits over the vocabulary at the wanted places of each row, all rows in one pass. Shorter rows are
    /// padded to the longest, or to `length` if that is more; padding changes no logit.
    ///
    /// # Errors
    /// [`TorsoError::Row`] before anything is computed, [`TorsoError::Stopped`] between layers, [`TorsoError::Device`]
    /// when the result cannot be read.
    pub async fn logits(&self, rows: &[&Row], length: usize, yielder: &impl Yield) -> Result<Vec<Logits>, TorsoError> {
        let Some(logits) = self.scored(rows, length, &mut (), yielder).await? else {
            return Ok(vec![Vec::new(); rows.len()]);
        };
        let flat = read(logits).await?;
        let mut found = flat.chunks_exact(self.config.vocabulary).map(<[f32]>::to_vec);
        Ok(rows.iter().map(|row| found.by_ref().take(row.places.len()).collect()).collect())
    }

    /// Returns the logits of all wanted places one after the other as a tensor, `[places, vocabulary]`, without reading
    /// them back; `None` when no place is wanted. They have gradients if the torso has, and dropout is applied.
    ///
    /// # Errors
    /// [`TorsoError::Row`] before anything is computed, [`TorsoError::Stopped`] between layers.
    pub async fn scored(
        &self,
        rows: &[&Row],
        length: usize,
        dropout: &mut impl Dropout,
        yielder: &impl Yield,
    ) -> Result<Option<Tensor<2>>, TorsoError> {
        for row in rows {
            self.check(row)?;
        }
        let longest = rows.iter().map(|row| row.ids.len()).max().unwrap_or(0);
        let length = length.max(longest).min(self.config.longest);
        let places: Vec<i32> = rows
            .iter()
            .enumerate()
            .flat_map(|(number, row)| row.places.iter().map(move |place| (number * length + place) as i32))
            .collect();
        if places.is_empty() {
            return Ok(None);
        }
        let ids: Vec<TokenId> = rows.iter().flat_map(|row| padded(&row.ids, length)).collect();
        let pass = self.pass(rows, length);
        self.run(self.embedded(&ids), &pass, &places, dropout, yielder).await.map(Some)
    }

    /// Returns the stream of a row before the first layer and after each layer, `1 + layers` times `[tokens, d]`, one
    /// token after the other, before the last norm, which belongs to the head. The row's wanted places are ignored.
    ///
    /// # Errors
    /// As for [`logits`](Self::logits).
    pub async fn states(&self, row: &Row, yielder: &impl Yield) -> Result<Vec<Vec<f32>>, TorsoError> {
        self.check(row)?;
        let pass = self.pass(&[row], row.ids.len());
        let mut stream = self.embedded(&row.ids);
        let mut states = Vec::with_capacity(1 + self.layers.len());
        for block in &self.layers {
            states.push(read(stream.clone()).await?);
            stream = block.forward(stream, self.config.heads, &pass, None, &mut ()).await?;
            yielder.yield_now().await?;
        }
        states.push(read(stream).await?);
        Ok(states)
    }

    /// Checks that the row can be scored.
    pub(super) fn check(&self, row: &Row) -> Result<(), TorsoError> {
        let Row { ids, places } = row;
        let problem = if ids.is_empty() {
            "it is empty".to_string()
        } else if ids.len() > self.config.longest {
            format!("it has {} signs, more than {}", ids.len(), self.config.longest)
        } else if let Some(id) = ids.iter().find(|id| **id as usize >= self.config.vocabulary) {
            format!("token {id} lies outside the vocabulary of {}", self.config.vocabulary)
        } else if let Some(place) = places.iter().find(|place| **place >= ids.len()) {
            format!("place {place} lies outside its {} signs", ids.len())
        } else {
            return Ok(());
        };
        Err(TorsoError::Row(problem))
    }

    /// Prepares the data that the blocks share for these rows at this padded length.
    pub(super) fn pass(&self, rows: &[&Row], length: usize) -> Pass {
        let padding = rows.iter().any(|row| row.ids.len() < length).then(|| {
            let bias: Vec<f32> = rows
                .iter()
                .flat_map(|row| (0..length).map(|place| if place < row.ids.len() { 0.0 } else { PADDING_BIAS }))
                .collect();
            // Each query gets its own copy of the mask, so that the CPU's attention can read it in place.
            let looked_at = Tensor::<4>::from_data(TensorData::new(bias, [rows.len(), 1, 1, length]), &self.device());
            looked_at.repeat_dim(2, length)
        });
        Pass { rows: rows.len(), length, rotary: self.rotary.first(length), padding }
    }

    /// Returns the embeddings of the tokens, `[tokens, d]`.
    pub(super) fn embedded(&self, ids: &[TokenId]) -> Tensor<2> {
        self.embed.val().select(0, self.numbers(ids.iter().map(|id| *id as i32).collect()))
    }

    /// Returns the logits at these places of the stream, `[places, vocabulary]`, starting from embeddings.
    pub(super) async fn run(
        &self,
        stream: Tensor<2>,
        pass: &Pass,
        places: &[i32],
        dropout: &mut impl Dropout,
        yielder: &impl Yield,
    ) -> Result<Tensor<2>, TorsoError> {
        let places = self.numbers(places.to_vec());
        let mut stream = dropout.dropped(stream);
        for (number, block) in self.layers.iter().enumerate() {
            let last = number + 1 == self.layers.len();
            stream = block.forward(stream, self.config.heads, pass, last.then_some(&places), dropout).await?;
            yielder.yield_now().await?;
        }
        Ok(self.head.forward(rms_norm(&stream, &self.final_norm, EPSILON)))
    }

    fn numbers(&self, values: Vec<i32>) -> Tensor<1, Int> {
        let length = values.len();
        Tensor::from_data(TensorData::new(values, [length]), &self.device())
    }
}

fn padded(ids: &[TokenId], length: usize) -> impl Iterator<Item = TokenId> + '_ {
    ids.iter().copied().chain(std::iter::repeat(PAD)).take(length)
}
