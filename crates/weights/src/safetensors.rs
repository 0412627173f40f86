//! The header of a safetensors file, checked before any of the data is used.
//!
//! The file consists of the length of the header (u64, little-endian), the header (JSON: name → dtype, shape, offsets
//! from the header's end), and the data. <https://huggingface.co/docs/safetensors/index#format>

use super::error::WeightsError;
use super::storage::Source;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Length of the longest header accepted: ten thousand tensors need about 1 MB.
pub const LONGEST_HEADER: u64 = 8 << 20;

/// Length of the longest tensor accepted: half the address space of a browser. A larger one means a damaged header.
pub const LONGEST_TENSOR: u64 = 1 << 31;

/// Type of number that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Fraction of 32 bits.
    F32,
    /// Fraction of 16 bits (IEEE half precision).
    F16,
    /// Fraction of 16 bits, the upper half of an f32.
    Bf16,
    /// Whole number of 32 bits; in golden files only.
    I32,
}

impl Dtype {
    /// Returns the number of bytes per number.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }

    /// Returns the name of the type in a header.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::Bf16 => "BF16",
            Self::I32 => "I32",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::F32, Self::F16, Self::Bf16, Self::I32].into_iter().find(|dtype| dtype.name() == name)
    }
}

/// Tensor of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Name of the tensor.
    pub name: String,
    /// Type of its numbers.
    pub dtype: Dtype,
    /// Shape of the tensor.
    pub shape: Vec<usize>,
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: usize,
}

/// Header of a file: its tensors, in the order of their data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Tensors of the file; they fill it from [`Header::bytes`] on without gap or overlap.
    pub tensors: Vec<TensorInfo>,
    /// Number of bytes before the data.
    pub bytes: u64,
}

impl Header {
    /// Reads and checks the header of a file.
    ///
    /// # Errors
    /// [`WeightsError::Length`] names a truncated `file`; [`WeightsError::Header`] and [`WeightsError::Tensor`] say
    /// what is malformed.
    pub async fn read(file: &str, source: &mut impl Source) -> Result<(Self, Vec<u8>), WeightsError> {
        let length = source.length();
        if length < 8 {
            return Err(WeightsError::Length { file: file.to_string(), found: length, expected: 8 });
        }
        let mut bytes = source.read(0, 8).await?;
        let mut first = [0; 8];
        first.copy_from_slice(&bytes);
        let header_bytes = u64::from_le_bytes(first);
        if header_bytes > LONGEST_HEADER {
            return Err(WeightsError::Header(format!("its header claims {header_bytes} bytes")));
        }
        if 8 + header_bytes > length {
            return Err(WeightsError::Length { file: file.to_string(), found: length, expected: 8 + header_bytes });
        }
        bytes.extend(source.read(8, header_bytes as usize).await?);
        let header = Self::parse(&bytes[8..])?;
        let expected = header.file_bytes();
        if length != expected {
            return Err(WeightsError::Length { file: file.to_string(), found: length, expected });
        }
        Ok((header, bytes))
    }

    /// Checks the JSON of a header.
    ///
    /// # Errors
    /// As for [`Header::read`].
    pub fn parse(json: &[u8]) -> Result<Self, WeightsError> {
        let Entries(entries) =
            serde_json::from_slice(json).map_err(|error| WeightsError::Header(format!("its header: {error}")))?;
        let bytes = 8 + json.len() as u64;
        let mut tensors =
            entries.into_iter().map(|(name, raw)| raw.check(name, bytes)).collect::<Result<Vec<_>, _>>()?;
        tensors.sort_by_key(|tensor| (tensor.offset, tensor.bytes));
        let mut end = bytes;
        for tensor in &tensors {
            if tensor.offset != end {
                let what = if tensor.offset < end { "overlaps the tensor before it" } else { "leaves a gap before it" };
                return Err(WeightsError::tensor(
                    &tensor.name,
                    format!("{what}: begins at {}, not {end}", tensor.offset),
                ));
            }
            end += tensor.bytes as u64;
        }
        Ok(Self { tensors, bytes })
    }

    /// Returns the length of the whole file.
    pub fn file_bytes(&self) -> u64 {
        self.tensors.last().map_or(self.bytes, |last| last.offset + last.bytes as u64)
    }

    /// Returns the tensor with this name.
    pub fn tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }
}

/// Tensor as the header states it, unchecked.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

