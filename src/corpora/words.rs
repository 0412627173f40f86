//! The words of the text: lemma and meaning beneath each word, as in an interlinear edition, with all lemmata of the
//! selected line; and the names among the words, with kinds and evidence.

use crate::corpora::card::{LookUpCard, of_present};
use crate::corpora::state::{Corpora, CorpusState};
use crate::frame::clipboard;
use crate::kit::format;
use crate::restore::export::{label_of_line, line_number};
use crate::restore::state::Workbench;
use crate::restore::state::text::LINES_AT_ONCE;
use crate::restore::state::text::Text;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::gloss::{part_of_speech, table};
use tuppum_protocol::{Gloss, GlossedLine, GlossedWord, KindProbability, NameEvidence, SpellingMatch, WordName};

/// The card with the words of the text.
#[component]
pub fn Glosses() -> impl IntoView {
    view! { <LookUpCard id="glosses" title="Words and meanings" look=Corpora::look_words_up found=glossed_words /> }
}

/// Returns the glossed words of the present text; empty if they were not looked up.
pub fn of_the_present(workbench: Workbench) -> Arc<Vec<GlossedLine>> {
    untrack(|| of_present(workbench, workbench.corpora.glossed)).unwrap_or_default()
}

fn glossed_words(workbench: Workbench) -> AnyView {
    let corpora = workbench.corpora;
    let lines = Memo::new(move |_| of_present(workbench, corpora.glossed));
    let chosen = Memo::new(move |_| {
        let sign = workbench.text.selected.get()?;
        let line = workbench.text.document.with(|document| line_number(document, sign))?;
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
            <p class="hint">{gloss_statement(&found)}</p>
            <ol class="interlinear" tabindex="0" aria-label="The text with its words and meanings">
                {found.iter().take(LINES_AT_ONCE).map(|line| interlinear(workbench.text, line)).collect_view()}
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
fn gloss_statement(lines: &[GlossedLine]) -> String {
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

fn interlinear(text: Text, line: &GlossedLine) -> impl IntoView + use<> {
    let label = text
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
    let table = workbench.text.document.with_untracked(|document| table(document, lines));
    clipboard::copy(workbench, table, "The table of words");
}

/// Maximum number of names listed.
const MAX_NAMES: usize = 200;
/// Maximum number of kinds shown for a name.
const MAX_KINDS: usize = 3;
/// Probability below which further kinds of a name are not shown.
const MIN_KIND_PROBABILITY: f32 = 0.01;

/// The card with the names of the text.
#[component]
pub fn Names() -> impl IntoView {
    view! { <LookUpCard id="text-names" title="Names" look=Corpora::look_words_up found=named_words /> }
}

/// A name with the label of its line.
type Labelled = (String, GlossedWord, WordName);

fn named_words(workbench: Workbench) -> AnyView {
    let corpora = workbench.corpora;
    let proposes = corpora.state.with(|state| matches!(state, CorpusState::Ready(report) if report.proposes_names));
    let names = Memo::new(move |_| {
        of_present(workbench, corpora.glossed).map(|lines| {
            let label = |line: usize| {
                workbench.text.document.with_untracked(|document| {
                    document.lines.get(line).map(|line| label_of_line(document, line)).unwrap_or_default()
                })
            };
            let named = lines.iter().flat_map(|line| {
                let label = label(line.line);
                let named = |word: &GlossedWord| word.name.clone().map(|name| (label.clone(), word.clone(), name));
                line.words.iter().filter_map(named).collect::<Vec<Labelled>>()
            });
            named.collect::<Vec<Labelled>>()
        })
    });
    let body = move || match names.get() {
        None => view! { <p class="hint">"Looking for names …"</p> }.into_any(),
        Some(names) if names.is_empty() => view! {
            <p class="hint" data-state="none">"No word of this text seems to be a name."</p>
        }
        .into_any(),
        Some(names) => view! {
            <p class="hint">{name_statement(&names, proposes)}</p>
            {name_table(&names)}
        }
        .into_any(),
    };
    body.into_any()
}

/// Describes the number of names and their evidence.
fn name_statement(names: &[Labelled], proposes: bool) -> String {
    let of = |by: fn(&NameEvidence) -> bool| names.iter().filter(|(_, _, name)| by(&name.by)).count();
    let guessed = of(|by| matches!(by, NameEvidence::Proposed));
    let determined = of(|by| matches!(by, NameEvidence::Determinative));
    let own = of(|by| matches!(by, NameEvidence::Own { .. }));
    let parts = [
        (names.len() - guessed - determined - own, "from the lexicon of Oracc (CC0)"),
        (own, "from your own lists"),
        (determined, "by their determinative"),
        (guessed, "guessed by a model from spelling and neighbours"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> =
        parts.map(|(count, whence)| format!("{} {whence}", format::count(*count as u64))).collect();
    let mut statement = format!("{}: {}", format::plural(names.len(), "name", "names"), parts.join(", "));
    statement.push_str(". Underlined in the text, and marked in its TEI; your own lists of names (page “Models”) win.");
    if !proposes {
        statement.push_str(" These corpora came without the model that proposes names.");
    }
    if names.len() > MAX_NAMES {
        statement.push_str(&format!(" The first {MAX_NAMES} are listed."));
    }
    statement
}

fn name_table(names: &[Labelled]) -> impl IntoView + use<> {
    let row = |(label, word, name): &Labelled| {
        let is_guess = matches!(name.by, NameEvidence::Proposed);
        view! {
            <tr data-name=word.written.clone() class:guess=is_guess>
                <td>{label.clone()}</td>
                <th scope="row" lang="akk-Latn">{word.written.clone()}</th>
                <td>{kinds(&name.kinds)}</td>
                <td>{evidence(&word.written, name)}</td>
            </tr>
        }
    };
    view! {
        <div class="scrolled" tabindex="0" role="region" aria-label="The names of the text">
            <table id="name-list" class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Line"</th>
                        <th scope="col">"Word"</th>
                        <th scope="col">"Name of"</th>
                        <th scope="col">"Known by"</th>
                    </tr>
                </thead>
                <tbody>{names.iter().take(MAX_NAMES).map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}

/// Formats the kinds of a name: `settlement 93 %, region 5 %`.
fn kinds(kinds: &[KindProbability]) -> String {
    let shown = kinds
        .iter()
        .take(MAX_KINDS)
        .enumerate()
        .filter(|(at, kind)| *at == 0 || kind.probability >= MIN_KIND_PROBABILITY);
    let parts = shown.map(|(_, kind)| match kind.probability {
        sure if sure >= 1.0 && kinds.len() == 1 => kind.kind.to_string(),
        share => format!("{} {}", kind.kind, format::percent(share)),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Describes the evidence for the kind of a name.
fn evidence(written: &str, name: &WordName) -> String {
    match &name.by {
        NameEvidence::Lexicon { spelling, name, count } => {
            let spelled = if spelling == written { "so".to_owned() } else { format!("as {spelling}") };
            format!("{name}, {} {spelled} in the lexicon", format::plural(*count as usize, "time", "times"))
        }
        NameEvidence::Own { name, by: SpellingMatch::AsSpelt, .. } => format!("{name}, in your list"),
        NameEvidence::Own { spelling, by, name, .. } => format!("{name}, in your list as {spelling}: {}", by.name()),
        NameEvidence::Determinative => "its determinative; no list has the name".to_owned(),
        NameEvidence::Proposed => "a model’s guess".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::NameKind;
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
        assert!(gloss_statement(&lines).starts_with("1 of 2 legible words"), "{}", gloss_statement(&lines));
    }

    #[test]
    fn kinds_and_evidence_are_told_in_words() {
        let kind = |kind, probability| KindProbability { kind, probability };
        let both = [kind(NameKind::Settlement, 0.93), kind(NameKind::Region, 0.065), kind(NameKind::God, 0.005)];
        assert_eq!(kinds(&both), "settlement 93\u{202f}%, region 6.5\u{202f}%");
        assert_eq!(kinds(&[kind(NameKind::Person, 1.0)]), "person");
        let told = |written: &str, by| evidence(written, &WordName { kinds: both[..1].to_vec(), by });
        let lexicon = NameEvidence::Lexicon { spelling: "{URU}NINA".into(), name: "Ninua".into(), count: 5 };
        assert_eq!(told("{URU}ni-nu-a", lexicon), "Ninua, 5 times as {URU}NINA in the lexicon");
        let [spelling, name, rendering] = ["be-er-ru", "Berru", "Berru"].map(str::to_owned);
        let own = NameEvidence::Own { spelling, by: SpellingMatch::Determinatives, name, rendering };
        assert_eq!(told("{d}be-er-ru", own), "Berru, in your list as be-er-ru: determinatives aside");
        assert!(told("{ID₂}qu-ur-za", NameEvidence::Determinative).starts_with("its determinative"));
        let guess = WordName { kinds: both.to_vec(), by: NameEvidence::Proposed };
        assert_eq!(evidence("qu-ur-za", &guess), "a model’s guess");
    }
}
