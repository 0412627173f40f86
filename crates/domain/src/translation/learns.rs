//! The trained part of a translator as one choice; settings express it by adapters and frozen parts.

use super::training::{LoraSettings, TranslatorPart, TranslatorTrainingSettings};
use crate::error::PlanProblem;
use serde::{Deserialize, Serialize};

/// Trained part of a translator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Learns {
    /// The model, its bias included.
    #[default]
    Whole,
    /// LoRA adapters of the maps of attention, and the bias.
    Adapters,
    /// The bias alone: its points and its strength.
    Bias,
}

impl Learns {
    pub const ALL: [Self; 3] = [Self::Whole, Self::Adapters, Self::Bias];

    /// Returns the name in files, on the command line and in the page's forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Adapters => "adapters",
            Self::Bias => "bias",
        }
    }
}

/// Parts of a translator except its bias.
const BESIDE_THE_BIAS: [TranslatorPart; 5] = [
    TranslatorPart::Embeddings,
    TranslatorPart::Encoder,
    TranslatorPart::Decoder,
    TranslatorPart::Head,
    TranslatorPart::Positions,
];

impl TranslatorTrainingSettings {
    /// Returns the trained part. A model of which only some parts are frozen counts as a whole.
    pub fn learns(&self) -> Learns {
        if self.adapters.is_some() {
            Learns::Adapters
        } else if BESIDE_THE_BIAS.iter().all(|part| self.frozen.contains(part)) {
            Learns::Bias
        } else {
            Learns::Whole
        }
    }

    /// Returns settings that train this part; existing adapters are kept if adapters are wanted.
    pub fn learning(mut self, what: Learns) -> Self {
        self.adapters = (what == Learns::Adapters).then(|| self.adapters.unwrap_or_default());
        match what {
            Learns::Bias => self.frozen.extend(BESIDE_THE_BIAS),
            Learns::Whole | Learns::Adapters if self.learns() == Learns::Bias => {
                self.frozen.retain(|part| !BESIDE_THE_BIAS.contains(part));
            }
            Learns::Whole | Learns::Adapters => {}
        }
        self
    }

    /// Returns `true` if a checkpoint can leave the model out, since none of its own numbers change. Such a run needs
    /// its base model to go on.
    pub fn keeps_the_base(&self) -> bool {
        self.learns() != Learns::Whole
    }

    /// Checks that the settings of the bias are in range and consistent.
    ///
    /// # Errors
    /// Names the problem.
    pub(super) fn check_bias(&self) -> Result<(), PlanProblem> {
        if let Some(LoraSettings { rank, strength }) = self.adapters
            && !((1..=LoraSettings::MAX_RANK).contains(&rank) && strength.is_finite() && strength > 0.0)
        {
            return Err(PlanProblem::Adapters { rank, strength, most: LoraSettings::MAX_RANK });
        }
        if !self.bias && (self.attach.is_some() || self.learns() == Learns::Bias) {
            return Err(PlanProblem::NoBias);
        }
        self.attach.map_or(Ok(()), |bias| bias.check())
    }
}

#[cfg(test)]
mod tests {
    use super::super::bias::{BiasPoints, BiasSettings};
    use super::*;

    #[test]
    fn what_is_to_learn_learns() {
        let usual = TranslatorTrainingSettings::default();
        for what in Learns::ALL {
            for then in Learns::ALL {
                let settings = usual.clone().learning(what).learning(then);
                assert_eq!((settings.learns(), settings.check()), (then, Ok(())), "{what:?}, then {then:?}");
                assert_eq!(serde_json::to_string(&then).unwrap(), format!("\"{}\"", then.name()));
            }
            assert_eq!(usual.clone().learning(what).learning(Learns::Whole), usual);
        }
        let alone = usual.clone().learning(Learns::Bias);
        assert!(!alone.frozen.contains(&TranslatorPart::Points) && !alone.frozen.contains(&TranslatorPart::Alpha));
        assert!(alone.keeps_the_base() && !usual.keeps_the_base());
        let rank_4 = Some(LoraSettings { rank: 4, strength: 8.0 });
        let adapters = TranslatorTrainingSettings { adapters: rank_4, ..usual };
        assert_eq!(adapters.learning(Learns::Adapters).adapters, rank_4);
    }

    #[test]
    fn no_bias_goes_with_no_wish_for_one() {
        let usual = TranslatorTrainingSettings { bias: false, ..TranslatorTrainingSettings::default() };
        assert_eq!(usual.check(), Ok(()));
        assert_eq!(usual.clone().learning(Learns::Bias).check(), Err(PlanProblem::NoBias));
        let attached = TranslatorTrainingSettings { attach: Some(BiasSettings::default()), ..usual };
        assert_eq!(attached.check(), Err(PlanProblem::NoBias));
        let none = BiasSettings { layers: 0, ..BiasSettings::default() };
        let attached = TranslatorTrainingSettings { bias: true, attach: Some(none), ..attached };
        assert_eq!(attached.check(), Err(PlanProblem::BiasLayers));
    }

    #[test]
    fn a_bias_to_attach_is_stored_with_the_plan() {
        let json = r#"{"attach": {"points": "soft", "alpha": 0.2}}"#;
        let read: TranslatorTrainingSettings = serde_json::from_str(json).unwrap();
        let soft = BiasSettings { points: BiasPoints::Soft, alpha: 0.2, ..BiasSettings::default() };
        assert_eq!(read.attach, Some(soft));
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<TranslatorTrainingSettings>(&written).unwrap(), read);
    }
}
