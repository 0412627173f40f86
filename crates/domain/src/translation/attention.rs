//! Questions about the attention of the translator, and their answers: plain data for page and worker.
//!
//! A map has a row for every place that attends and a column for every place attended to; each row sums to 1. Matrices
//! cross between worker and page as bytes, since half a million separate numbers would block the page.

use serde::{Deserialize, Serialize};
use tuppum_text::tokens::TokenId;

/// Kinds of attention in the translator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttentionKind {
    /// Between the bytes of the source.
    #[default]
    Encoder,
    /// Attention of each byte being written to those written before it.
    Decoder,
    /// Attention of each byte being written to the bytes of the source.
    Cross,
}

/// Strength of the hyperbolic bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Strength {
    /// Detached, bit for bit.
    Off,
    /// Learnt α.
    #[default]
    Own,
    /// Given α.
    Alpha(f32),
}

/// A question for a map of attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionQuestion {
    /// Text that the model reads, as [`super::passages`] gives it.
    pub text: String,
    #[serde(rename = "looking")]
    pub kind: AttentionKind,
    /// Layer, from 0; `None` for the mean of all.
    pub layer: Option<usize>,
    /// Head, from 0; `None` for the mean of all.
    pub head: Option<usize>,
    /// Strength of the bias.
    pub bias: Strength,
    /// Tokens being written, for the decoder; `None` for the most likely ones that the model writes with its own bias.
    pub target: Option<Vec<TokenId>>,
}

/// A matrix of attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionMap {
    /// Number of places that attend.
    pub rows: usize,
    /// Number of places attended to.
    pub columns: usize,
    /// Values row by row.
    #[serde(with = "floats")]
    pub values: Vec<f32>,
}

/// The requested map, with the ranges of further questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionAnswer {
    /// Map. Its places are the bytes of the source and the end of the sequence; for written text, row i is the writing
    /// of token i, and column j of the decoder is the token read before it, the beginning first.
    pub map: AttentionMap,
    /// Tokens being written; empty for the encoder.
    pub target: Vec<TokenId>,
    /// Number of layers of this kind of attention.
    pub layers: usize,
    /// Number of heads of each layer.
    pub heads: usize,
    /// Learnt strength of the bias, if the model has one.
    pub alpha: Option<f32>,
    /// Number of encoder layers that the bias reaches.
    pub reach: usize,
}

/// Points of a translator's bias, as learnt or as its training began with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnedPoints {
    /// Coordinates point by point, in the ball of curvature `-curvature`.
    #[serde(with = "floats")]
    pub values: Vec<f32>,
    /// Number of coordinates of each point.
    pub dimensions: usize,
    /// Negated curvature of the ball.
    pub curvature: f64,
    /// Strength of the bias.
    pub alpha: f32,
    /// `true` if the points are of signs and readings rather than of bytes.
    pub signs: bool,
}

/// Serialises numbers as the bytes of little-endian f32.
mod floats {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub fn serialize<S: Serializer>(values: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }

    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<f32>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "the bytes of numbers, four each")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<f32>, E> {
            let (numbers, rest) = bytes.as_chunks::<4>();
            if rest.is_empty() {
                Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
            } else {
                Err(E::invalid_length(bytes.len(), &self))
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use serde::de::value::{BytesDeserializer, Error as Plain};

        #[test]
        fn numbers_come_back_and_halves_are_refused() {
            let values = [0.5f32, -1.25, f32::MIN_POSITIVE, 3e38];
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            assert_eq!(deserialize(BytesDeserializer::<Plain>::new(&bytes)), Ok(values.to_vec()));
            assert!(deserialize(BytesDeserializer::<Plain>::new(&bytes[1..])).is_err());
        }
    }
}
