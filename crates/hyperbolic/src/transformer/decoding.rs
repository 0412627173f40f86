//! Translations by a Transformer: the search of `tuppum_domain::generation` asks it for the scores of the next byte.

use super::model::{Transformer, TransformerMemory};
use crate::error::TransformerError;
use burn::tensor::{Int, Tensor, TensorData};
use tuppum_domain::generation::{Continuation, NextByte, NextByteScores, Options, Output, generate};
use tuppum_text::tokens::TokenId;

/// A decoder at work on some sources. It keeps the tokens written so far and computes all states again for each byte,
/// which is simple, and fast enough for small models and sentences.
#[derive(Debug)]
pub struct TransformerDecoding<'m> {
    model: &'m Transformer,
    memory: TransformerMemory,
    /// Number of the source and tokens written so far, for each row; the token that the decoder begins with is first.
    rows: Vec<(usize, Vec<TokenId>)>,
}

impl<'m> TransformerDecoding<'m> {
    /// Reads the sources.
    ///
    /// # Errors
    /// As for [`Transformer::encode`].
    pub fn new(model: &'m Transformer, sources: &[Vec<TokenId>]) -> Result<Self, TransformerError> {
        let memory = model.encode(sources, &mut ())?;
        Ok(Self { model, memory, rows: (0..sources.len()).map(|source| (source, Vec::new())).collect() })
    }

    /// Returns the memory of these sources, in this order.
    fn memory_of(&self, sources: impl Iterator<Item = usize>) -> TransformerMemory {
        let sources: Vec<i32> = sources.map(|source| source as i32).collect();
        let count = sources.len();
        let numbers = Tensor::<1, Int>::from_data(TensorData::new(sources, [count]), &self.model.device());
        let TransformerMemory { states, mask } = self.memory.clone();
        TransformerMemory { states: states.select(0, numbers.clone()), mask: mask.map(|mask| mask.select(0, numbers)) }
    }
}

impl NextByte for TransformerDecoding<'_> {
    type Error = TransformerError;

    async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, TransformerError> {
        let longer = |row: &Continuation| {
            let (source, written) = &self.rows[row.parent];
            (*source, written.iter().copied().chain([row.token]).collect())
        };
        self.rows = rows.iter().map(longer).collect();
        let written: Vec<Vec<TokenId>> = self.rows.iter().map(|(_, written)| written.clone()).collect();
        let memory = self.memory_of(self.rows.iter().map(|(source, _)| *source));
        let states = self.model.decode(&memory, &written, &mut ())?;
        // All rows are equally long: the search appends to all of them at a time.
        let last = states.dims()[1] - 1;
        let logits = self.model.scores(states.narrow(1, last, 1));
        let data = logits.into_data_async().await.map_err(TransformerError::device)?;
        let logits = data.try_into_vec::<f32>().map_err(TransformerError::device)?;
        let vocabulary = self.model.settings().vocabulary;
        Ok(NextByteScores { logits, vocabulary, ..NextByteScores::default() })
    }
}

/// Translates some sources, best first for each, none longer than the model has positions for. Sources of similar
/// length share a batch of at most `batch`; `on_done` gets the number of finished sources.
///
/// # Errors
/// As for [`Transformer::encode`].
pub async fn translate(
    model: &Transformer,
    sources: &[Vec<TokenId>],
    options: &Options,
    batch: usize,
    mut on_done: impl FnMut(usize),
) -> Result<Vec<Vec<Output>>, TransformerError> {
    let options = Options { longest: options.longest.min(model.settings().longest), ..options.clone() };
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|number| sources[*number].len());
    let (mut found, mut done) = (vec![Vec::new(); sources.len()], 0);
    for numbers in order.chunks(batch.max(1)) {
        let own: Vec<Vec<TokenId>> = numbers.iter().map(|number| sources[*number].clone()).collect();
        let mut decoding = TransformerDecoding::new(model, &own)?;
        let outputs = generate(&mut decoding, own.len(), &options, |_| ()).await?;
        for (number, outputs) in numbers.iter().zip(outputs) {
            found[*number] = outputs;
        }
        done += numbers.len();
        on_done(done);
    }
    Ok(found)
}
