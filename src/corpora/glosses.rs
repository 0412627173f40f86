//! The words of the text with lemma and meaning beneath them, as in an interlinear edition, and all lemmata of the
//! selected line.

use super::card::{LookUpCard, of_present};
use super::state::{Corpora, CorpusState};
use crate::frame::clipboard;
use crate::kit::format;
use crate::restore::export::{label_of_line, line_number};
use crate::restore::state::{LINES_AT_ONCE, Workbench};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::gloss::{part_of_speech, table};
use tuppum_protocol::{Gloss, GlossedLine, GlossedWord, NameEvidence, SpellingMatch};

/// The card with the words of the text.
#[component]
pub fn Glosses() -> impl IntoView {
    view! { <LookUpCard id="glosses" title="Words and meanings" look=Corpora::look_words_up found /> }
}

/// Returns the glossed words of the present text; empty if they were not looked up.
pub fn of_the_present(workbench: Workbench) -> Arc<Vec<GlossedLine>> {
    untrack(|| of_present(workbench, workbench.corpora.glossed)).unwrap_or_default()
}

fn found(workbench: Workbench) -> AnyView {
    let corpora = workbench.corpora;
    let lines = Memo::new(move |_| of_present(workbench, corpora.glossed));
    let chosen = Memo::new(move |_| {
        let sign = workbench.selected.get()?;
        let line = workbench.document.with(|document| line_number(document, sign))?;
        lines.get()?.iter().find(|glossed| glossed.line == line).cloned()
    });
    let lexicon = corpora.state.with(|state| matches!(state, CorpusState::Ready(report) if report.spellings > 0));
    let body = move || match lines.get() {
        _ if !lexicon => view! {
            <p class="hint" data-state="none">"These corpora came without a lexicon."</p>
        }
        .into_any(),
        None => view! { <p class="hint">"Looking the words up …"</p> }.into_any(),
        Some(found) => view! {
            <p class="hint">{statement(&found)}</p>
            <ol class="interlinear" tabindex="0" aria-label="The text with its words and meanings">
                {found.iter().take(LINES_AT_ONCE).map(|line| interlinear(workbench, line)).collect_view()}
            </ol>
            {move || chosen.get().map(|line| lemmata(&line))}
            <p class="buttons end">
                <button id="copy-glosses" type="button" on:click=move |_| copy_table(workbench, &found)>
                    "Copy the words as TSV"
                </button>
            </p>
        }
        .into_any(),
    };
    body.into_any()
}

/// Describes the number of words with a gloss and the marks beneath them.
fn statement(lines: &[GlossedLine]) -> String {
    let words = lines.iter().flat_map(|line| &line.words);
    let legible = words.filter(|word| word.is_legible && !word.is_number());
    let (mut all, mut found) = (0, 0);
    legible.for_each(|word| {
        all += 1;
        found += usize::from(!word.glosses.is_empty());
    });
    format!(
        "{} of {} (numbers aside) in the lexicon of Oracc (CC0): the commonest lemma under each spelling, not chosen \
         for this sentence. “≈” marks a spelling that is only like one of the lexicon, “+” further lemmata; choose a \
         sign to see them.",
        format::count(found as u64),
        format::plural(all, "legible word", "legible words")
    )
}

fn interlinear(workbench: Workbench, line: &GlossedLine) -> impl IntoView + use<> {
    let label = workbench
        .document
        .with_untracked(|document| document.lines.get(line.line).map(|line| label_of_line(document, line)));
    view! {
        <li data-line=line.line.to_string()>
            <span class="label">{label}</span>
            <span class="glossed-words">{line.words.iter().map(word_over_gloss).collect_view()}</span>
        </li>
    }
}

