//! Reads golden files of a restorer: rows and the logits that the reference program computed.

use super::error::WeightsError;
use super::safetensors::{Header, TensorInfo, floats, integers};
use super::source::{MemorySource, Source};
use tuppum_nn::torso::Golden;
use tuppum_tasks::restoration::Row;
use tuppum_text::tokens::{PAD, TokenId};

const FILE: &str = "golden.safetensors";

/// Reads rows and logits from a `golden.safetensors`: `ids` [rows, padded length], `positions` [N, 2], `logits` [N, V].
///
/// # Errors
/// [`WeightsError`] says what is malformed.
pub async fn read_golden(bytes: &[u8]) -> Result<Golden, WeightsError> {
    let mut source = MemorySource::new(bytes);
    let (header, _) = Header::read(FILE, &mut source).await?;
    let find = |name: &str| header.tensor(name).ok_or_else(|| WeightsError::tensor(name, "is missing"));
    let (ids, positions, logits) = (find("ids")?, find("positions")?, find("logits")?);
    let [rows, length] = shape(ids)?;
    let [masks, coordinates] = shape(positions)?;
    let [answers, vocabulary] = shape(logits)?;
    if [rows, length, masks, vocabulary].contains(&0) || coordinates != 2 || masks != answers {
        return Err(WeightsError::folder(FILE, "its three tensors do not belong together"));
    }
    let ids = integers(ids, &source.read(ids.offset, ids.bytes).await?)?;
    let positions = integers(positions, &source.read(positions.offset, positions.bytes).await?)?;
    let logits = floats(logits, &source.read(logits.offset, logits.bytes).await?)?;
    collect(&ids, length, &positions, &logits, vocabulary)
}

fn shape(tensor: &TensorInfo) -> Result<[usize; 2], WeightsError> {
    tensor.shape[..].try_into().map_err(|_| WeightsError::tensor(&tensor.name, "is no table"))
}

fn collect(
    ids: &[i32],
    length: usize,
    positions: &[i32],
    logits: &[f32],
    vocabulary: usize,
) -> Result<Golden, WeightsError> {
    let mut golden = Golden { rows: Vec::new(), logits: Vec::new() };
    for row in ids.chunks_exact(length) {
        let ids: Option<Vec<TokenId>> = row.iter().map(|id| TokenId::try_from(*id).ok()).collect();
        let mut ids = ids.ok_or_else(|| WeightsError::folder(FILE, "it has a token below 0"))?;
        let signs = ids.iter().rposition(|id| *id != PAD).map_or(0, |last| last + 1);
        ids.truncate(signs);
        golden.rows.push(Row { ids, places: Vec::new() });
        golden.logits.push(Vec::new());
    }
    for (position, logits) in positions.chunks_exact(2).zip(logits.chunks_exact(vocabulary)) {
        let row = usize::try_from(position[0]).ok().and_then(|row| Some((golden.rows.get_mut(row)?, row)));
        let (Some((row, number)), Ok(place)) = (row, usize::try_from(position[1])) else {
            return Err(WeightsError::folder(FILE, format!("position {position:?} lies outside its rows")));
        };
        row.places.push(place);
        golden.logits[number].push(logits.to_vec());
    }
    Ok(golden)
}
