//! Doubts about a machine translation, whatever probability the machine gives it: the reasons to hold it back, the
//! notice in its place with a button that shows it all the same, and warnings below a translation that is shown.

use crate::corpora::clauses;
use crate::corpora::remembered::{Beside, likeness};
use crate::corpora::state::Corpora;
use crate::kit::format;
use crate::kit::timing::on_next_frame;
use crate::restore::export::line_number;
use crate::translate::Translating;
use crate::translate::state::passages::{self, PassageKey, PassageSignal};
use crate::translate::state::rendering::{Doubt, Rendering};
use crate::translate::state::translator::{SHIPPED, TranslatorVersion};
use leptos::html::P;
use leptos::prelude::*;
use std::collections::BTreeMap;
use tuppum_protocol::translation::quantities::{Amount, Disagreement, Quantity};
use tuppum_protocol::translation::{Candidate, ShownWord};
use tuppum_text::Document;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Minimum similarity of the nearest edited passage. Below it, fewer than half of the words were right even in those
/// validation pairs of which the shipped translator expected more (`docs/translator.md`): it is overconfident there.
const MIN_SIMILARITY: f32 = 0.4;
/// Minimum similarity for translations by earlier versions, which invented most of a passage below it.
const MIN_SIMILARITY_OF_EARLIER: f32 = 0.5;
/// Expected share of right words from which an Old Assyrian line is trusted. The translator learnt little Old Assyrian
/// but clauses: of a hundred lines none at or above this share was plainly wrong, and nine of the twenty below it were
/// (`docs/old-assyrian.md`).
const MIN_EXPECTED_RIGHT: f32 = 0.7;
/// Similarity to an edited passage from which the translator may know an Old Assyrian passage from training.
const KNOWN_SIMILARITY: f32 = 0.7;

/// Stores doubts as soon as the lookups that they rest on are there.
pub fn follow_doubts(translating: Translating) {
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
    Some(reason(
        likeness(corpora, source)?,
        min_similarity(&rendering.made.model),
        clauses::place(corpora, source),
        right,
    ))
}

/// Returns the minimum similarity of the nearest edited passage for this version of the shipped translator.
fn min_similarity(version: &TranslatorVersion) -> f32 {
    if *version == TranslatorVersion::present(SHIPPED) { MIN_SIMILARITY } else { MIN_SIMILARITY_OF_EARLIER }
}

/// Returns the reason to doubt a translation. `like` is the similarity of the nearest edited passage, `unlike` its
/// minimum, `clauses` where the formulary's clauses are shown, `right` the expected share of right words.
fn reason(like: f32, unlike: f32, clauses: Option<Beside>, right: Option<f32>) -> Option<Doubt> {
    let unsure = right.filter(|right| *right < MIN_EXPECTED_RIGHT);
    match (clauses, unsure) {
        (Some(Beside::Above), _) if like < KNOWN_SIMILARITY => Some(Doubt::OldAssyrian),
        (Some(Beside::Below), Some(right)) if like < KNOWN_SIMILARITY => Some(Doubt::UnsureInFormulary(right)),
        _ if like < unlike => Some(Doubt::Unlike(like)),
        _ => None,
    }
}

/// The notice; empty unless the translation is held back.
#[component]
pub fn HeldBack(key: StoredValue<PassageKey>, standing: PassageSignal) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let reason = Memo::new(move |_| {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, _)| rendering.is_held_back())?;
            why_held_back(rendering)
        })
    });
    let body = NodeRef::<P>::new();
    let show = move |_| {
        let passage = body.get_untracked().and_then(|body| body.closest(".passage").ok().flatten());
        key.with_value(|key| translating.change_passage(key, |rendering| rendering.asked_for = true));
        // The button is gone by then: the focus moves to the first word, for those who use the keyboard.
        on_next_frame(move || {
            let word = passage.and_then(|passage| passage.query_selector(".english [data-word]").ok().flatten());
            if let Some(word) = word.and_then(|word| word.dyn_into::<HtmlElement>().ok()) {
                // `focus` never fails for an element of the page.
                let _ = word.focus();
            }
        });
    };
    move || {
        let reason = reason.get()?;
        Some(view! {
            <p node_ref=body class="held-back">
                {format!("The machine’s translation is held back: {reason}")} " "
                <button type="button" class="quiet" on:click=show>
                    "Show it all the same"
                </button>
            </p>
        })
    }
}