/// Draws a word above its commonest lemma and meaning.
fn word_over_gloss(word: &GlossedWord) -> impl IntoView + use<> {
    let lexicon = word.glosses.first().zip(word.found.as_ref());
    let (lemma, meaning, is_like, title) = match (word.name.as_ref().map(|name| &name.by), lexicon) {
        (Some(NameEvidence::Own { name, rendering, by, .. }), _) => {
            (name.clone(), rendering.clone(), *by != SpellingMatch::AsSpelt, format!("in your list ({})", by.name()))
        }
        (_, Some((Gloss { lemma, guide_word, part_of_speech: letters, count }, found))) => {
            let kind = part_of_speech(letters);
            let meaning = if guide_word.is_empty() { kind } else { guide_word };
            let title = format!("{kind}, {} ({})", times(*count), found.by.name());
            (lemma.clone(), meaning.to_owned(), found.by != SpellingMatch::AsSpelt, title)
        }
        _ if word.is_number() => ("·".to_owned(), "number".to_owned(), false, String::new()),
        _ => ("·".to_owned(), String::new(), false, String::new()),
    };
    let title = (!title.is_empty()).then_some(title);
    let marks = [is_like.then_some("≈"), (word.glosses.len() > 1).then_some("+")];
    let marks: String = marks.into_iter().flatten().collect();
    view! {
        <span class="glossed" title=title>
            <span class="word" lang="akk-Latn">{word.written.clone()}</span>
            <span class="lemma" lang="akk-Latn">{lemma} <small>{marks}</small></span>
            <span class="meaning" lang="en">{meaning}</span>
        </span>
        " "
    }
}

fn times(count: u32) -> String {
    format::plural(count as usize, "time", "times")
}

/// Draws all lemmata of the spellings in one line.
fn lemmata(line: &GlossedLine) -> impl IntoView + use<> {
    let rows = line.words.iter().flat_map(|word| {
        let how = word.found.as_ref().map(|found| match found.by {
            SpellingMatch::AsSpelt => String::new(),
            by => format!("as {}: {}", found.spelling, by.name()),
        });
        let written = word.written.clone();
        word.glosses.iter().enumerate().map(move |(rank, gloss)| {
            let (written, how) = if rank == 0 { (written.clone(), how.clone()) } else { Default::default() };
            view! {
                <tr>
                    <td lang="akk-Latn">{written}</td>
                    <td lang="akk-Latn">{gloss.lemma.clone()}</td>
                    <td lang="en">{gloss.guide_word.clone()}</td>
                    <td>{part_of_speech(&gloss.part_of_speech).to_owned()}</td>
                    <td class="figure">{times(gloss.count)}</td>
                    <td class="hint">{how}</td>
                </tr>
            }
        })
    });
    view! {
        <div class="scrolled" tabindex="0" role="region" aria-label="Lemmata of the chosen line">
            <table id="lemmata">
                <caption>"All lemmata under the spellings of the chosen line"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Word"</th>
                        <th scope="col">"Lemma"</th>
                        <th scope="col">"Meaning"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"Times"</th>
                        <th scope="col">"Found"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

fn copy_table(workbench: Workbench, lines: &Arc<Vec<GlossedLine>>) {
    let table = workbench.document.with_untracked(|document| table(document, lines));
    clipboard::copy(workbench, table, "The table of words");
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::Span;

    #[test]
    fn only_legible_words_are_counted() {
        let word = |is_legible: bool, is_numeral: bool, glosses: usize| GlossedWord {
            span: Span::default(),
            written: "LUGAL".into(),
            is_legible,
            is_numeral,
            found: None,
            glosses: vec![
                Gloss {
                    lemma: "šarru".into(),
                    guide_word: "king".into(),
                    part_of_speech: "N".into(),
                    count: 1
                };
                glosses
            ],
            name: None,
        };
        let lines = [GlossedLine {
            line: 0,
            words: vec![word(true, false, 2), word(true, false, 0), word(false, false, 0), word(true, true, 0)],
        }];
        assert!(statement(&lines).starts_with("1 of 2 legible words"), "{}", statement(&lines));
    }
}
