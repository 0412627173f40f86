//! Gradients of a whole model against finite differences: burn's gradients in f32, as they are used, differences of the
//! same model in f64, where a step of 1e-5 leaves an error of 1e-9.

use super::*;
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{DType, Device, Gradients, Tensor, TensorData, activation};
use tuppum_text::bytes;

const STEP: f64 = 1e-5;
/// Tolerance, as a share of the largest component of a tensor: what f32 loses in some hundred operations, one after the
/// other, on numbers near 10.
const AGREEMENT: f64 = 2e-3;
/// Components looked at in each tensor, those with the largest gradients and as many evenly among all.
const LOOKED_AT: usize = 6;

fn settings(space: Space) -> TransformerSettings {
    TransformerSettings {
        space,
        width: 6,
        heads: 2,
        encoder_layers: 1,
        decoder_layers: 1,
        feed_forward: 5,
        longest: 8,
        ..TransformerSettings::default()
    }
}

/// Returns the loss of two short pairs, one of which is padded.
fn loss(model: &Transformer) -> Tensor<1> {
    let sources = [bytes::encode("a-na"), bytes::encode("LU₂")];
    let targets = [bytes::encode("to"), bytes::encode("man")];
    let logits = model.forced_logits(&sources, &targets, &mut ()).unwrap();
    let logs = activation::log_softmax(logits, 2);
    let parts = targets.iter().enumerate().flat_map(|(row, target)| {
        let logs = logs.clone();
        target.iter().enumerate().map(move |(place, token)| {
            let token = *token as usize;
            logs.clone().slice([row..row + 1, place..place + 1, token..token + 1]).reshape([1])
        })
    });
    Tensor::cat(parts.collect(), 0).sum().neg()
}

/// The gradients of all tensors, by name.
struct Found {
    path: Vec<String>,
    gradients: Gradients,
    found: Vec<(String, Vec<f64>)>,
}

impl ModuleVisitor for Found {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let gradient = param.val().grad(&self.gradients).expect("every tensor takes part");
        let numbers = gradient.into_data().try_into_vec::<f32>().unwrap();
        self.found.push((self.path.join("."), numbers.into_iter().map(f64::from).collect()));
    }
}

/// The model in f64.
struct Double;

impl ModuleMapper for Double {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        Param::from_tensor(param.val().cast(DType::F64))
    }
}

/// A model in f64, one of its numbers moved.
struct Moved<'m> {
    path: Vec<String>,
    name: &'m str,
    at: usize,
    by: f64,
}

impl ModuleMapper for Moved<'_> {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        if self.path.join(".") != self.name {
            return param;
        }
        let shape = param.dims();
        let mut numbers = param.val().into_data().try_into_vec::<f64>().unwrap();
        numbers[self.at] += self.by;
        let data = TensorData::new(numbers, shape);
        Param::from_tensor(Tensor::from_data(data, (&Device::flex(), DType::F64)))
    }
}

/// Components of a tensor that are looked at.
fn looked_at(found: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|one, other| found[*other].abs().total_cmp(&found[*one].abs()));
    order.truncate(LOOKED_AT);
    order.extend((0..found.len()).step_by(found.len().div_ceil(LOOKED_AT)));
    order
}

fn check(settings: &TransformerSettings) {
    let trained = Transformer::new(settings, 9, &Device::flex().autodiff()).unwrap();
    let gradients = loss(&trained).backward();
    let mut visitor = Found { path: Vec::new(), gradients, found: Vec::new() };
    trained.visit(&mut visitor);
    let plain = Transformer::new(settings, 9, &Device::flex()).unwrap().map(&mut Double);
    assert!(visitor.found.len() > 20);
    for (name, found) in &visitor.found {
        let largest = found.iter().fold(1e-3f64, |most, one| most.max(one.abs()));
        for at in looked_at(found) {
            let moved = |by: f64| {
                let model = plain.clone().map(&mut Moved { path: Vec::new(), name, at, by });
                loss(&model).into_data().try_into_vec::<f64>().unwrap()[0]
            };
            let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            assert!(
                (found[at] - slope).abs() < AGREEMENT * largest,
                "{settings:?}, {name} [{at}]: {} and {slope}",
                found[at]
            );
        }
    }
}

#[test]
fn gradients_of_a_whole_model_are_those_of_finite_differences() {
    for space in Space::ALL {
        check(&settings(space));
    }
}

#[test]
fn so_are_those_of_a_model_in_every_form() {
    for (space, forms) in forms_tests::every_form() {
        // The first numbers change no formula; those within ±0.02 make vectors of 1e-6, whose direction, by which the
        // normalisation divides, f32 knows to a few digits only.
        let initialisation = Initialisation::KeepingLengths;
        check(&TransformerSettings { forms: TransformerForms { initialisation, ..forms }, ..settings(space) });
    }
}
