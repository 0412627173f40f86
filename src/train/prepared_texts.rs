//! The user's texts as they were read: what there is to learn from.

use tuppum_protocol::restoring::RestorerTrainingPlan;
use tuppum_protocol::texts::Text;
use tuppum_text::pair_table::Damage;

/// Texts as they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedTexts {
    /// All of them.
    pub texts: Vec<Text>,
    /// How many train, and how many are set aside.
    pub sides: [usize; 2],
    /// How many have too few signs that can be read.
    pub too_small: usize,
    /// How many lines they have.
    pub lines: usize,
    /// How much of them is damaged.
    pub damage: Damage,
}

impl PreparedTexts {
    /// What is to be known of these texts.
    pub fn of(texts: Vec<Text>) -> Self {
        let plan = RestorerTrainingPlan { texts, ..RestorerTrainingPlan::default() };
        let sides = plan.split().map(|side| side.len());
        let (too_small, damage) = (plan.texts.len() - sides[0] - sides[1], plan.damage());
        let lines = plan.texts.iter().map(|text| text.lines.len()).sum();
        Self { texts: plan.texts, sides, too_small, lines, damage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::texts::texts;

    #[test]
    fn texts_are_counted_and_divided() {
        let typed = "&P000001 = one\n1. a-na be-li₂-ia\n2. um-ma [x]\n&P000002 = two\n1. a-na A-šur i-di₂\n&P000003 = \
            three\n1. x\n";
        let prepared = PreparedTexts::of(texts(typed));
        assert_eq!((prepared.texts.len(), prepared.lines, prepared.too_small, prepared.sides), (3, 4, 1, [1, 1]));
        assert!(prepared.damage.rate().is_some_and(|rate| rate > 0.0 && rate < 0.5));
        assert_eq!(PreparedTexts::of(texts("")).sides, [0, 0]);
    }
}
