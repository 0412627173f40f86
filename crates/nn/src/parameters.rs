//! The trained tensors of a model one by one, as an optimiser moves them and as a file has them.
//!
//! In the models linear weights are transposed, and maps of the same input lie side by side; [`ParameterSpec::split`]
//! and [`ParameterSpec::join`] lead from one form to the other, for weights and for anything else that is kept number
//! by number beside them.

use super::tensors::{TensorSpec, transpose_into};
use burn::module::Param;
use burn::tensor::{Gradients, Tensor};

/// What a tensor of a model is in a file; `G` says what it trains with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSpec<G> {
    /// Its name in the model; the file's, where it is one tensor there.
    pub name: String,
    /// Group that trains together with the tensor.
    pub group: G,
    /// Whether weight decay acts on it: on matrices, not on vectors.
    pub decays: bool,
    /// Whether it is a linear map within the network, or several with the same input; embeddings, tables and the map
    /// to the tokens are none.
    pub is_map: bool,
    /// The tensors of the file that lie in it, in order.
    pub parts: Vec<TensorSpec>,
    /// Whether the file has it transposed.
    transposed: bool,
}

/// A tensor of the model, to be read and replaced.
#[derive(Debug)]
pub enum Value<'m> {
    /// Gains of norms and other vectors.
    Vector(&'m mut Param<Tensor<1>>),
    /// Matrices.
    Matrix(&'m mut Param<Tensor<2>>),
}

impl Value<'_> {
    /// Its numbers without gradients; a vector is one row.
    pub fn tensor(&self) -> Tensor<2> {
        match self {
            Self::Vector(vector) => vector.val().inner().unsqueeze(),
            Self::Matrix(matrix) => matrix.val().inner(),
        }
    }

    /// Takes its gradient out, where it has one; a vector's is one row.
    pub fn gradient(&self, gradients: &mut Gradients) -> Option<Tensor<2>> {
        match self {
            Self::Vector(vector) => vector.val().grad_remove(gradients).map(Tensor::unsqueeze),
            Self::Matrix(matrix) => matrix.val().grad_remove(gradients),
        }
    }

    /// Replaces its numbers, in the shape of [`Value::tensor`]. `trained`: whether gradients are wanted; `None` for a
    /// model that is not trained at all.
    pub fn set(&mut self, tensor: Tensor<2>, trained: Option<bool>) {
        fn ready<const D: usize>(tensor: Tensor<D>, trained: Option<bool>) -> Tensor<D> {
            match trained {
                Some(trained) => tensor.inner().autodiff().set_require_grad(trained),
                None => tensor.inner(),
            }
        }
        match self {
            Self::Vector(vector) => {
                let length = tensor.shape().num_elements();
                **vector = Param::initialized(vector.id, ready(tensor.reshape([length]), trained));
            }
            Self::Matrix(matrix) => **matrix = Param::initialized(matrix.id, ready(tensor, trained)),
        }
    }
}

impl Value<'_> {
    /// Puts a matrix in its place that was computed from others, so that gradients reach those; a vector stays.
    pub fn lay(&mut self, tensor: Tensor<2>) {
        if let Self::Matrix(matrix) = self {
            **matrix = Param::initialized(matrix.id, tensor);
        }
    }
}

impl<G> ParameterSpec<G> {
    /// A tensor that is one in the file too; matrices decay.
    pub(super) fn whole(group: G, spec: TensorSpec, transposed: bool) -> Self {
        let decays = spec.shape.len() > 1;
        Self { name: spec.name.clone(), group, decays, is_map: transposed, parts: vec![spec], transposed }
    }

    /// Maps of the same input, side by side in the model.
    pub(super) fn beside(group: G, name: String, parts: Vec<TensorSpec>) -> Self {
        Self { name, group, decays: true, is_map: true, parts, transposed: true }
    }

    /// How many columns each of the maps has that lie side by side; `None` where it is no map.
    pub fn maps(&self) -> Option<Vec<usize>> {
        self.is_map.then(|| self.parts.iter().filter_map(|part| part.shape.first().copied()).collect())
    }

    /// Its shape in the model, a vector being one row.
    pub fn shape(&self) -> [usize; 2] {
        let rows: usize = self.parts.iter().map(|part| part.shape.first().copied().unwrap_or(1)).sum();
        match self.parts.first().map(|part| part.shape.as_slice()) {
            Some([_, columns]) if self.transposed => [*columns, rows],
            Some([_, columns]) => [rows, *columns],
            _ => [1, rows],
        }
    }

    /// Numbers in the model's order, cut and transposed into the tensors of the file.
    pub fn split(&self, values: &[f32]) -> Vec<(&TensorSpec, Vec<f32>)> {
        if !self.transposed {
            return self.parts.iter().map(|part| (part, values.to_vec())).collect();
        }
        let width: usize = self.parts.iter().map(|part| part.shape[0]).sum();
        let mut column = 0;
        let mut split = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let [outputs, inputs] = [part.shape[0], part.shape[1]];
            let own: Vec<f32> =
                values.chunks_exact(width).flat_map(|row| &row[column..column + outputs]).copied().collect();
            let mut transposed = vec![0.0; own.len()];
            transpose_into(&own, outputs, &mut transposed, inputs, 0);
            split.push((part, transposed));
            column += outputs;
        }
        split
    }

    /// The reverse of [`ParameterSpec::split`], from the numbers of all parts, one part after the other.
    pub fn join(&self, parts: &[f32]) -> Vec<f32> {
        if !self.transposed {
            return parts.to_vec();
        }
        let width: usize = self.parts.iter().map(|part| part.shape[0]).sum();
        let (mut joined, mut column, mut rest) = (vec![0.0; parts.len()], 0, parts);
        for part in &self.parts {
            let (own, after) = rest.split_at(part.elements());
            transpose_into(own, part.shape[1], &mut joined, width, column);
            (column, rest) = (column + part.shape[0], after);
        }
        joined
    }
}
