//! Models in every form: that they stay on the hyperboloid, that each choice changes something, that what is said to
//! learn moves, and that files without a choice stay as they were.

use super::super::Lorentz;
use super::super::support::{on_hyperboloid, read};
use super::*;
use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// Returns every value of every choice, alone and in such company as the equations and programs have.
pub fn every_form() -> Vec<(Space, TransformerForms)> {
    let none = TransformerForms::default();
    let mut found = Vec::new();
    for linear in LinearLayers::ALL {
        found.push((Space::Lorentz, TransformerForms { linear: *linear, ..none }));
        if *linear != LinearLayers::Tangent {
            let (residual, positions) = (Residual::Merged, Positions::Layer);
            found.push((Space::Lorentz, TransformerForms { linear: *linear, residual, positions, ..none }));
        }
    }
    found.push((Space::Lorentz, TransformerForms { residual: Residual::Merged, ..none }));
    found.push((Space::Lorentz, TransformerForms { positions: Positions::Layer, ..none }));
    found.push((Space::Lorentz, TransformerForms { attention: AttentionScale::Learnt, ..none }));
    found.push((Space::Lorentz, TransformerForms { initialisation: Initialisation::Published, ..none }));
    found.push((Space::Lorentz, published()));
    found.push((Space::Euclidean, TransformerForms { control: ControlAttention::Hyperbolic, ..none }));
    found
}

/// Returns all choices as in the published program.
fn published() -> TransformerForms {
    TransformerForms {
        linear: LinearLayers::Published,
        residual: Residual::Merged,
        positions: Positions::Layer,
        attention: AttentionScale::Learnt,
        initialisation: Initialisation::Published,
        control: ControlAttention::Products,
    }
}

fn settings(space: Space, forms: TransformerForms) -> TransformerSettings {
    TransformerSettings {
        space,
        width: 12,
        heads: 3,
        encoder_layers: 2,
        decoder_layers: 1,
        feed_forward: 20,
        longest: 20,
        forms,
        ..TransformerSettings::default()
    }
}

fn texts() -> [Vec<Vec<TokenId>>; 2] {
    [vec![bytes::encode("a-na LUGAL"), bytes::encode("um-ma")], vec![bytes::encode("to"), bytes::encode("thus")]]
}

fn logits(model: &Transformer) -> Tensor<3> {
    let [sources, targets] = texts();
    model.forced_logits(&sources, &targets, &mut ()).unwrap()
}

#[test]
fn states_lie_on_the_sheet_in_every_form() {
    for (space, forms) in every_form() {
        if space == Space::Euclidean {
            continue;
        }
        for curvature in [-0.5, -1.0, -2.0] {
            let settings = TransformerSettings { curvature, ..settings(space, forms) };
            let model = Transformer::new(&settings, 3, &Device::flex()).unwrap();
            let hyperboloid = Lorentz::new(curvature).unwrap();
            for states in model.encoder_states(&texts()[0]).unwrap() {
                on_hyperboloid(hyperboloid, states);
            }
            on_hyperboloid(hyperboloid, model.tokens.val());
            on_hyperboloid(hyperboloid, model.answers.val());
            read(logits(&model));
        }
    }
}

#[test]
fn every_choice_makes_another_model() {
    let made = |(space, forms)| read(logits(&Transformer::new(&settings(space, forms), 3, &Device::flex()).unwrap()));
    let mut found: Vec<_> = every_form().into_iter().map(made).collect();
    found.push(made((Space::Euclidean, TransformerForms::default())));
    for (at, one) in found.iter().enumerate() {
        assert!(found[..at].iter().all(|other| one != other), "{at}");
    }
}

/// The names of tensors that nothing pulls at.
struct Still {
    path: Vec<String>,
    gradients: Gradients,
    found: Vec<String>,
}

impl ModuleVisitor for Still {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let pulled = param.val().grad(&self.gradients).is_some_and(|gradient| {
            let numbers = gradient.into_data().try_into_vec::<f32>().unwrap();
            numbers.iter().any(|one| one.abs() > 0.0)
        });
        if !pulled {
            self.found.push(self.path.join("."));
        }
    }
}