impl RawTensor {
    fn check(self, name: String, data: u64) -> Result<TensorInfo, WeightsError> {
        let [begin, end] = self.data_offsets;
        let Some(dtype) = Dtype::named(&self.dtype) else {
            let accepted = "F32, F16, BF16 and I32";
            return Err(WeightsError::tensor(&name, format!("is of type {}; accepted are {accepted}", self.dtype)));
        };
        let counted = self.shape.iter().try_fold(dtype.bytes() as u64, |bytes, size| bytes.checked_mul(*size));
        let spanned = end.checked_sub(begin);
        let (Some(counted), Some(spanned), Some(offset)) = (counted, spanned, data.checked_add(begin)) else {
            return Err(WeightsError::tensor(
                &name,
                format!("has impossible sizes {:?} at {begin}..{end}", self.shape),
            ));
        };
        // These bounds keep the following sums from overflowing.
        if counted != spanned || spanned > LONGEST_TENSOR || offset > 1 << 48 {
            let shape = &self.shape;
            return Err(WeightsError::tensor(
                &name,
                format!("has shape {shape:?}, {counted} bytes, but spans {spanned}"),
            ));
        }
        let shape = self.shape.iter().map(|size| *size as usize).collect();
        Ok(TensorInfo { name, dtype, shape, offset, bytes: spanned as usize })
    }
}

/// Entries of the header in order, without `__metadata__`. A map type would silently keep one of two equal names.
struct Entries(Vec<(String, RawTensor)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Entries;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                write!(out, "an object of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let (mut names, mut entries) = (HashSet::new(), Vec::new());
                while let Some(name) = map.next_key::<String>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom(format!("it names tensor {name} twice")));
                    }
                    if name == "__metadata__" {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        entries.push((name, map.next_value()?));
                    }
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(Seen)
    }
}

/// Converts the bytes of a tensor to f32.
///
/// # Errors
/// When the tensor holds whole numbers.
pub fn floats(tensor: &TensorInfo, bytes: &[u8]) -> Result<Vec<f32>, WeightsError> {
    use burn::tensor::{bf16, f16};
    let pairs = || bytes.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    Ok(match tensor.dtype {
        Dtype::F32 => bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
        Dtype::F16 => pairs().map(|pair| f16::from_le_bytes(pair).to_f32()).collect(),
        Dtype::Bf16 => pairs().map(|pair| bf16::from_le_bytes(pair).to_f32()).collect(),
        Dtype::I32 => return Err(WeightsError::tensor(&tensor.name, "holds whole numbers instead of weights")),
    })
}

/// Converts the bytes of a tensor to whole numbers.
///
/// # Errors
/// When the tensor holds fractions.
pub fn integers(tensor: &TensorInfo, bytes: &[u8]) -> Result<Vec<i32>, WeightsError> {
    if tensor.dtype != Dtype::I32 {
        return Err(WeightsError::tensor(&tensor.name, "holds fractions instead of whole numbers"));
    }
    Ok(bytes.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_come_in_the_order_of_their_data() {
        let json = br#"{"__metadata__":{"a":"b"},"b":{"dtype":"F16","shape":[2],"data_offsets":[8,12]},
            "a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}"#;
        let header = Header::parse(json).unwrap();
        let names: Vec<&str> = header.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(header.file_bytes(), 8 + json.len() as u64 + 12);
    }

    #[test]
    fn malformed_headers_are_refused_with_the_reason() {
        let check = |json: &str, said: &str| {
            let error = Header::parse(json.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(said), "{json}: {error}");
        };
        let pair = |first: &str, second: &str| format!(r#"{{"a":{{{first}}},"b":{{{second}}}}}"#);
        let four = r#""dtype":"F32","shape":[1],"data_offsets":[0,4]"#;
        check("", "EOF");
        check("[]", "an object of tensors");
        check(r#"{"a":1}"#, "invalid type");
        check(&pair(four, r#""dtype":"F32","shape":[1],"data_offsets":[3,7]"#), "overlaps");
        check(&pair(four, four), "overlaps");
        check(&pair(four, r#""dtype":"F32","shape":[1],"data_offsets":[5,9]"#), "gap");
        check(&format!(r#"{{"a":{{{four}}},"a":{{{four}}}}}"#), "names tensor a twice");
        check(&pair(four, r#""dtype":"F64","shape":[1],"data_offsets":[4,12]"#), "type F64");
        check(&pair(four, r#""dtype":"F32","shape":[2],"data_offsets":[4,8]"#), "but spans 4");
        check(&pair(four, r#""dtype":"F32","shape":[1],"data_offsets":[8,4]"#), "impossible sizes");
        let largest = u64::MAX;
        check(&pair(four, &format!(r#""dtype":"F32","shape":[{largest},2],"data_offsets":[4,8]"#)), "impossible sizes");
        check(&pair(four, &format!(r#""dtype":"F16","shape":[0],"data_offsets":[{largest},{largest}]"#)), "impossible");
    }

    #[test]
    fn half_precision_becomes_f32() {
        let info = |dtype| TensorInfo { name: "a".into(), dtype, shape: vec![2], offset: 0, bytes: 4 };
        let halves = [0x00, 0x3c, 0x00, 0xc1];
        assert_eq!(floats(&info(Dtype::F16), &halves), Ok(vec![1.0, -2.5]));
        assert_eq!(floats(&info(Dtype::Bf16), &[0x80, 0x3f, 0x20, 0xc0]), Ok(vec![1.0, -2.5]));
        assert!(floats(&info(Dtype::I32), &halves).is_err());
    }
}
