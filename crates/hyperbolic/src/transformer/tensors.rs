//! The numbers of a Transformer by name, to be written and read.

use super::model::Transformer;
use super::settings::{Space, TransformerSettings};
use crate::error::TransformerError;
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, Tensor, TensorData};
use std::collections::BTreeMap;
use tuppum_nn::tensors::TensorSpec;

/// Tolerance of a time-like coordinate, as a share of it: the digits that f32 and a file keep.
const TIME_TOLERANCE: f32 = 1e-5;

/// Collects tensors.
#[derive(Default)]
struct TensorCollector {
    path: Vec<String>,
    found: Vec<(TensorSpec, Tensor<1>)>,
}

impl ModuleVisitor for TensorCollector {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let (tensor, shape) = (param.val(), param.dims());
        let spec = TensorSpec::new(&self.path.join("."), &shape);
        self.found.push((spec, tensor.reshape([shape.iter().product::<usize>()])));
    }
}

/// Replaces tensors by given numbers.
struct Writing {
    path: Vec<String>,
    numbers: BTreeMap<String, Vec<f32>>,
    problem: Option<TransformerError>,
}

impl ModuleMapper for Writing {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let (name, shape) = (self.path.join("."), param.dims());
        match self.numbers.remove(&name) {
            Some(numbers) if numbers.len() == shape.iter().product::<usize>() => {
                Param::from_tensor(Tensor::from_data(TensorData::new(numbers, shape), &param.val().device()))
            }
            Some(numbers) => {
                let numbers = numbers.len();
                self.problem = Some(TransformerError::Shape { name, numbers, shape: shape.to_vec() });
                param
            }
            None => {
                self.problem = Some(TransformerError::Missing(name));
                param
            }
        }
    }
}

impl Transformer {
    /// Returns the tensors of the model, each with name and shape, in order: `[numbers]`.
    pub fn tensors(&self) -> Vec<(TensorSpec, Tensor<1>)> {
        let mut reading = TensorCollector::default();
        self.visit(&mut reading);
        reading.found
    }

    /// Returns the model of these numbers, by the names of [`Transformer::tensors`].
    ///
    /// # Errors
    /// Errors of [`TransformerSettings::check`]; a tensor that is missing, unknown or misshapen; points off the
    /// hyperboloid.
    pub fn of_numbers(
        settings: &TransformerSettings,
        numbers: BTreeMap<String, Vec<f32>>,
        device: &Device,
    ) -> Result<Self, TransformerError> {
        for name in ["tokens", "answers"] {
            check_points(settings, name, numbers.get(name).map_or(&[], Vec::as_slice))?;
        }
        let mut writing = Writing { path: Vec::new(), numbers, problem: None };
        let model = Self::new(settings, 0, device)?.map(&mut writing);
        match (writing.problem, writing.numbers.keys().next()) {
            (Some(problem), _) => Err(problem),
            (None, Some(name)) => Err(TransformerError::Unknown(name.clone())),
            (None, None) => Ok(model),
        }
    }
}

/// Checks that points lie on the hyperboloid, in Lorentz's space.
fn check_points(settings: &TransformerSettings, name: &str, numbers: &[f32]) -> Result<(), TransformerError> {
    if settings.space == Space::Euclidean {
        return Ok(());
    }
    for (row, point) in numbers.chunks_exact(settings.coordinates()).enumerate() {
        let square: f64 = point[1..].iter().map(|one| f64::from(*one).powi(2)).sum();
        let time = (square - 1.0 / settings.curvature).sqrt() as f32;
        let off = (point[0] - time).abs() / time;
        if off.is_nan() || off > TIME_TOLERANCE {
            let (name, found) = (name.to_owned(), point[0]);
            return Err(TransformerError::OffHyperboloid { row, name, curvature: settings.curvature, found, time });
        }
    }
    Ok(())
}
