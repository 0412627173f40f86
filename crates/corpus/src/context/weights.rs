//! Fitted weights of a witness's features and of the network beside all witnesses.

use super::agreement::REACH;
use super::features::{COUNT, EACH};
use std::fmt;

/// Largest ln of a witness's weight.
const HEAVIEST: f32 = 18.0;
/// Smallest ln of a witness's weight.
const LIGHTEST: f32 = -10.0;

/// Weights θ of the features, and ln κ of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub(super) features: Vec<f32>,
    pub(super) network: f32,
}

/// The text is not a list of the right number of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// Number of weights found.
    pub found: usize,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Weights of contexts are {} numbers, and {} were found.", COUNT + 1, self.found)
    }
}

impl std::error::Error for WeightsError {}

impl Default for Weights {
    /// Returns the weights from which fitting starts: e^½ for every sign that agrees without a break.
    fn default() -> Self {
        let mut features = vec![0.0; COUNT];
        let runs = REACH + 1;
        let first = 2 * REACH * super::agreement::Agreement::COUNT;
        for left in 0..runs {
            for right in 0..runs {
                features[first + left * runs + right] = 0.5 * (left + right) as f32;
            }
        }
        Self { features, network: 3.0 }
    }
}

impl Weights {
    /// Returns the compiled-in weights, fitted as in `docs/context.md`.
    pub fn shipped() -> Self {
        Self::parse(include_str!("weights.txt")).unwrap_or_default()
    }

    /// Returns the weight of a witness.
    #[inline]
    pub(super) fn of(&self, features: &[u16; EACH]) -> f32 {
        let sum: f32 = features.iter().map(|feature| self.features[usize::from(*feature)]).sum();
        sum.clamp(LIGHTEST, HEAVIEST).exp()
    }

    /// Returns the weight κ of the network.
    pub fn of_network(&self) -> f32 {
        self.network.exp()
    }

    /// Writes the weights as text, one number a line: ln κ, then the features.
    pub fn written(&self) -> String {
        std::iter::once(self.network)
            .chain(self.features.iter().copied())
            .map(|number| format!("{number:.4}\n"))
            .collect()
    }

    /// Reads the text of [`Weights::written`].
    ///
    /// # Errors
    /// Fails if a line is not a number, or if there are too few or too many.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let numbers: Vec<f32> = text.lines().map_while(|line| line.trim().parse().ok()).collect();
        match numbers.split_first() {
            Some((network, features)) if features.len() == COUNT && numbers.iter().all(|number| number.is_finite()) => {
                Ok(Self { features: features.to_vec(), network: *network })
            }
            _ => Err(WeightsError { found: numbers.len() }),
        }
    }
}
