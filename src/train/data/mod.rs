//! Training data of the user, read and counted: pairs for a translator, texts for a restorer. `pairs` and `texts`
//! import and read them, `columns` assigns the columns of a table of pairs, and `preview` shows how training augments
//! them.

pub mod columns;
pub mod import;
pub mod pairs;
pub mod preview;
pub mod texts;

use std::sync::Arc;
use tuppum_protocol::LongestPair;
use tuppum_protocol::restoring::RestorerTrainingPlan;
use tuppum_protocol::texts::Text;
use tuppum_text::pair_table::{Damage, ImportedPairs};

/// A corpus divided into training and held-out pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedPairs {
    /// Pairs, and rows left out.
    pub corpus: ImportedPairs,
    /// Numbers of training pairs and of held-out pairs.
    pub split: [usize; 2],
    /// Indices of pairs that are left out because a training pair has the same source; they would have been held out.
    pub leaks: Vec<usize>,
    /// Number of pairs that are too long to train on.
    pub too_long: usize,
    /// Lengths of the longest source and target among the pairs that are used.
    pub longest: LongestPair,
}

/// Texts for a restorer, with counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedTexts {
    pub texts: Vec<Text>,
    /// Numbers of training texts and of held-out texts.
    pub split: [usize; 2],
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
        let split = plan.split().map(|side| side.len());
        let (too_small, damage) = (plan.texts.len() - split[0] - split[1], plan.damage());
        let lines = plan.texts.iter().map(|text| text.lines.len()).sum();
        Self { texts: plan.texts, split, too_small, lines, damage }
    }
}

/// A corpus or texts that others replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedText {
    pub text: Arc<str>,
    /// Name of the file; empty for pasted text.
    pub file: String,
}

impl ReplacedText {
    /// Returns the text to remember when `next` replaces `present`, and `before` was remembered so far. An empty text
    /// and one that is equal to `next` are not remembered.
    pub fn of(present: Self, next: &str, before: Option<Self>) -> Option<Self> {
        match () {
            () if *present.text == *next => before,
            () if present.text.trim().is_empty() => before.filter(|before| *before.text != *next),
            () => Some(present),
        }
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
        assert_eq!((prepared.texts.len(), prepared.lines, prepared.too_small, prepared.split), (3, 4, 1, [1, 1]));
        assert!(prepared.damage.rate().is_some_and(|rate| rate > 0.0 && rate < 0.5));
        assert_eq!(PreparedTexts::of(texts("")).split, [0, 0]);
    }

    fn named(text: &str) -> ReplacedText {
        ReplacedText { text: text.into(), file: String::new() }
    }

    #[test]
    fn what_was_typed_is_remembered_until_something_else_was() {
        assert_eq!(ReplacedText::of(named("mine"), "sample", None), Some(named("mine")));
        assert_eq!(ReplacedText::of(named("mine"), "", None), Some(named("mine")), "clearing too");
        assert_eq!(
            ReplacedText::of(named(" "), "sample", Some(named("mine"))),
            Some(named("mine")),
            "nothing replaced"
        );
        assert_eq!(ReplacedText::of(named("same"), "same", Some(named("mine"))), Some(named("mine")));
        assert_eq!(ReplacedText::of(named(""), "mine", Some(named("mine"))), None, "it is back");
        assert_eq!(ReplacedText::of(named("sample"), "mine", Some(named("mine"))), Some(named("sample")), "and forth");
    }
}