/// Returns the reason why the translation is held back.
fn why_held_back(rendering: &Rendering) -> Option<String> {
    let candidate = rendering.candidate()?;
    if let Some(right) = candidate.right.filter(|_| candidate.held_back) {
        return Some(format!(
            "about {} of the words of such a translation are right, the rest is invented.",
            format::percent(right)
        ));
    }
    Some(match rendering.doubt? {
        Doubt::Unlike(like) => format!(
            "nothing like this passage has been edited with a translation (the nearest is {} like it), and of such \
             passages it gets more than half of the words wrong.",
            format::percent(like)
        ),
        Doubt::OldAssyrian => {
            "this is Old Assyrian, of which it learnt little; the clauses of the formulary are right far more often."
                .to_owned()
        }
        Doubt::UnsureInFormulary(right) => format!(
            "a part of this stands in clauses of the Old Assyrian formulary; of such lines it learnt little, and it \
             expects only {} of its words to be right.",
            format::percent(right)
        ),
    })
}

/// Share of an equal share of attention below which a line counts as left out.
const MIN_ATTENTION_RATIO: f32 = 0.25;

/// Ratio of English to source, in bytes, below which a translation counts as short: 19 of 20 pairs of the validation
/// set have a higher one.
const MIN_LENGTH_RATIO: f32 = 0.5;

/// Warnings about a passage.
#[component]
pub fn Warnings(standing: PassageSignal) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let corpora = translating.workbench.corpora;
    let unlike = move || {
        let (source, least) = standing.with(|one| {
            let (rendering, now) = one.as_ref()?;
            let is_machines = rendering.own_wording().is_none() && !rendering.is_unfinished() && now.is_some();
            let is_machines = is_machines && !rendering.is_held_back();
            let version = &rendering.made.model;
            (is_machines && version.is_shipped())
                .then(|| (rendering.translated.source.clone(), min_similarity(version)))
        })?;
        let likeness = likeness(corpora, &source).filter(|likeness| *likeness < least)?;
        Some(format!(
            "Nothing like this passage has been edited with a translation (the nearest is {} like it): expect the \
             machine to invent.",
            format::percent(likeness)
        ))
    };
    let left_out = move || {
        let document = translating.workbench.text.document.get();
        standing.with(|one| {
            let (rendering, now) = one.as_ref()?;
            let lines = left_out(&document, rendering.candidate()?, &rendering.translated.words);
            let now = now
                .as_ref()
                .filter(|_| rendering.own_wording().is_none() && !rendering.is_held_back() && !lines.is_empty())?;
            let names = lines.iter().filter(|line| now.lines.contains(line));
            let names: Vec<String> = names.map(|line| passages::lines_of(&document, &(*line..line + 1))).collect();
            let lines = if names.len() == 1 { "line" } else { "lines" };
            (!names.is_empty()).then(|| {
                format!("The English hardly looks at {lines} {}: it may leave out what stands there.", names.join(", "))
            })
        })
    };
    let short = move || {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, now)| {
                now.is_some() && rendering.own_wording().is_none() && !rendering.is_held_back()
            })?;
            let share = times_as_long(&rendering.candidate()?.text, &rendering.translated.source);
            let words = "The English is less than half as long as the transliteration, as only 1 in 20 editions has \
                         it: it may leave something out.";
            (share < MIN_LENGTH_RATIO && !rendering.is_unfinished()).then_some(words)
        })
    };
    let weights = move || {
        standing.with(|one| {
            let (rendering, _) = one.as_ref().filter(|(rendering, now)| now.is_some() && !rendering.is_held_back())?;
            let source = &rendering.translated.source;
            (!rendering.is_unfinished()).then(|| weights_differ(source, rendering.text())).flatten()
        })
    };
    let warning = |kind: &'static str, words: String| {
        view! { <p class="hint doubt" data-doubt=kind>"⚠ " {words}</p> }
    };
    view! {
        {move || unlike().map(|words| warning("unlike", words))}
        {move || left_out().or_else(|| short().map(str::to_owned)).map(|words| warning("left-out", words))}
        {move || weights().map(|words| warning("weights", words))}
    }
}

/// Weights named in a warning at most, of each language.
const MAX_NAMED: usize = 3;

/// Returns a warning if the English has another weight in place of one of the source. Weights that only one of the two
/// has are passed over, and so are counted things: editions often leave out, repeat or round them.
fn weights_differ(source: &str, english: &str) -> Option<String> {
    let Disagreement { missing, added } = Disagreement::of(source, english);
    let named = |text: &str, all: &[Quantity]| {
        let weights = all.iter().filter(|own| matches!(own.amount, Amount::Weight(_))).take(MAX_NAMED);
        weights.filter_map(|own| text.get(own.bytes.clone())).map(|words| format!("“{words}”")).collect::<Vec<_>>()
    };
    let (missing, added) = (named(source, &missing), named(english, &added));
    (!missing.is_empty() && !added.is_empty()).then(|| {
        let (missing, added) = (missing.join(", "), added.join(", "));
        format!("Weights differ: {missing} is not in the English; {added} is not in the transliteration.")
    })
}

