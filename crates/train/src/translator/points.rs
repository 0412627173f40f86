//! How the points of the hyperbolic bias learn: by Riemannian Adam in their ball, at a rate of their own, with a cut of
//! their gradient of its own, from a step of their own, and, where the plan wants it, pulled back to where they began.

use crate::ball::PoincareBall;
use crate::gradient_sum::GradientSum;
use crate::optimiser::{Optimiser, StepUpdate};
use crate::riemannian_adam::RiemannianAdam;
use burn::tensor::{Tensor, TensorData};
use tuppum_nn::byt5::ByT5;
use tuppum_tasks::translation::points::PointsSettings;
use tuppum_tasks::translation::training::{TranslatorPart, TranslatorTrainingSettings};

/// The points of a run that learn.
#[derive(Debug)]
pub struct LearntPoints {
    /// The tensor's name.
    pub name: String,
    /// Where the run began with them, without gradients: `[points, dimensions]`.
    pub start: Tensor<2>,
    /// Steps that they have made.
    pub steps: u32,
    ball: PoincareBall,
    settings: PointsSettings,
}

impl LearntPoints {
    /// Those of a model, as they are now; `None` where there are none or they are frozen.
    pub fn of(model: &mut ByT5, settings: &TranslatorTrainingSettings) -> Option<Self> {
        let ball = PoincareBall::new(model.geometry()?.curvature());
        if settings.frozen.contains(&TranslatorPart::Points) {
            return None;
        }
        let (place, value) = model.parameters_mut().into_iter().find(|(place, _)| is_points(place.group))?;
        Some(Self { name: place.name, start: value.tensor(), steps: 0, ball, settings: settings.points })
    }

    /// Goes on after so many steps, from a start that was kept; a run whose file has none counts the way from where it
    /// goes on.
    ///
    /// # Errors
    /// Says that there are not as many numbers as the points have.
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

    /// Mean and largest way from the start, and the Riemannian length of the gradient: `[3]`.
    pub fn way(&self, model: &ByT5, gradients: &GradientSum) -> Tensor<1> {
        let points = model.geometry().map_or_else(|| self.start.clone(), |own| own.parameters().0.val().inner());
        let ways = self.ball.distance(points.clone(), self.start.clone());
        let gradient = match gradients.by_name.get(&self.name) {
            Some(gradient) => self.ball.gradient_length(points, gradient.clone()),
            None => Tensor::zeros([1], &self.start.device()),
        };
        Tensor::cat(vec![ways.clone().mean(), ways.max(), gradient], 0)
    }

    /// Moves the points, unless they still rest, and takes their gradient out.
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
