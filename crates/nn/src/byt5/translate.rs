//! From rows to texts: encoder, search and decoder together.

use super::decoding::Decoding;
use super::model::ByT5;
use super::row::SourceRow;
use crate::error::ByT5Error;
use crate::yielding::Yield;
use burn::tensor::Device;
use std::slice::from_ref;
use tuppum_tasks::generation::{Options, Output, Partial, generate};

/// Translates some rows in one batch and returns the outputs of each, best first. `on_partial` receives the text
/// written so far.
///
/// On the CPU each row is encoded alone, without padding, and written as if it were alone; the rows share only the
/// reading of the model's weights.
///
/// # Errors
/// As for [`ByT5::encode`].
pub async fn translate(
    model: &ByT5,
    rows: &[SourceRow],
    options: &Options,
    yielder: &impl Yield,
    on_partial: impl FnMut(Partial<'_>),
) -> Result<Vec<Vec<Output>>, ByT5Error> {
    let mut decoding = if model.device() == Device::flex() && !rows.is_empty() {
        let mut memories = Vec::with_capacity(rows.len());
        for row in rows {
            memories.push(model.encode(from_ref(row), 0, yielder).await?);
        }
        Decoding::in_memory(model, &memories, options.attention, yielder)
    } else {
        Decoding::new(model, &model.encode(rows, 0, yielder).await?, options.attention, yielder)
    };
    generate(&mut decoding, rows.len(), options, on_partial).await
}

/// Translates any number of rows and returns their outputs in order. Rows of similar length share a batch of at most
/// `batch` rows. `on_done` receives the number of finished rows.
///
/// # Errors
/// As for [`ByT5::encode`].
pub async fn translate_all(
    model: &ByT5,
    rows: &[SourceRow],
    options: &Options,
    batch: usize,
    yielder: &impl Yield,
    mut on_done: impl FnMut(usize),
) -> Result<Vec<Vec<Output>>, ByT5Error> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|number| std::cmp::Reverse(rows[*number].ids.len()));
    let mut found = vec![Vec::new(); rows.len()];
    let mut done = 0;
    for numbers in order.chunks(batch.max(1)) {
        let own: Vec<SourceRow> = numbers.iter().map(|number| rows[*number].clone()).collect();
        let outputs = translate(model, &own, options, yielder, |_| ()).await?;
        for (number, outputs) in numbers.iter().zip(outputs) {
            found[*number] = outputs;
        }
        done += numbers.len();
        on_done(done);
    }
    Ok(found)
}
