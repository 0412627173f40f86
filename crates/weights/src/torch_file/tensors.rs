//! Turns the table of a pickle into a list of tensors with their places in the file, checking every size.

use super::pickle::{Pickle, Tensor, Value};
use super::zip::Entry;
use crate::error::WeightsError;
use crate::safetensors::{LONGEST_TENSOR, TensorInfo};
use std::collections::{HashMap, HashSet};

/// Maximum number of axes of a tensor; weights have two.
const MAX_AXES: usize = 8;

/// Returns the tensors in the order of their data.
pub(super) fn list(pickle: &Pickle, folder: &str, entries: &[Entry]) -> Result<Vec<TensorInfo>, WeightsError> {
    let Value::Table(table) = pickle.top() else {
        return Err(WeightsError::torch("it holds no table of tensors; only a saved state_dict can be read"));
    };
    let entries: HashMap<&str, &Entry> = entries
        .iter()
        .filter_map(|entry| Some((entry.name.strip_prefix(folder)?.strip_prefix("data/")?, entry)))
        .collect();
    let mut names = HashSet::new();
    let mut tensors = Vec::with_capacity(table.len());
    for (name, value) in table {
        let Value::Text(name) = pickle.value(*name) else {
            return Err(WeightsError::torch("its table has a key that is no name"));
        };
        if !names.insert(name) {
            return Err(WeightsError::torch(format!("it names tensor {name} twice")));
        }
        let Value::Tensor(tensor) = pickle.value(*value) else {
            return Err(WeightsError::torch(format!(
                "its entry {name:?} is no tensor; only a saved state_dict can be read"
            )));
        };
        tensors.push(info(name, tensor, &entries)?);
    }
    tensors.sort_by(|one, other| (one.offset, one.bytes, &one.name).cmp(&(other.offset, other.bytes, &other.name)));
    let mut end = 0;
    for pair in tensors.windows(2) {
        let [one, next] = pair else { continue };
        end = end.max(one.offset + one.bytes as u64);
        let is_alias = (one.offset, one.bytes) == (next.offset, next.bytes);
        if next.offset < end && !is_alias && next.bytes > 0 {
            return Err(WeightsError::tensor(
                &next.name,
                format!("shares some of its numbers with {} but not all", one.name),
            ));
        }
    }
    Ok(tensors)
}

fn info(name: &str, tensor: &Tensor, entries: &HashMap<&str, &Entry>) -> Result<TensorInfo, WeightsError> {
    let wrong = |problem: String| WeightsError::tensor(name, problem);
    let (kind, shape) = (tensor.storage.kind, &tensor.shape);
    let Some(dtype) = kind.dtype else {
        let accepted = "FloatStorage, HalfStorage, BFloat16Storage and IntStorage";
        return Err(wrong(format!("is of type {}; accepted are {accepted}", kind.name)));
    };
    let Some(entry) = entries.get(tensor.storage.key.as_str()) else {
        return Err(wrong(format!("has its numbers in data/{}, which the archive lacks", tensor.storage.key)));
    };
    let impossible = || wrong(format!("has impossible sizes {shape:?} at number {}", tensor.offset));
    let sizes: Option<Vec<usize>> = shape.iter().map(|size| usize::try_from(*size).ok()).collect();
    let sizes = sizes.filter(|sizes| sizes.len() <= MAX_AXES).ok_or_else(impossible)?;
    let width = dtype.bytes() as u64;
    let bytes = sizes.iter().try_fold(width, |bytes, size| bytes.checked_mul(*size as u64));
    let bytes = bytes.filter(|bytes| *bytes <= LONGEST_TENSOR).ok_or_else(impossible)?;
    let begin =
        u64::try_from(tensor.offset).ok().and_then(|offset| offset.checked_mul(width)).ok_or_else(impossible)?;
    if begin.checked_add(bytes).is_none_or(|end| end > entry.bytes) {
        let key = &tensor.storage.key;
        return Err(wrong(format!(
            "has shape {shape:?} at number {} of data/{key}, which has {} bytes",
            tensor.offset, entry.bytes
        )));
    }
    if !is_contiguous(&sizes, &tensor.strides) {
        let strides = &tensor.strides;
        return Err(wrong(format!(
            "is stored in another order than its own (shape {shape:?}, strides {strides:?}); call .contiguous() on it \
             before saving"
        )));
    }
    Ok(TensorInfo { name: name.to_string(), dtype, shape: sizes, offset: entry.offset + begin, bytes: bytes as usize })
}

/// Returns `true` if the numbers are in row-major order without gaps. The stride of an axis of length one is
/// irrelevant, and an empty tensor has no order.
fn is_contiguous(shape: &[usize], strides: &[i64]) -> bool {
    let mut expected = 1;
    let mut axes = shape.iter().zip(strides).rev();
    shape.len() == strides.len()
        && (shape.contains(&0)
            || axes.all(|(size, stride)| {
                let fits = *size == 1 || usize::try_from(*stride) == Ok(expected);
                // The product cannot overflow: the number of elements was checked before.
                expected *= size;
                fits
            }))
}
