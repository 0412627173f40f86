//! Options for the learning of the hyperbolic bias's points.

use clap::Args;
use tuppum_domain::translation::training::{TranslatorPart, TranslatorTrainingSettings};

/// Options for the points.
#[derive(Args, Clone, Debug, Default)]
pub struct PointsArguments {
    /// Leave the points of the hyperbolic bias where they are; its strength still learns.
    #[arg(long, conflicts_with_all = ["points_rate", "points_after", "points_clip", "points_pull"])]
    freeze_points: bool,
    /// Learning rate of the points, as a multiple of the learning rate of the weights. In a step a point moves at most
    /// by about the product of both, in the ball's own measure.
    #[arg(long)]
    points_rate: Option<f64>,
    /// Number of steps at the beginning in which the points rest.
    #[arg(long, value_name = "STEPS")]
    points_after: Option<u32>,
    /// Maximum length of the gradient of all points together, in the ball's own measure; weights do not count here, nor
    /// points among the weights.
    #[arg(long, value_name = "LENGTH")]
    points_clip: Option<f64>,
    /// Strength of the pull of the points back to where the run began: in each step their learning rate times this, as
    /// a share of the way. 0 for none.
    #[arg(long, value_name = "STRENGTH")]
    points_pull: Option<f64>,
}

impl PointsArguments {
    /// Overwrites the settings with the options that are given.
    pub fn write_over(&self, settings: &mut TranslatorTrainingSettings) {
        if self.freeze_points {
            settings.frozen.insert(TranslatorPart::Points);
        }
        settings.optimiser.points_rate = self.points_rate.or(settings.optimiser.points_rate);
        let points = &mut settings.points;
        points.rest = self.points_after.unwrap_or(points.rest);
        points.clip = self.points_clip.unwrap_or(points.clip);
        points.pull = self.points_pull.unwrap_or(points.pull);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use tuppum_domain::translation::points::PointsSettings;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        points: PointsArguments,
    }

    fn settings(line: &[&str]) -> TranslatorTrainingSettings {
        let mut settings = TranslatorTrainingSettings::default();
        let line = Line::try_parse_from([&["train"], line].concat()).unwrap();
        line.points.write_over(&mut settings);
        settings
    }

    #[test]
    fn what_is_not_said_stays() {
        assert_eq!(settings(&[]), TranslatorTrainingSettings::default());
        let all = ["--points-rate", "4", "--points-after", "200", "--points-clip", "0.5", "--points-pull", "2"];
        let found = settings(&all);
        assert_eq!(found.optimiser.points_rate, Some(4.0));
        assert_eq!(found.points, PointsSettings { rest: 200, clip: 0.5, pull: 2.0 });
        assert!(found.frozen.is_empty());
    }

    #[test]
    fn frozen_points_have_no_rate() {
        assert_eq!(settings(&["--freeze-points"]).frozen, [TranslatorPart::Points].into());
        assert!(Line::try_parse_from(["train", "--freeze-points", "--points-rate", "4"]).is_err());
    }
}
