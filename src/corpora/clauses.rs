//! An Old Assyrian passage translated clause by clause with the formulary; other words are left as they are.

use super::remembered::Beside;
use super::state::Corpora;
use crate::kit::interaction::is_opened;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::{CorpusRequest, Cover, CoverPart, CoveredClause, PassageEvent};

/// Share of words in clauses from which the clauses stand above the machine's translation.
const MIN_SHARE_ABOVE: f64 = 0.6;
/// Share of words in clauses below which no clauses are shown.
const MIN_SHARE: f64 = 0.2;
/// Maximum number of texts named for a clause.
const MAX_TEXTS: usize = 2;

/// The clauses of a passage, if they belong at this place beside the machine's translation.
#[component]
pub fn Clauses(
    /// Source text of the passage, as the translator reads it.
    source: String,
    /// Place of this view.
    at: Beside,
) -> impl IntoView {
    let corpora = expect_context::<Workbench>().corpora;
    corpora.look_clauses_up(&source);
    let found = Memo::new(move |_| {
        let found = corpora.covers.with(|all| all.get(&source).cloned().flatten());
        found.filter(|found| belongs(found.share()) == Some(at))
    });
    move || found.get().map(|found| shown(found, at))
}

/// Returns the place for the clauses of a passage; `None` if it has too few or they are being looked up. Tracked as a
/// signal.
pub fn place(corpora: Corpora, source: &str) -> Option<Beside> {
    let share = corpora.covers.with(|all| all.get(source).and_then(|found| found.as_ref().map(|cover| cover.share())));
    share.and_then(belongs)
}

/// Returns the place for clauses that hold this share of the words.
fn belongs(share: f64) -> Option<Beside> {
    match share {
        share if share >= MIN_SHARE_ABOVE => Some(Beside::Above),
        share if share >= MIN_SHARE => Some(Beside::Below),
        _ => None,
    }
}

fn shown(cover: Arc<Cover>, at: Beside) -> AnyView {
    let coverage =
        format!("{} of {} words stand in clauses of the Old Assyrian formulary", cover.covered(), cover.words());
    let left = if cover.covered() == cover.words() { "" } else { " Other words are left as they stand." };
    let words = cover.covered().to_string();
    let parts = move || view! { <ul class="plain-list clauses">{cover.parts.iter().map(part).collect_view()}</ul> };
    match at {
        Beside::Above => view! {
            <div class="remembered" data-clauses=words>
                <p class="hint">
                    <span class="badge" data-badge="published" title="Clauses written by hand for Tuppum">
                        "Formulary"
                    </span>
                    {format!(" {coverage}, which are right far more often than the machine.{left}")}
                </p>
                {parts()}
            </div>
        }
        .into_any(),
        Beside::Below => {
            let is_open = RwSignal::new(false);
            view! {
                <details
                    class="remembered"
                    data-clauses=words
                    on:toggle=move |event| is_open.set(is_opened(&event))
                >
                    <summary class="hint">{coverage}</summary>
                    {move || is_open.get().then(&parts)}
                </details>
            }
            .into_any()
        }
    }
}

fn part(part: &CoverPart) -> AnyView {
    let words = part.words.join(" ");
    match &part.clause {
        Some(clause) => view! {
            <li>
                <span class="published" lang="en">
                    {clause.english.clone()}
                </span>
                <span class="quoted" lang="akk-Latn">
                    {words}
                </span>
                <span class="hint">{facts(clause)} " " {attested(clause)}</span>
            </li>
        }
        .into_any(),
        None => view! {
            <li class="left">
                <span class="quoted" lang="akk-Latn">
                    {words}
                </span>
                <span class="hint">"not in the formulary"</span>
            </li>
        }
        .into_any(),
    }
}

/// Draws links to texts that have the clause.
fn attested(clause: &CoveredClause) -> impl IntoView + use<> {
    let link = |text: &String| {
        view! {
            " "
            <a class="edition" href=format!("https://cdli.earth/{text}") target="_blank" rel="noopener noreferrer">
                {text.clone()}
                <span class="unseen">" (opens in a new tab)"</span>
            </a>
        }
    };
    let links = clause.texts.iter().take(MAX_TEXTS).map(link).collect_view();
    (!clause.texts.is_empty()).then(|| view! { "Stands in"{links} })
}

/// Describes a clause, with names in it that are unknown.
fn facts(clause: &CoveredClause) -> String {
    let CoveredClause { name, kind, slots, .. } = clause;
    let unknown: Vec<&str> = slots.iter().filter(|slot| !slot.is_known).map(|slot| slot.written.as_str()).collect();
    let unknown = match unknown.as_slice() {
        [] => String::new(),
        names => format!("; not a known name: {}", names.join(", ")),
    };
    format!("{name} ({}){unknown}.", kind.name())
}

impl Corpora {
    /// Looks up the clauses of a passage, once.
    pub fn look_clauses_up(self, source: &str) {
        self.look_up(source, self.covers, CorpusRequest::Cover, |event| match event {
            PassageEvent::Covered(cover) => Some(cover),
            _ => None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{FilledSlot, TextKind};

    #[test]
    fn clauses_stand_above_where_they_have_most_words() {
        let places = [1.0, 0.6, 0.3, 0.1].map(belongs);
        assert_eq!(places, [Some(Beside::Above), Some(Beside::Above), Some(Beside::Below), None]);
    }

    #[test]
    fn a_clause_says_what_it_is_and_which_names_are_not_known() {
        let slot = |written: &str, is_known| FilledSlot {
            slot: "person".into(),
            written: written.into(),
            english: String::new(),
            is_known,
        };
        let clause = CoveredClause {
            name: "seal".into(),
            kind: TextKind::WitnessList,
            english: "Seal of Dada".into(),
            slots: vec![slot("da-da", true), slot("zu-x-a", false)],
            texts: Vec::new(),
        };
        assert_eq!(facts(&clause), "seal (witness list); not a known name: zu-x-a.");
    }
}
