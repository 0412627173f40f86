//! Training of the points of a translator's hyperbolic bias, and the measure of how far they have moved.

use crate::error::PlanProblem;
use crate::training::{are_above_zero, are_not_negative};
use serde::{Deserialize, Serialize};

/// Settings of the training of the bias's points. `frozen` among the
/// [settings](super::training::TranslatorTrainingSettings) says if they train at all, `points_rate` of the optimiser is
/// their rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PointsSettings {
    /// Number of steps at the beginning in which the points rest while everything else trains.
    pub rest: u32,
    /// Largest Riemannian norm of the gradient of all points together; longer ones are scaled to it. Weights are
    /// clipped separately.
    pub clip: f64,
    /// Strength of the pull back to the initial points: in a step each point moves along the geodesic back by this
    /// times its learning rate, as a share. 0 is no pull.
    pub pull: f64,
}

impl Default for PointsSettings {
    /// Returns settings in which points train from the first step and are not pulled back.
    fn default() -> Self {
        Self { rest: 0, clip: 1.0, pull: 0.0 }
    }
}

impl PointsSettings {
    /// Returns `true` for the default settings.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that every number is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        are_above_zero(&[("longest gradient of the points", self.clip)])?;
        are_not_negative(&[("pull of the points", self.pull)])
    }
}

/// Distances of the bias's points from their initial places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointsMoved {
    /// Mean distance along geodesics.
    pub mean: f32,
    /// Largest distance.
    pub largest: f32,
    /// Riemannian norm of the gradient of all points together, before it was clipped.
    pub gradient: f32,
}

#[cfg(test)]
mod tests {
    use super::super::training::{Step, TranslatorTrainingSettings};
    use super::*;

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |points: PointsSettings, said: &str| {
            let settings = TranslatorTrainingSettings { points, ..TranslatorTrainingSettings::default() };
            let problem = settings.check().unwrap_err().to_string();
            assert!(problem.contains(said), "{problem}");
        };
        check(PointsSettings { clip: 0.0, ..PointsSettings::default() }, "longest gradient of the points is 0");
        check(PointsSettings { pull: -0.5, ..PointsSettings::default() }, "pull of the points is -0.5");
    }

    #[test]
    fn what_a_file_does_not_say_is_as_usual() {
        let points = r#"{"points": {"rest": 200}}"#;
        let read: TranslatorTrainingSettings = serde_json::from_str(points).unwrap();
        assert_eq!(read.points, PointsSettings { rest: 200, ..PointsSettings::default() });
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<TranslatorTrainingSettings>(&written).unwrap(), read);
        // A step recorded before points moved.
        let step =
            r#"{"number":1,"of":2,"epoch":0,"loss":3.5,"rate":0.1,"gradient_norm":1,"alpha":0.1,"bytes":9,"pairs":1}"#;
        assert_eq!(serde_json::from_str::<Step>(step).unwrap().points, None);
    }
}
