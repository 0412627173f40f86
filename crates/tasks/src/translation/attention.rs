//! Questions about the attention of the translator and their answers: plain data for page and worker.
//!
//! A map has a row for every place that attends and a column for every place attended to; each row sums to 1.
//! Matrices cross between worker and page as bytes: half a million numbers one by one would hold the page up.

use serde::{Deserialize, Serialize};
use tuppum_text::tokens::TokenId;

/// One of the three kinds of attention in the translator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttentionKind {
    /// Between the bytes of the source.
    #[default]
    Encoder,
    /// From each byte being written to those written before it.
    Decoder,
    /// From each byte being written to those of the source.
    Cross,
}

/// The strength of the hyperbolic bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Strength {
    /// As if it were detached, bit for bit.
    Off,
    /// The α that was learnt.
    #[default]
    Own,
    /// This α.
    Alpha(f32),
}

/// Which map of attention is asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionQuestion {
    /// What the model reads, as [`super::passages`] gives it.
    pub text: String,
    /// The kind of attention.
    #[serde(rename = "looking")]
    pub kind: AttentionKind,
    /// The layer, from 0; the mean of all where none is given.
    pub layer: Option<usize>,
    /// The head, from 0; the mean of all where none is given.
    pub head: Option<usize>,
    /// How strong the bias is.
    pub bias: Strength,
    /// The tokens being written, for the decoder; where none are given, the likeliest that the model writes with its
    /// own bias.
    pub target: Option<Vec<TokenId>>,
}

/// A matrix of attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionMap {
    /// Number of places that attend.
    pub rows: usize,
    /// Number of places attended to.
    pub columns: usize,
    /// Row by row.
    #[serde(with = "floats")]
    pub values: Vec<f32>,
}

/// The map that was asked for, and what further questions the model allows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionAnswer {
    /// The map. Its places are the bytes of the source and the end of the sequence; for what is written, row i is the
    /// writing of token i, and column j of the decoder is the token read before it, the beginning first.
    pub map: AttentionMap,
    /// What is being written; empty for the encoder.
    pub target: Vec<TokenId>,
    /// Layers of this kind of attention.
    pub layers: usize,
    /// Heads of each.
    pub heads: usize,
    /// The learnt strength of the bias, where the model has one.
    pub alpha: Option<f32>,
    /// How many layers of the encoder it reaches.
    pub reach: usize,
}

/// The points of a translator's bias as they are now, learnt or where its training began with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnedPoints {
    /// One after the other, in the ball of curvature `-curvature`.
    #[serde(with = "floats")]
    pub values: Vec<f32>,
    /// Coordinates of each.
    pub dimensions: usize,
    /// The ball's curvature is minus this.
    pub curvature: f64,
    /// The strength of the bias.
    pub alpha: f32,
    /// Whether they are those of signs and readings rather than of bytes.
    pub signs: bool,
}

/// Numbers as the bytes of little-endian f32.
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
