//! Why little is to be expected of a machine translation, whatever the machine thinks of it: nothing like the passage
//! was ever edited with a translation, or it is Old Assyrian that the formulary has, which is right far more often.

use super::rendering::{Doubt, Rendering};
use super::shipped::SHIPPED;
use super::version::TranslatorVersion;
use crate::corpora::clauses;
use crate::corpora::remembered::{Beside, likeness};
use crate::corpora::state::Corpora;
use crate::translate::Translating;
use leptos::prelude::*;

/// Where the nearest edited passage is less like than this, less than half of the words were right even in those
/// validation pairs of which the shipped translator expected more (`docs/translator.md`): there it is too sure.
const UNLIKE: f32 = 0.4;
/// The same for translations by earlier versions, which invented most of such passages.
const UNLIKE_BEFORE: f32 = 0.5;
/// Of a hundred lines of Old Assyrian, of which it learnt little else than clauses, none was plainly wrong where it
/// expected this share of its words to be right, and nine of the other twenty (`docs/old-assyrian.md`).
const SURE: f32 = 0.7;
/// An Old Assyrian passage that is so like an edited one may be known to the translator from it.
const KNOWN: f32 = 0.7;

/// Notes doubts as soon as what they rest on is looked up.
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

/// Whether a finished translation by the shipped translator is doubted, and why; none as long as the nearest edited
/// passage is not looked up. The user's own texts can take a doubt away. Followed as a signal.
fn doubt(corpora: Corpora, rendering: &Rendering) -> Option<Option<Doubt>> {
    if rendering.is_unfinished() || !rendering.made.model.is_shipped() {
        return None;
    }
    let source = &rendering.translated.source;
    let right = rendering.candidate().and_then(|candidate| candidate.right);
    Some(reason(likeness(corpora, source)?, unlike(&rendering.made.model), clauses::place(corpora, source), right))
}

/// How like the nearest edited passage must be at least for a translation by this version of the shipped translator.
pub fn unlike(version: &TranslatorVersion) -> f32 {
    if *version == TranslatorVersion::present(SHIPPED) { UNLIKE } else { UNLIKE_BEFORE }
}

/// The reason to doubt, from how like the nearest edited passage is and must be, where the formulary's clauses of the
/// passage stand, and the share of words that are expected to be right.
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
