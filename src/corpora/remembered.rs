//! Published translations of the edited lines nearest to a passage, with their places and differences.

use super::parallels::side_by_side;
use super::place;
use super::state::Corpora;
use crate::frame::clipboard;
use crate::kit::format;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{
    CarriedOver, CorpusRequest, PassageEvent, RememberedRun, RememberedTranslation, TranslationPiece,
};

/// Similarity from which the published translation stands above the machine's. On the validation pairs its score grows
/// with similarity, and from here on it is at least the machine's; below, the two cannot be told apart
/// (`docs/context.md`).
const MIN_SIMILARITY_ABOVE: f32 = 0.45;
/// Similarity below which a published translation above the machine's carries a caution: just below, it scores a third
/// of what it scores above 0.9 (`docs/context.md`).
const MIN_SIMILARITY_WITHOUT_CAUTION: f32 = 0.6;
/// Similarity below which no published translation is shown.
const MIN_SIMILARITY: f32 = 0.25;

/// Place of a published translation relative to the machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Above: similar enough to be the better answer.
    Above,
    /// Below, folded.
    Below,
}

/// The published translation nearest to a passage, if it belongs at this place beside the machine's.
#[component]
pub fn Remembered(
    /// Source text of the passage, as the translator reads it.
    source: String,
    /// Place of this view.
    at: Beside,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    let asked = source.clone();
    Effect::new(move |_| {
        if corpora.is_ready() {
            corpora.look_source_up(&asked);
        }
    });
    let found = Memo::new(move |_| {
        let found = corpora.remembered.with(|all| all.get(&source).cloned().flatten());
        found.filter(|found| belongs(found.similarity) == Some(at))
    });
    move || found.get().map(|found| shown(workbench, &found, at))
}

/// Returns the similarity of the nearest edited passage with a translation, once it is known. Tracked as a signal.
pub fn likeness(corpora: Corpora, source: &str) -> Option<f32> {
    corpora.remembered.with(|all| all.get(source)?.as_ref().map(|found| found.similarity))
}

/// Returns `true` if a translation of this similarity stands above the machine's.
pub fn stands_above(similarity: f32) -> bool {
    belongs(similarity) == Some(Beside::Above)
}

/// Returns the place of a translation of this similarity; `None` if it is not shown.
fn belongs(similarity: f32) -> Option<Beside> {
    match similarity {
        similarity if similarity >= MIN_SIMILARITY_ABOVE => Some(Beside::Above),
        similarity if similarity >= MIN_SIMILARITY => Some(Beside::Below),
        _ => None,
    }
}

fn shown(workbench: Workbench, found: &RememberedTranslation, at: Beside) -> AnyView {
    let like = format::percent(found.similarity);
    // Such a translation may belong to a passage that only shares words with this one.
    let caution = match found.similarity < MIN_SIMILARITY_WITHOUT_CAUTION {
        true => format!(", which is only {like} like this one and may speak of something else:"),
        false => format!(", which is {like} like this one:"),
    };
    let runs = found.runs.iter().map(|run| run_of(workbench, run)).collect_view();
    match at {
        Beside::Above => view! {
            <div class="remembered" data-similarity=found.similarity.to_string()>
                <p class="hint">{whose(found)}{caution}</p>
                {runs}
            </div>
        }
        .into_any(),
        Beside::Below => view! {
            <details class="remembered" data-similarity=found.similarity.to_string()>
                <summary class="hint">
                    {format!("The nearest passage with a translation is only {like} like this one")}
                </summary>
                {runs}
            </details>
        }
        .into_any(),
    }
}

/// Names the source of the translation.
fn whose(found: &RememberedTranslation) -> AnyView {
    match found.runs.iter().any(|run| run.edition.own) {
        true => view! {
            <span class="badge" data-badge="own">"Yours"</span>
            " Translation of the nearest passage among your own texts"
        }
        .into_any(),
        false => view! {
            <span class="badge" data-badge="published">"Published"</span>
            " Translation of the nearest edited passage"
        }
        .into_any(),
    }
}

/// Returns an ellipsis before a translation that begins within a sentence or name: editions are cut by lines of the
/// tablet.
fn before(translation: &str) -> &'static str {
    if translation.starts_with(char::is_lowercase) { "… " } else { "" }
}

/// Words after which no sentence ends.
const UNFINISHED_ENDINGS: [&str; 16] =
    ["a", "an", "and", "by", "for", "from", "his", "in", "my", "of", "or", "the", "to", "who", "with", "your"];

/// Returns an ellipsis after a translation that ends within a sentence: editions are cut by lines of the tablet.
fn after(translation: &str) -> &'static str {
    let translation = translation.trim_end();
    let last = translation.rsplit(char::is_whitespace).next().unwrap_or_default();
    if translation.ends_with([',', ';', ':']) || UNFINISHED_ENDINGS.contains(&last) { " …" } else { "" }
}

fn run_of(workbench: Workbench, run: &RememberedRun) -> impl IntoView + use<> {
    let RememberedRun { edition, translation, carried, columns } = run;
    let (before, after) = (before(translation), after(translation));
    let citation = format!(
        "“{before}{translation}{after}” ({}, {})",
        place::citation(edition),
        place::licence_of_translation(edition)
    );
    let name = place::name(edition);
    view! {
        <p class="published" lang="en">
            {before}
            {pieces(run)}
            {after}
        </p>
        {carried_over(carried)}
        <p class="quoted" lang="akk-Latn">{side_by_side(columns)}</p>
        <p class="source-of">
            {place::place(edition)}
            <button
                type="button"
                class="quiet"
                aria-label=format!("Copy the published translation of {name}")
                on:click=move |_| clipboard::copy(workbench, citation.clone(), "The published translation")
            >
                "Copy"
            </button>
        </p>
    }
}

/// Draws the translation with carried-over names and numbers marked.
fn pieces(run: &RememberedRun) -> impl IntoView + use<> {
    let piece = |piece: TranslationPiece| {
        let text = piece.text.to_owned();
        match piece.published {
            Some(published) => view! { <ins title=format!("As published: {published}")>{text}</ins> }.into_any(),
            None => text.into_any(),
        }
    };
    run.pieces().into_iter().map(piece).collect_view()
}

/// Lists the names and numbers carried over from the user's passage, with those of the edited text.
fn carried_over(carried: &[CarriedOver]) -> Option<impl IntoView + use<>> {
    let one = |one: &CarriedOver| {
        view! {
            <li>
                <ins>{one.text.clone()}</ins>
                " for "
                <span lang="akk-Latn">{one.asked.clone()}</span>
                ", where the edited text has "
                <span lang="akk-Latn">{one.attested.clone()}</span>
            </li>
        }
    };
    let all = carried.iter().map(one).collect_view();
    (!carried.is_empty()).then(|| {
        view! {
            <div class="hint carried">
                "Carried over from your text by the machine, not published so:"
                <ul>{all}</ul>
            </div>
        }
    })
}

impl Corpora {
    /// Returns `true` while something is being looked up. Tracked as a signal.
    pub fn is_looking_up(self) -> bool {
        self.remembered.with(|all| all.values().any(Option::is_none))
    }

    /// Looks up the translation nearest to a passage, once.
    pub fn look_source_up(self, source: &str) {
        self.look_up(source, self.remembered, CorpusRequest::Remembered, |event| match event {
            PassageEvent::Remembered(found) => Some(found),
            _ => None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_like_enough_stands_above() {
        assert_eq!(
            [0.9, 0.45, 0.4, 0.1].map(belongs),
            [Some(Beside::Above), Some(Beside::Above), Some(Beside::Below), None]
        );
    }
}
