//! Reads golden files: rows, and the states and logits that the reference program computed for them.

use super::error::WeightsError;
use super::safetensors::{Header, TensorInfo, floats, integers};
use super::storage::{MemorySource, Source};
use tuppum_domain::restoration::Row;
use tuppum_nn::byt5::{self, SourceRow};
use tuppum_nn::torso;
use tuppum_text::tokens::{PAD, TokenId};

const FILE: &str = "golden.safetensors";

/// Reads rows and logits from a `golden.safetensors`: `ids` [rows, padded length], `positions` [N, 2], `logits` [N, V].
///
/// # Errors
/// [`WeightsError`] says what is malformed.
pub async fn read_golden(bytes: &[u8]) -> Result<torso::Golden, WeightsError> {
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
) -> Result<torso::Golden, WeightsError> {
    let mut golden = torso::Golden { rows: Vec::new(), logits: Vec::new() };
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

/// Reader of some tensors of a golden file.
struct Reader<'b> {
    header: Header,
    source: MemorySource<&'b [u8]>,
}

impl Reader<'_> {
    fn find<const D: usize>(&self, name: &str) -> Result<(TensorInfo, [usize; D]), WeightsError> {
        let tensor = self.header.tensor(name).ok_or_else(|| WeightsError::tensor(name, "is missing"))?;
        match <[usize; D]>::try_from(tensor.shape.as_slice()) {
            Ok(shape) if !shape.contains(&0) => Ok((tensor.clone(), shape)),
            _ => Err(WeightsError::tensor(name, format!("has shape {:?} instead of {D} dimensions", tensor.shape))),
        }
    }

    /// Reads rows of numbers; numbers below 0 are padding.
    async fn rows(&mut self, name: &str) -> Result<Vec<Vec<TokenId>>, WeightsError> {
        let (tensor, [_, length]) = self.find::<2>(name)?;
        let values = integers(&tensor, &self.source.read(tensor.offset, tensor.bytes).await?)?;
        let own = |row: &[i32]| row.iter().filter_map(|id| TokenId::try_from(*id).ok()).collect();
        Ok(values.chunks_exact(length).map(own).collect())
    }

    async fn floats(&mut self, name: &str) -> Result<(Vec<f32>, [usize; 3]), WeightsError> {
        let (tensor, shape) = self.find::<3>(name)?;
        let values = floats(&tensor, &self.source.read(tensor.offset, tensor.bytes).await?)?;
        Ok((values, shape))
    }
}

/// Reads the rows of a translator's `golden.safetensors` and what was computed for them in one way: `ids` [rows, padded
/// length] and `targets` [rows, places], padded with −1, and `WAY.states` [rows, padded length, d] and `WAY.logits`
/// [rows, places, vocabulary]. States that are missing are those of the way `plain`. If there is a `WAY.points`, in the
/// shape of `ids`, it holds the number of every token's point.
///
/// # Errors
/// [`WeightsError`] says what is malformed.
pub async fn read_translator_golden(bytes: &[u8], way: &str) -> Result<byt5::Golden, WeightsError> {
    let mut source = MemorySource::new(bytes);
    let (header, _) = Header::read(FILE, &mut source).await?;
    let mut reader = Reader { header, source };
    let (ids, targets) = (reader.rows("ids").await?, reader.rows("targets").await?);
    let states = Some(format!("{way}.states")).filter(|name| reader.header.tensor(name).is_some());
    let states = states.unwrap_or("plain.states".to_string());
    let (states, [state_rows, length, width]) = reader.floats(&states).await?;
    let (logits, [logit_rows, places, _]) = reader.floats(&format!("{way}.logits")).await?;
    let points = format!("{way}.points");
    let points = match reader.header.tensor(&points) {
        Some(_) => reader.rows(&points).await?.into_iter().map(Some).collect(),
        None => vec![None; ids.len()],
    };
    let fits = [targets.len(), state_rows, logit_rows, points.len()] == [ids.len(); 4]
        && ids.iter().all(|row| row.len() <= length)
        && targets.iter().all(|row| row.len() == places);
    if !fits {
        return Err(WeightsError::folder(FILE, "its tensors do not belong together"));
    }
    let rows: Vec<SourceRow> = ids.into_iter().zip(points).map(|(ids, points)| SourceRow { ids, points }).collect();
    let states = states.chunks_exact(length * width).zip(&rows);
    let states = states.map(|(states, row)| states[..row.ids.len() * width].to_vec()).collect();
    Ok(byt5::Golden { states, targets, rows, logits })
}
