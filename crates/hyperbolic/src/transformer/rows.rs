//! Rows of tokens as tensors: padding, masks, dropout.

use burn::tensor::{DType, Device, Int, Tensor, TensorData};
use tuppum_nn::layers::Dropout;
use tuppum_text::bytes::PAD;
use tuppum_text::tokens::TokenId;

/// Number added to logits of attention at hidden places. It is finite, because WebGPU's shading language knows no
/// infinity.
const HIDDEN: f32 = -1e9;

/// Encoder states of some sources.
#[derive(Clone, Debug)]
pub struct TransformerMemory {
    /// The states after the last layer: `[sources, places, coordinates]`.
    pub states: Tensor<3>,
    /// Mask of padding: `[sources, 1, 1, places]`. `None` if there is none.
    pub mask: Option<Tensor<4>>,
}

/// Returns the tokens of all rows, one row after the other, each padded to the longest: `[rows · places]`, and the
/// number of places.
pub fn padded(rows: &[Vec<TokenId>], device: &Device) -> (Tensor<1, Int>, usize) {
    let places = rows.iter().map(Vec::len).max().unwrap_or_default();
    let padded = |row: &Vec<TokenId>| {
        let padding = std::iter::repeat_n(PAD, places - row.len());
        row.iter().copied().chain(padding).map(|token| token as i32).collect::<Vec<_>>()
    };
    let tokens: Vec<i32> = rows.iter().flat_map(padded).collect();
    (Tensor::from_data(TensorData::new(tokens, [rows.len() * places]), device), places)
}

/// Returns the mask of the rows' padding, on a device and in a type of number: `[rows, 1, 1, places]`; `None` if all
/// rows are equally long.
pub fn padding_mask(rows: &[Vec<TokenId>], places: usize, of: (&Device, DType)) -> Option<Tensor<4>> {
    if rows.iter().all(|row| row.len() == places) {
        return None;
    }
    let of_row = |row: &Vec<TokenId>| {
        let length = row.len();
        (0..places).map(move |place| if place < length { 0.0 } else { HIDDEN })
    };
    let hidden: Vec<f32> = rows.iter().flat_map(of_row).collect();
    Some(Tensor::from_data(TensorData::new(hidden, [rows.len(), 1, 1, places]).convert_dtype(of.1), of))
}

/// Returns the mask that hides the places after each place: `[1, 1, places, places]`. Padding stands after a row's end
/// and is hidden with them.
pub fn causal_mask(places: usize, of: (&Device, DType)) -> Tensor<4> {
    let of_place = |own: usize| (0..places).map(move |other| if other > own { HIDDEN } else { 0.0 });
    let hidden: Vec<f32> = (0..places).flat_map(of_place).collect();
    Tensor::from_data(TensorData::new(hidden, [1, 1, places, places]).convert_dtype(of.1), of)
}

/// Applies dropout to vectors, `[batch, places, width]`.
pub fn dropped(x: Tensor<3>, dropout: &mut impl Dropout) -> Tensor<3> {
    let [batch, places, width] = x.dims();
    dropout.dropped(x.reshape([batch * places, width])).reshape([batch, places, width])
}
