//! The trained tensors of a model one by one, in the model's form for an optimiser and in the form of a weights file.
//!
//! In the models, linear weights are transposed, and maps with the same input lie side by side.
//! [`ParameterSpec::split`] and [`ParameterSpec::join`] convert between the two forms, for weights and for anything
//! else that has one number per weight, such as moments.

use super::tensors::{TensorSpec, transpose_into};
use burn::module::Param;
use burn::tensor::{Gradients, Tensor};

/// Description of a tensor of a model; `G` names the group of tensors that it trains with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSpec<G> {
    /// Name in the model; equal to the name in the file if the file holds it as one tensor.
    pub name: String,
    /// Group of tensors that train together.
    pub group: G,
    /// `true` if weight decay acts on the tensor: it does on matrices, not on vectors.
    pub decays: bool,
    /// `true` if the tensor is a linear map within the network, or several with the same input. Embeddings, tables and
    /// the map to the tokens do not count.
    pub is_map: bool,
    /// Tensors of the file that make it up, in order.
    pub parts: Vec<TensorSpec>,
    /// `true` if the file holds it transposed.
    transposed: bool,
}

/// Tensor of a model, to be read and replaced.
#[derive(Debug)]
pub enum Value<'m> {
    /// Gain of a norm, or another vector.
    Vector(&'m mut Param<Tensor<1>>),
    /// Matrix.
    Matrix(&'m mut Param<Tensor<2>>),
}

impl Value<'_> {
    /// Returns the numbers without gradients; a vector is one row.
    pub fn tensor(&self) -> Tensor<2> {
        match self {
            Self::Vector(vector) => vector.val().inner().unsqueeze(),
            Self::Matrix(matrix) => matrix.val().inner(),
        }
    }

    /// Removes and returns the gradient, if there is one; a vector's is one row.
    pub fn gradient(&self, gradients: &mut Gradients) -> Option<Tensor<2>> {
        match self {
            Self::Vector(vector) => vector.val().grad_remove(gradients).map(Tensor::unsqueeze),
            Self::Matrix(matrix) => matrix.val().grad_remove(gradients),
        }
    }

    /// Replaces the numbers by a tensor in the shape of [`Value::tensor`]. `trained` says whether gradients are wanted;
    /// `None` is for a model that is not trained at all.
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
    /// Replaces a matrix by one computed from others, so that gradients reach those. Does nothing for a vector.
    pub fn lay(&mut self, tensor: Tensor<2>) {
        if let Self::Matrix(matrix) = self {
            **matrix = Param::initialized(matrix.id, tensor);
        }
    }
}

impl<G> ParameterSpec<G> {
    /// Describes a tensor that is one tensor in the file too; matrices decay.
    pub(super) fn whole(group: G, spec: TensorSpec, transposed: bool) -> Self {
        let decays = spec.shape.len() > 1;
        Self { name: spec.name.clone(), group, decays, is_map: transposed, parts: vec![spec], transposed }
    }

    /// Describes maps with the same input, side by side in the model.
    pub(super) fn beside(group: G, name: String, parts: Vec<TensorSpec>) -> Self {
        Self { name, group, decays: true, is_map: true, parts, transposed: true }
    }

    /// Returns the number of columns of each map that lies in the tensor; `None` if it is not a linear map.
    pub fn maps(&self) -> Option<Vec<usize>> {
        self.is_map.then(|| self.parts.iter().filter_map(|part| part.shape.first().copied()).collect())
    }

    /// Returns the shape in the model; a vector is one row.
    pub fn shape(&self) -> [usize; 2] {
        let rows: usize = self.parts.iter().map(|part| part.shape.first().copied().unwrap_or(1)).sum();
        match self.parts.first().map(|part| part.shape.as_slice()) {
            Some([_, columns]) if self.transposed => [*columns, rows],
            Some([_, columns]) => [rows, *columns],
            _ => [1, rows],
        }
    }

    /// Splits numbers in the model's order into the tensors of the file, transposing where the file does.
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

    /// Joins the numbers of all parts, one part after the other, into the model's order: the reverse of
    /// [`ParameterSpec::split`].
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
