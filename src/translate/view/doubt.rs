//! Reasons to doubt a machine translation whatever probability the machine gives it: no similar passage was ever edited
//! with a translation, or the passage is Old Assyrian and in the formulary, which is right far more often.

use crate::corpora::clauses;
use crate::corpora::remembered::{Beside, likeness};
use crate::corpora::state::Corpora;
use crate::translate::Translating;
use crate::translate::state::rendering::{Doubt, Rendering};
use crate::translate::state::shipped::SHIPPED;
use crate::translate::state::version::TranslatorVersion;
use leptos::prelude::*;

/// Minimum similarity of the nearest edited passage. Below it, fewer than half of the words were right even in those
/// validation pairs of which the shipped translator expected more (`docs/translator.md`): it is overconfident there.
const UNLIKE: f32 = 0.4;
/// Minimum similarity for translations by earlier versions, which invented most of a passage below it.
const UNLIKE_BEFORE: f32 = 0.5;
/// Expected share of right words from which an Old Assyrian line is trusted. The translator learnt little Old Assyrian
/// but clauses: of a hundred lines none at or above this share was plainly wrong, and nine of the twenty below it were
/// (`docs/old-assyrian.md`).
const SURE: f32 = 0.7;
/// Similarity to an edited passage from which the translator may know an Old Assyrian passage from training.
const KNOWN: f32 = 0.7;

/// Stores doubts as soon as the lookups that they rest on are there.
pub fn watch(translating: Translating) {
    let corpora = translating.workbench.corpora;
    Effect::new(move |_| {
        let doubted: Vec<_> = translating.shown.with(|shown| {
            let present = shown.passages.iter().filter(|(_, now)| now.is_some());
            let changed = present.filter_map(|(rendering, _)| {
                let doubt = doubt(corpora, rendering)?;
                (doubt != rendering.doubt).then(|| (rendering.key(), doubt))
            });
            changed.collect()
        });
        for (key, doubt) in doubted {
            translating.note_doubt(&key, doubt);
        }
    });
}

/// Returns the doubt about a finished translation by the shipped translator, or `Some(None)` if there is none; `None`
/// while the nearest edited passage is not looked up, and for other translators. The user's own texts can remove a
/// doubt. Tracked as a signal.
fn doubt(corpora: Corpora, rendering: &Rendering) -> Option<Option<Doubt>> {
    if rendering.is_unfinished() || !rendering.made.model.is_shipped() {
        return None;
    }
    let source = &rendering.translated.source;
    let right = rendering.candidate().and_then(|candidate| candidate.right);
    Some(reason(likeness(corpora, source)?, unlike(&rendering.made.model), clauses::place(corpora, source), right))
}

/// Returns the minimum similarity of the nearest edited passage for this version of the shipped translator.
pub fn unlike(version: &TranslatorVersion) -> f32 {
    if *version == TranslatorVersion::present(SHIPPED) { UNLIKE } else { UNLIKE_BEFORE }
}

/// Returns the reason to doubt a translation. `like` is the similarity of the nearest edited passage, `unlike` its
/// minimum, `clauses` where the formulary's clauses are shown, `right` the expected share of right words.
fn reason(like: f32, unlike: f32, clauses: Option<Beside>, right: Option<f32>) -> Option<Doubt> {
    let unsure = right.filter(|right| *right < SURE);
    match (clauses, unsure) {
        (Some(Beside::Above), _) if like < KNOWN => Some(Doubt::OldAssyrian),
        (Some(Beside::Below), Some(right)) if like < KNOWN => Some(Doubt::UnsureInFormulary(right)),
        _ if like < unlike => Some(Doubt::Unlike(like)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_version_is_doubted_sooner() {
        let earlier = TranslatorVersion::from("models/translator/@b9ce8e8c".to_owned());
        assert!(unlike(&TranslatorVersion::present(SHIPPED)) < unlike(&earlier));
    }

    #[test]
    fn what_nothing_is_like_and_what_is_old_assyrian_is_doubted() {
        let reason = |like, clauses, right| reason(like, UNLIKE, clauses, right);
        assert_eq!(reason(0.3, None, Some(0.9)), Some(Doubt::Unlike(0.3)));
        assert_eq!(reason(0.6, None, Some(0.6)), None);
        assert_eq!(reason(0.6, Some(Beside::Above), Some(0.9)), Some(Doubt::OldAssyrian));
        assert_eq!(reason(0.8, Some(Beside::Above), Some(0.6)), None, "it may know it from an edition");
        assert_eq!(reason(0.6, Some(Beside::Below), Some(0.6)), Some(Doubt::UnsureInFormulary(0.6)));
        assert_eq!(reason(0.6, Some(Beside::Below), Some(0.9)), None, "it is sure");
        assert_eq!(reason(0.6, Some(Beside::Below), None), None, "where nothing was measured, nothing is known");
    }
}
