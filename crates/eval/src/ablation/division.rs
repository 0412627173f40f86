//! Division of a corpus's pairs for an ablation.

use super::Ingredients;
use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings};
use tuppum_random::Random;

/// Weight of supplementary pairs.
pub const HALF: f32 = 0.5;

/// Pairs of an ablation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Division {
    /// Pairs that every arm trains with.
    pub drawn: Vec<TranslationPair>,
    /// Additional pairs of the arms with more data, at half weight.
    pub supplementary: Vec<TranslationPair>,
    /// Pairs to measure with.
    pub measured: Vec<TranslationPair>,
}

impl Division {
    /// Divides the pairs of a plan. Pairs that the plan would hold out are measured with. Half of the pairs that it
    /// would train with, drawn by the plan's seed, is the data of every arm; the other half is supplementary, and so is
    /// every pair of less than full weight.
    pub fn of(plan: &TranslatorTrainingPlan) -> Self {
        let [mut trained, measured] =
            plan.split().map(|side| side.iter().map(|number| plan.pairs[*number].clone()).collect::<Vec<_>>());
        Random::new(plan.settings.seed).shuffle(&mut trained);
        let (whole, mut supplementary): (Vec<TranslationPair>, Vec<TranslationPair>) =
            trained.into_iter().partition(|pair| pair.weight >= 1.0);
        let mut drawn = whole;
        supplementary.extend(drawn.split_off(drawn.len().div_ceil(2)));
        supplementary.iter_mut().for_each(|pair| pair.weight = HALF);
        Self { drawn, supplementary, measured }
    }

    /// Returns the training plan of one arm with a seed.
    pub fn plan(&self, arm: &Ingredients, seed: u64, settings: &TranslatorTrainingSettings) -> TranslatorTrainingPlan {
        let augmented = if arm.augmentation { settings.augmented } else { 0.0 };
        let settings =
            TranslatorTrainingSettings { seed, augmented, held_out: 0.0, bias: arm.bias, ..settings.clone() };
        let supplementary = if arm.data { self.supplementary.as_slice() } else { &[] };
        TranslatorTrainingPlan { pairs: [self.drawn.as_slice(), supplementary].concat(), settings }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ARMS;
    use super::*;

    #[test]
    fn no_pair_is_on_two_sides_and_none_is_lost() {
        let pairs =
            (0..60).map(|number| TranslationPair::new(format!("text {}", number / 3), format!("a-na {number}"), "to"));
        let plan = TranslatorTrainingPlan { pairs: pairs.collect(), ..TranslatorTrainingPlan::default() };
        let division = Division::of(&plan);
        let Division { drawn, supplementary, measured } = &division;
        let mut sources: Vec<&str> =
            drawn.iter().chain(supplementary).chain(measured).map(|pair| pair.source.as_str()).collect();
        sources.sort_unstable();
        sources.dedup();
        assert_eq!(sources.len(), 60);
        assert!(!measured.is_empty() && drawn.len() - supplementary.len() <= 1, "{} {}", drawn.len(), measured.len());
        assert!(supplementary.iter().all(|pair| pair.weight == HALF));
        assert_eq!(Division::of(&plan), division);
        let other = TranslatorTrainingPlan {
            settings: TranslatorTrainingSettings { seed: 2, ..TranslatorTrainingSettings::default() },
            ..plan
        };
        assert_ne!(Division::of(&other).drawn, *drawn, "another seed draws others");
        assert_eq!(Division::of(&other).measured, *measured, "and measures on the same");
    }

    #[test]
    fn an_arm_has_its_ingredients_and_nothing_more() {
        let pairs: Vec<TranslationPair> =
            (0..8).map(|number| TranslationPair::new(number.to_string(), "a-na", "to")).collect();
        let division =
            Division { drawn: pairs[..5].to_vec(), supplementary: pairs[5..].to_vec(), ..Division::default() };
        for arm in &ARMS {
            let plan = division.plan(arm, 7, &TranslatorTrainingSettings::default());
            let TranslatorTrainingSettings { seed, held_out, augmented, bias, .. } = plan.settings;
            assert_eq!((seed, held_out, bias), (7, 0.0, arm.bias), "{}", arm.name);
            assert_eq!((plan.pairs.len() == 8, augmented > 0.0), (arm.data, arm.augmentation), "{}", arm.name);
        }
    }
}