/// Returns the length of a translation divided by that of its source, in bytes.
fn times_as_long(translation: &str, source: &str) -> f32 {
    translation.len() as f32 / source.len().max(1) as f32
}

/// Returns the lines of the document, counted from 0, that a translation of several lines hardly attends to: all
/// English words together give them less than a quarter of what uniform attention would give.
fn left_out(document: &Document, candidate: &Candidate, source: &[ShownWord]) -> Vec<usize> {
    let mut lines: BTreeMap<usize, (f32, usize)> = BTreeMap::new();
    let mut all = 0.0;
    for (place, word) in source.iter().enumerate() {
        let Some(line) = line_number(document, word.signs.start) else { continue };
        let looked: f32 = candidate.words.iter().filter_map(|word| word.attention.get(place)).sum();
        let (sum, words) = lines.entry(line).or_default();
        *sum += looked;
        *words += 1;
        all += looked;
    }
    // Attention is not always stored; without it nothing can be said.
    if all <= 0.0 || lines.len() < 2 {
        return Vec::new();
    }
    let equal = all / source.len() as f32;
    let is_left_out = |(_, (sum, words)): &(&usize, &(f32, usize))| *sum < MIN_ATTENTION_RATIO * equal * *words as f32;
    lines.iter().filter(is_left_out).map(|(line, _)| *line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::rendering::examples::rendering;

    #[test]
    fn an_earlier_version_is_doubted_sooner() {
        let earlier = TranslatorVersion::from("models/translator/@b9ce8e8c".to_owned());
        assert!(min_similarity(&TranslatorVersion::present(SHIPPED)) < min_similarity(&earlier));
    }

    #[test]
    fn a_weight_in_place_of_another_is_named() {
        assert_eq!(weights_differ("10 ma-na 4 GIN₂ ub-lam", "He brought 10 minas 4 shekels."), None);
        assert_eq!(weights_differ("2/3 ma-na", "40 shekels"), None, "the same weight");
        assert_eq!(
            weights_differ("1 GIN₂ la₂ i-di₂-in", "He gave nothing to the 3 men"),
            None,
            "left out, not changed"
        );
        let told = weights_differ("10 ma-na KU₃.BABBAR 4 TUG₂", "12 minas of silver, 5 textiles");
        let words = "Weights differ: “10 ma-na” is not in the English; “12 minas” is not in the transliteration.";
        assert_eq!(told.as_deref(), Some(words));
    }

    #[test]
    fn what_nothing_is_like_and_what_is_old_assyrian_is_doubted() {
        let reason = |like, clauses, right| reason(like, MIN_SIMILARITY, clauses, right);
        assert_eq!(reason(0.3, None, Some(0.9)), Some(Doubt::Unlike(0.3)));
        assert_eq!(reason(0.6, None, Some(0.6)), None);
        assert_eq!(reason(0.6, Some(Beside::Above), Some(0.9)), Some(Doubt::OldAssyrian));
        assert_eq!(reason(0.8, Some(Beside::Above), Some(0.6)), None, "it may know it from an edition");
        assert_eq!(reason(0.6, Some(Beside::Below), Some(0.6)), Some(Doubt::UnsureInFormulary(0.6)));
        assert_eq!(reason(0.6, Some(Beside::Below), Some(0.9)), None, "it is sure");
        assert_eq!(reason(0.6, Some(Beside::Below), None), None, "where nothing was measured, nothing is known");
    }

    #[test]
    fn a_line_that_no_word_looks_at_is_left_out() {
        let document = Document::read("1. a-na LUGAL\n2. um-ma PA");
        // Words of the test rendering attend to the source word with the same number.
        let mut own = rendering(0, "a-na LUGAL um-ma PA", &["to the king", "to the king thus Nabu"]);
        let signs = [0..2, 2..3, 3..5, 5..6];
        own.translated.words.iter_mut().zip(signs).for_each(|(word, signs)| word.signs = signs);
        let of = |candidate: usize| left_out(&document, &own.translated.candidates[candidate], &own.translated.words);
        assert_eq!(of(1), Vec::<usize>::new());
        let mut short = own.translated.candidates[0].clone();
        short.words.truncate(2);
        assert_eq!(left_out(&document, &short, &own.translated.words), [1]);
        short.words.iter_mut().for_each(|word| word.attention.clear());
        assert_eq!(left_out(&document, &short, &own.translated.words), Vec::<usize>::new());
    }
}
