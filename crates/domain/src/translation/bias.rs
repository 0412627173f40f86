//! A hyperbolic bias that a run attaches to its base model: its initial points, the layers it reaches, the curvature of
//! its ball and its initial strength.

use crate::error::PlanProblem;
use crate::training::{are_above_zero, are_not_negative};
use serde::{Deserialize, Serialize};

/// Initial points of a new bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BiasPoints {
    /// A point per byte, each byte standing for its most frequent sign and reading.
    #[default]
    Hard,
    /// A point per byte, at the expected distances between all signs and readings that contain the byte.
    Soft,
    /// A point per sign and per reading of the sign list.
    Signs,
    /// A point per sign and reading, with signs that occur together drawn together: a determinative and its noun, a
    /// logogram and its syllables.
    Context,
    /// The points of [`BiasPoints::Hard`] in flat Euclidean space: a control that shows the effect of curvature.
    Flat,
}

/// Distances of the letters of {d} and UTU before any training. In the source of the bias the determinative helps to
/// read the noun, so a bias should draw the two together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExampleDistances {
    /// Least and greatest distance of a letter of {d} from one of UTU.
    pub between: [f64; 2],
    /// Median distance of all pairs.
    pub median: f64,
}

impl ExampleDistances {
    /// Returns `true` if even the farthest letters of the example are nearer than half of all pairs.
    pub fn are_drawn_together(&self) -> bool {
        self.between[1] < self.median
    }
}

impl BiasPoints {
    /// Returns the distances of the example for the shipped points, as in `docs/geometry.md`.
    pub fn example(self) -> ExampleDistances {
        let (between, median) = match self {
            Self::Hard => ([3.00, 3.01], 2.99),
            Self::Soft => ([0.22, 0.37], 0.51),
            Self::Signs => ([6.02, 6.02], 5.96),
            Self::Context => ([3.11, 3.11], 5.97),
            Self::Flat => ([2.06, 2.06], 2.04),
        };
        ExampleDistances { between, median }
    }

    /// Returns the distances of neighbours in two phrases that share the sign UD, averaged over their bytes: {d} to UTU
    /// in “a-na {d}UTU”, and na to u₄ in “a-na u₄-mi”. For points that know which signs occur together the first is
    /// shorter.
    pub fn contrast(self) -> [f64; 2] {
        match self {
            Self::Hard => [3.00, 2.98],
            Self::Soft => [0.29, 0.26],
            Self::Signs => [6.02, 6.24],
            Self::Context => [3.11, 6.32],
            Self::Flat => [2.06, 2.01],
        }
    }

    pub const ALL: [Self; 5] = [Self::Hard, Self::Soft, Self::Signs, Self::Context, Self::Flat];

    /// Returns the name of the file of the points, in `assets/geometry` and beside the page.
    pub fn file(self) -> &'static str {
        match self {
            Self::Hard | Self::Flat => "byte-points-hard.safetensors",
            Self::Soft => "byte-points-soft.safetensors",
            Self::Signs => "sign-points.safetensors",
            Self::Context => "context-points.safetensors",
        }
    }

    /// Returns `true` if there is a point per sign and reading, not per byte.
    pub fn are_over_signs(self) -> bool {
        matches!(self, Self::Signs | Self::Context)
    }

    /// Returns the name in files, on the command line and in the page's forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Soft => "soft",
            Self::Signs => "signs",
            Self::Context => "context",
            Self::Flat => "flat",
        }
    }

    /// Returns the points of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|points| points.name() == name)
    }

    /// Returns a short description of the points.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hard => "By bytes, hard",
            Self::Soft => "By bytes, soft",
            Self::Signs => "By signs",
            Self::Context => "By signs, with their company",
            Self::Flat => "Flat, as a control",
        }
    }

    /// Returns the explanation of the points' effect on attention, with the example {d} and UTU.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Hard => {
                "Each byte takes the place of its most frequent sign. Nearly all bytes are then equally far apart: the \
                 letters of {d} and those of UTU stand at the greatest distance, 3.00, so this bias pushes them apart."
            }
            Self::Soft => {
                "Each byte takes a place among all the signs that it occurs in, so distances differ by degrees: the \
                 letters of {d} and those of UTU are 0.22 to 0.37 apart, where half of all pairs are farther than 0.51."
            }
            Self::Signs => {
                "Each sign and each reading of the sign list has a place. Readings of one sign are 3 apart, those of \
                 different signs 6, as are {d} and UTU; the bytes of a reading are all at one place."
            }
            Self::Context => {
                "The signs and readings of “signs”, but what the corpora write together is drawn together: a \
                 determinative and its noun, a logogram and the syllables that it is read as. {d} and UTU are 3.11 \
                 apart, where half of all pairs are farther than 5.97."
            }
            Self::Flat => {
                "The places of “hard” in flat space: a control that shows whether the curvature matters or only the \
                 additional numbers."
            }
        }
    }
}

/// A bias to attach in place of the base model's own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BiasSettings {
    /// Initial points.
    pub points: BiasPoints,
    /// Number of encoder blocks that it reaches, from the first on.
    pub layers: usize,
    /// Negated curvature of the ball; ignored for flat points.
    pub curvature: f64,
    /// Initial strength.
    pub alpha: f32,
}

impl Default for BiasSettings {
    /// Returns a bias with hard points over four blocks, curvature -1 and strength 0.1.
    fn default() -> Self {
        Self { points: BiasPoints::Hard, layers: 4, curvature: 1.0, alpha: 0.1 }
    }
}

impl BiasSettings {
    /// Returns the negated curvature that the points are used with.
    pub fn space(&self) -> f64 {
        if self.points == BiasPoints::Flat { 0.0 } else { self.curvature }
    }

    /// Checks that every number is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        if self.layers == 0 {
            return Err(PlanProblem::BiasLayers);
        }
        if self.points != BiasPoints::Flat {
            are_above_zero(&[("curvature of the bias", self.curvature)])?;
        }
        are_not_negative(&[("strength α of the bias", f64::from(self.alpha))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |bias: BiasSettings, said: &str| {
            let problem = bias.check().unwrap_err().to_string();
            assert!(problem.contains(said), "{problem}");
        };
        let usual = BiasSettings::default();
        assert_eq!(usual.check(), Ok(()));
        check(BiasSettings { layers: 0, ..usual }, "reaches no encoder block");
        check(BiasSettings { curvature: 0.0, ..usual }, "curvature of the bias is 0; it must be above 0");
        check(BiasSettings { alpha: f32::NAN, ..usual }, "strength α of the bias is NaN");
        let flat = BiasSettings { points: BiasPoints::Flat, curvature: 0.0, ..usual };
        assert_eq!((flat.check(), flat.space()), (Ok(()), 0.0));
    }

    #[test]
    fn points_are_found_by_their_names() {
        for points in BiasPoints::ALL {
            assert_eq!(BiasPoints::named(points.name()), Some(points));
            assert_eq!(serde_json::to_string(&points).unwrap(), format!("\"{}\"", points.name()));
        }
        assert_eq!(BiasPoints::named("round"), None);
    }
}