#[test]
fn every_parameter_is_pulled_at_in_every_form() {
    for (space, forms) in every_form() {
        let device = Device::flex().autodiff();
        let model = Transformer::new(&settings(space, forms), 3, &device).unwrap();
        // A bias of all keys alike would cancel in a softmax; the squares of scores leave nothing to cancel.
        let gradients = logits(&model).square().sum().backward();
        let mut still = Still { path: Vec::new(), gradients, found: Vec::new() };
        model.visit(&mut still);
        assert!(still.found.is_empty(), "{forms:?}: {:?}", still.found);
    }
}

#[test]
fn a_model_that_begins_as_published_has_the_numbers_of_the_table() {
    let model = Transformer::new(&settings(Space::Lorentz, published()), 3, &Device::flex()).unwrap();
    for (spec, numbers) in model.tensors() {
        let (name, numbers) = (spec.name.as_str(), read(numbers.unsqueeze::<2>()).remove(0));
        let is = |ending: &str| name.ends_with(ending);
        if is("weight") || is("velocity") {
            let (time, rest) = numbers.split_at(spec.shape[1]);
            assert!(time.iter().all(|one| *one == 0.0), "{name}");
            let most = rest.iter().fold(0.0f64, |most, one| most.max(one.abs()));
            assert!(most <= 0.02 && most > 0.01, "{name}: {most}");
        } else if is("log_scale") {
            assert!((numbers[0] - 2.3).abs() < 1e-6, "{name}: {numbers:?}");
        } else if name == "positions" {
            assert_eq!(spec.shape, [20, 13]);
            let deviation = (numbers.iter().map(|one| one * one).sum::<f64>() / numbers.len() as f64).sqrt();
            // Of 260 numbers a deviation is off by 4 % as a rule.
            assert!((deviation / 0.02 - 1.0).abs() < 0.15, "{deviation}");
        } else if is("scale") {
            assert!((numbers[0] - 12f64.sqrt()).abs() < 1e-6, "{name}: {numbers:?}");
        } else if is("bias") {
            assert!(numbers.iter().all(|one| *one == 0.0), "{name}");
        }
    }
    let tokens = read(model.tokens.val());
    assert_eq!(tokens, read(model.answers.val()));
    // The distance from the origin is arcosh of the time-like coordinate.
    assert!(tokens.iter().all(|point| (point[0].acosh() - 1.0).abs() < 1e-5));
}

#[test]
fn the_position_layer_has_a_matrix_more_and_a_gate() {
    let none = TransformerForms::default();
    let count = |forms| Transformer::new(&settings(Space::Lorentz, forms), 3, &Device::flex()).unwrap().num_params();
    let layer = TransformerForms { positions: Positions::Layer, ..none };
    // W and v over the 13 coordinates of a point, and λ.
    assert_eq!(count(layer), count(none) + 13 * 12 + 13 + 1);
}

#[test]
fn layers_without_a_gate_take_no_merged_bias() {
    let tangent = TransformerForms { linear: LinearLayers::Tangent, ..TransformerForms::default() };
    for forms in [
        TransformerForms { residual: Residual::Merged, ..tangent },
        TransformerForms { positions: Positions::Layer, ..tangent },
    ] {
        let refused = settings(Space::Lorentz, forms).check().unwrap_err().to_string();
        assert!(refused.contains("no gate"), "{refused}");
        assert_eq!(settings(Space::Euclidean, forms).check(), Ok(()));
    }
}

#[test]
fn words_name_choices_and_others_are_refused() {
    for linear in LinearLayers::ALL {
        assert_eq!(linear.to_string().parse(), Ok(*linear));
    }
    let refused = "neither".parse::<Residual>().unwrap_err().to_string();
    assert_eq!(refused, "there is no residual \"neither\"; there are added, merged");
}
