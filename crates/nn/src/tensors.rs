//! The tensors that a weights file must hold, and the transposition of its linear weights into the order in which
//! products read them.

/// Name and shape of one tensor of a weights file. Linear weights are `[out, in]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Name of the tensor in the file.
    pub name: String,
    /// Shape of the tensor in the file.
    pub shape: Vec<usize>,
}

impl TensorSpec {
    /// Describes a tensor of this name and shape.
    pub fn new(name: &str, shape: &[usize]) -> Self {
        Self { name: name.to_string(), shape: shape.to_vec() }
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the number of elements in 64 bits, for shapes that a file claims and a memory of 32 bits could not hold.
    pub fn claimed(&self) -> u64 {
        self.shape.iter().fold(1, |product, size| product.saturating_mul(*size as u64))
    }
}

/// Transposes `values` (`[outputs, inputs]`) into the columns of `into` that begin at `column`; rows of `into` are
/// `width` wide. Sixteen inputs are handled at a time, so that a row of `into` is written while it is in the cache.
pub(super) fn transpose_into(values: &[f32], inputs: usize, into: &mut [f32], width: usize, column: usize) {
    const BLOCK: usize = 16;
    for start in (0..inputs).step_by(BLOCK) {
        let end = (start + BLOCK).min(inputs);
        for (output, row) in values.chunks_exact(inputs).enumerate() {
            for (input, value) in row[start..end].iter().enumerate() {
                into[(start + input) * width + column + output] = *value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_blocks_lie_side_by_side() {
        let mut into = vec![0.0; 3 * 4];
        transpose_into(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3, &mut into, 4, 2);
        assert_eq!(into, [0.0, 0.0, 1.0, 4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0, 3.0, 6.0]);
    }
}
