//! Measuring a torso on masked signs: the loss of each and its rank.

use crate::error::TrainError;
use crate::sequences::{Sequence, masked_as_it_is};
use tuppum_nn::torso::Torso;
use tuppum_nn::yielding::Yield;
use tuppum_tasks::restoration::Row;
use tuppum_tasks::restoration::scorer::{log_probability, rank_among, starts_word};
use tuppum_tasks::restoration::training::{RestorationValidation, SequencePrediction};
use tuppum_text::tokens::{TokenId, Vocabulary};

/// Masks these places of each sequence together, with the word boundary given, and says what the torso makes of them.
/// Rows times the longest of a pass are at most `batch_tokens`. What is found does not depend on the other sequences,
/// but for the rounding of f32.
///
/// # Errors
/// [`TrainError::Stopped`]; a sequence that the torso cannot read; what the device says.
pub async fn measure(
    torso: &Torso,
    vocabulary: &Vocabulary,
    sequences: &[Sequence],
    places: &[Vec<usize>],
    batch_tokens: usize,
    yielder: &impl Yield,
) -> Result<RestorationValidation, TrainError> {
    let mut found = vec![SequencePrediction::default(); sequences.len()];
    let mut rows: Vec<(usize, Row, Vec<TokenId>)> = (sequences.iter().zip(places).enumerate())
        .filter(|(_, (_, places))| !places.is_empty())
        .map(|(number, (sequence, places))| {
            let (row, targets) = masked_as_it_is(sequence, places, vocabulary);
            (number, row, targets)
        })
        .collect();
    rows.sort_by_key(|(_, row, _)| row.ids.len());
    while let Some((_, longest, _)) = rows.last() {
        let most = (batch_tokens / longest.ids.len().max(1)).max(1);
        let own = rows.split_off(rows.len().saturating_sub(most));
        let batch: Vec<&Row> = own.iter().map(|(_, row, _)| row).collect();
        let logits = torso.logits(&batch, 0, yielder).await?;
        for ((number, _, targets), logits) in own.iter().zip(logits) {
            found[*number] = predicted(vocabulary, targets, &logits);
        }
    }
    Ok(RestorationValidation::new(0, found))
}

fn predicted(vocabulary: &Vocabulary, targets: &[TokenId], logits: &[Vec<f32>]) -> SequencePrediction {
    let mut found = SequencePrediction::default();
    for (target, logits) in targets.iter().zip(logits) {
        let starts = starts_word(vocabulary, *target);
        let rank = rank_among(logits, *target, |id| starts_word(vocabulary, id) == starts);
        found.log_probabilities.push(log_probability(logits, *target) as f32);
        found.ranks.push(rank as u32);
    }
    found
}
