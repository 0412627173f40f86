//! Texts for a restorer, read and divided into training and held-out texts.

use tuppum_protocol::restoring::RestorerTrainingPlan;
use tuppum_protocol::texts::Text;
use tuppum_text::corpus::Damage;

/// Texts for a restorer, with counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedTexts {
    pub texts: Vec<Text>,
    /// Numbers of training texts and of held-out texts.
    pub sides: [usize; 2],
    /// Number of texts with too few legible signs to be used.
    pub too_small: usize,
    /// Number of lines.
    pub lines: usize,
    /// Damaged signs among all signs.
    pub damage: Damage,
}

impl PreparedTexts {
    /// Divides and counts the texts.
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
