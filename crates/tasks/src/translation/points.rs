//! How the points of a translator's hyperbolic bias learn, and how far they have come.

use crate::error::PlanProblem;
use crate::training::{are_above_zero, are_not_negative};
use serde::{Deserialize, Serialize};

/// How the points of the hyperbolic bias learn. Whether they do at all is said by `frozen` among the
/// [settings](super::training::TranslatorTrainingSettings), their rate by `points_rate` among those of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PointsSettings {
    /// Steps at the beginning of the run in which the points rest while all else learns.
    pub rest: u32,
    /// Largest Riemannian length of the gradient of all points together; longer ones are scaled to it. Weights do not
    /// count here, nor points among theirs.
    pub clip: f64,
    /// Strength of the pull back to where the run began with them: in a step each point goes its learning rate times
    /// this, as a share, of the geodesic back. 0 lets them go.
    pub pull: f64,
}

impl Default for PointsSettings {
    /// Points learn from the first step and are not pulled back.
    fn default() -> Self {
        Self { rest: 0, clip: 1.0, pull: 0.0 }
    }
}

impl PointsSettings {
    /// Whether all is as usual.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether every number makes sense.
    ///
    /// # Errors
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        are_above_zero(&[("longest gradient of the points", self.clip)])?;
        are_not_negative(&[("pull of the points", self.pull)])
    }
}

/// How far the points of the hyperbolic bias are from where the run began with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointsMoved {
    /// Mean way, along geodesics.
    pub mean: f32,
    /// The largest way.
    pub largest: f32,
    /// Riemannian length of the gradient of all points together, before it was cut.
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
        // A step that was noted before points moved.
        let step =
            r#"{"number":1,"of":2,"epoch":0,"loss":3.5,"rate":0.1,"gradient_norm":1,"alpha":0.1,"bytes":9,"pairs":1}"#;
        assert_eq!(serde_json::from_str::<Step>(step).unwrap().points, None);
    }
}
