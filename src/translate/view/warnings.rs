//! Warnings about a passage's translation: no similar passage was ever edited, or the English hardly attends to some of
//! its lines.

use super::doubt::unlike;
use crate::corpora::remembered::likeness;
use crate::restore::export::line_number;
use crate::shell::format;
use crate::translate::Translating;
use crate::translate::state::labels;
use crate::translate::state::standing::Standing;
use leptos::prelude::*;
use std::collections::BTreeMap;
use tuppum_protocol::translation::{Candidate, ShownWord};
use tuppum_text::Document;

/// Share of an equal share of attention below which a line counts as left out.
const HARDLY: f32 = 0.25;

/// Ratio of English to source, in bytes, below which a translation counts as short: 19 of 20 pairs of the validation
/// set have a higher one.
const SHORT: f32 = 0.5;

/// Warnings about a passage.
#[component]
pub fn Warnings(standing: Standing) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let corpora = translating.workbench.corpora;
    let unlike = move || {
        let (source, least) = standing.with(|one| {
            let (rendering, now) = one.as_ref()?;
            let is_machines = rendering.own_wording().is_none() && !rendering.is_unfinished() && now.is_some();
            let is_machines = is_machines && !rendering.is_held_back();
            let version = &rendering.made.model;
            (is_machines && version.is_shipped()).then(|| (rendering.translated.source.clone(), unlike(version)))
        })?;
        let likeness = likeness(corpora, &source).filter(|likeness| *likeness < least)?;
        Some(format!(
            "Nothing like this passage has been edited with a translation (the nearest is {} like it): expect the \
             machine to invent.",
            format::percent(likeness)
        ))
    };
    let left_out = move || {
        let document = translating.workbench.document.get();
        standing.with(|one| {
            let (rendering, now) = one.as_ref()?;
            let lines = left_out(&document, rendering.candidate()?, &rendering.translated.words);
            let now = now
                .as_ref()
                .filter(|_| rendering.own_wording().is_none() && !rendering.is_held_back() && !lines.is_empty())?;
            let names = lines.iter().filter(|line| now.lines.contains(line));
            let names: Vec<String> = names.map(|line| labels::lines_of(&document, &(*line..line + 1))).collect();
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
            (share < SHORT && !rendering.is_unfinished()).then_some(words)
        })
    };
    let warning = |kind: &'static str, words: String| {
        view! { <p class="hint doubt" data-doubt=kind>"⚠ " {words}</p> }
    };
    view! {
        {move || unlike().map(|words| warning("unlike", words))}
        {move || left_out().or_else(|| short().map(str::to_owned)).map(|words| warning("left-out", words))}
    }
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
    let is_left_out = |(_, (sum, words)): &(&usize, &(f32, usize))| *sum < HARDLY * equal * *words as f32;
    lines.iter().filter(is_left_out).map(|(line, _)| *line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::state::toy::rendering;

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
