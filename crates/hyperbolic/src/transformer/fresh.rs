//! The first numbers of a Transformer, drawn from a seed: equal seeds give equal numbers, whatever else draws at the
//! time.

use super::forms::{Initialisation, LinearLayers};
use super::settings::{Space, TransformerSettings};
use burn::module::{ModuleMapper, Param};
use burn::tensor::{Tensor, TensorData};
use tuppum_random::Random;

/// Deviation of the space-like coordinates of the tokens' points, and height of the waves of positions.
const SPREAD: f64 = 0.25;
/// Bound of matrices and deviation of positions, as published.
const PUBLISHED_SPREAD: f64 = 0.02;
/// Length of the slowest wave of positions over that of the fastest (Vaswani et al., section 3.5).
const LONGEST_WAVE: f64 = 10_000.0;

/// Draws matrices and points; biases, norms and λ stay as they were made.
pub struct Drawing<'s> {
    settings: &'s TransformerSettings,
    draws: Random,
    path: Vec<String>,
    /// The points of tokens, where those of answers begin as the same.
    first_points: Vec<f32>,
}

impl<'s> Drawing<'s> {
    /// Returns the numbers of a seed.
    pub fn new(settings: &'s TransformerSettings, seed: u64) -> Self {
        Self { settings, draws: Random::new(seed), path: Vec::new(), first_points: Vec::new() }
    }

    /// Returns the numbers of a matrix.
    fn numbers(&mut self, rows: usize, columns: usize) -> Vec<f32> {
        let published = self.is_published();
        match self.path.last().map(String::as_str) {
            Some("tokens") => self.tokens(rows),
            // Scores of a Euclidean model are products, for which the usual spread keeps their size.
            Some("answers") if self.settings.space == Space::Euclidean => {
                self.points(rows, (self.settings.width as f64).powf(-0.5))
            }
            Some("answers") if published => self.first_points.clone(),
            Some("answers") => self.points(rows, SPREAD),
            Some("positions") if published => {
                (0..rows * columns).map(|_| (self.normal() * PUBLISHED_SPREAD) as f32).collect()
            }
            Some("positions") => waves(rows, columns, self.settings.width),
            _ => self.matrix(rows, columns),
        }
    }

    /// Returns `true` if the model begins as the published program does.
    fn is_published(&self) -> bool {
        self.settings.space == Space::Lorentz && self.settings.forms.initialisation == Initialisation::Published
    }

    /// Points that tokens are read as; those that begin as published are kept, since scores begin by the same.
    fn tokens(&mut self, rows: usize) -> Vec<f32> {
        if !self.is_published() {
            return self.points(rows, SPREAD);
        }
        // The exponential map of a direction at the origin: points 1 from it.
        let root = (-self.settings.curvature).sqrt();
        for _ in 0..rows {
            let drawn: Vec<f64> = (0..self.settings.width).map(|_| self.normal()).collect();
            let length = drawn.iter().map(|one| one * one).sum::<f64>().sqrt();
            self.first_points.push((root.cosh() / root) as f32);
            self.first_points.extend(drawn.iter().map(|one| (root.sinh() / root * one / length) as f32));
        }
        self.first_points.clone()
    }

    /// Normal coordinates; on the hyperboloid the time-like one comes before them.
    fn points(&mut self, rows: usize, spread: f64) -> Vec<f32> {
        let TransformerSettings { space, width, curvature, .. } = *self.settings;
        let mut numbers = Vec::with_capacity(rows * (width + 1));
        for _ in 0..rows {
            let coordinates: Vec<f32> = (0..width).map(|_| (self.normal() * spread) as f32).collect();
            if space == Space::Lorentz {
                let square: f64 = coordinates.iter().map(|one| f64::from(*one).powi(2)).sum();
                numbers.push((square - 1.0 / curvature).sqrt() as f32);
            }
            numbers.extend(coordinates);
        }
        numbers
    }

    /// Even numbers that keep lengths, or as published. A Lorentz layer begins without a weight for the time-like
    /// coordinate, as in the published code: it would add the same to all points.
    fn matrix(&mut self, rows: usize, columns: usize) -> Vec<f32> {
        let has_time = self.settings.space == Space::Lorentz && self.settings.forms.linear != LinearLayers::Tangent;
        let skipped = usize::from(has_time);
        let kept = (3.0 / (rows - skipped).max(1) as f64).sqrt();
        let bound = if self.is_published() { PUBLISHED_SPREAD } else { kept };
        let mut numbers = vec![0.0; skipped * columns];
        numbers.extend((0..(rows - skipped) * columns).map(|_| (bound * (2.0 * self.draws.uniform() - 1.0)) as f32));
        numbers
    }

    /// Returns a normal number by Box and Muller (1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.draws.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.draws.uniform()).cos()
    }
}

/// Sines and cosines of positions (Vaswani et al., section 3.5): where the learnt positions begin. Columns before the
/// last `width` are 0.
fn waves(places: usize, columns: usize, width: usize) -> Vec<f32> {
    let wave = |place: usize, column: usize| {
        let share = (column / 2 * 2) as f64 / width as f64;
        let angle = place as f64 / LONGEST_WAVE.powf(share);
        let height = if column.is_multiple_of(2) { angle.sin() } else { angle.cos() };
        (SPREAD * height) as f32
    };
    let of_place = |place| {
        let before = std::iter::repeat_n(0.0, columns - width);
        before.chain((0..width).map(move |column| wave(place, column)))
    };
    (0..places).flat_map(of_place).collect()
}

impl ModuleMapper for Drawing<'_> {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let shape = param.dims();
        let [rows, columns] = shape[..] else { return param };
        let numbers = self.numbers(rows, columns);
        Param::from_tensor(Tensor::from_data(TensorData::new(numbers, shape), &param.val().device()))
    }
}
