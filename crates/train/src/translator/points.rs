//! Learning of the points of the hyperbolic bias: by Riemannian Adam in their ball, with a learning rate, a gradient
//! clip and a first step of their own, and, if the plan says so, pulled back to where they began.

use crate::ball::PoincareBall;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use crate::update_rules::RiemannianAdam;
use burn::tensor::{Tensor, TensorData};
use tuppum_domain::translation::points::PointsSettings;
use tuppum_domain::translation::training::{TranslatorPart, TranslatorTrainingSettings};
use tuppum_nn::byt5::ByT5;

/// Points of a run that learn.
#[derive(Debug)]
pub struct LearntPoints {
    /// Name of the points' tensor.
    pub name: String,
    /// Points as the run began with them, without gradients: `[points, dimensions]`.
    pub start: Tensor<2>,
    /// Number of steps that the points have made.
    pub steps: u32,
    ball: PoincareBall,
    settings: PointsSettings,
}

impl LearntPoints {
    /// Returns the points of a model in their current place; `None` if there are none or they are frozen.
    pub fn of(model: &mut ByT5, settings: &TranslatorTrainingSettings) -> Option<Self> {
        let ball = PoincareBall::new(model.geometry()?.curvature());
        if settings.frozen.contains(&TranslatorPart::Points) {
            return None;
        }
        let (place, value) = model.parameters_mut().into_iter().find(|(place, _)| is_points(place.group))?;
        Some(Self { name: place.name, start: value.tensor(), steps: 0, ball, settings: settings.points })
    }

    /// Continues after `steps` steps from a stored start. Without a stored start, distances are measured from the
    /// current points.
    ///
    /// # Errors
    /// Says that the number of coordinates differs from that of the points.
    pub fn go_on(&mut self, start: Option<Vec<f32>>, steps: u32) -> Result<(), String> {
        self.steps = steps;
        let Some(start) = start else { return Ok(()) };
        let (found, shape) = (start.len(), self.start.dims());
        if found != shape[0] * shape[1] {
            return Err(format!("it has {found} numbers for the start of {} points in {}", shape[0], shape[1]));
        }
        self.start = Tensor::from_data(TensorData::new(start, shape), &self.start.device());
        Ok(())
    }

    /// Returns mean and largest distance from the start, and the Riemannian length of the gradient: `[3]`.
    pub fn way(&self, model: &ByT5, gradients: &GradientSum) -> Tensor<1> {
        let points = model.geometry().map_or_else(|| self.start.clone(), |own| own.parameters().0.val().inner());
        let ways = self.ball.distance(points.clone(), self.start.clone());
        let gradient = match gradients.by_name.get(&self.name) {
            Some(gradient) => self.ball.gradient_length(points, gradient.clone()),
            None => Tensor::zeros([1], &self.start.device()),
        };
        Tensor::cat(vec![ways.clone().mean(), ways.max(), gradient], 0)
    }

    /// Moves the points, unless their first step is yet to come, and removes their gradient.
    pub fn update(
        &mut self,
        model: &mut ByT5,
        optimiser: &mut Optimiser,
        gradients: &mut GradientSum,
        update: &StepUpdate,
    ) {
        let Some(gradient) = gradients.by_name.remove(&self.name) else { return };
        if update.number <= self.settings.rest {
            return;
        }
        let own = model.parameters_mut().into_iter().find(|(place, _)| is_points(place.group));
        let Some((_, mut value)) = own else { return };
        self.steps += 1;
        let PointsSettings { clip, pull, .. } = self.settings;
        let (points, of_points) = (value.tensor(), update.of_points(self.steps));
        let gradient = self.ball.clipped(points.clone(), gradient, clip);
        let (mut points, mut moments) =
            self.ball.adam(points, gradient, optimiser.moments.remove(&self.name), &of_points);
        if pull > 0.0 {
            (points, moments) = self.ball.pulled(points, self.start.clone(), of_points.rate * pull, moments);
        }
        value.set(points, Some(true));
        optimiser.moments.insert(self.name.clone(), moments);
    }
}

fn is_points(part: TranslatorPart) -> bool {
    part == TranslatorPart::Points
}
