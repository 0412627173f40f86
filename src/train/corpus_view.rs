//! Step 1: the user's pairs, pasted, dropped, chosen or sampled, and what was read of them.

use super::columns::Mapping;
use super::import::{Import, Material};
use crate::restore::state::Workbench;
use crate::shell::format;
use crate::train::{PAIRS_SAMPLE, Prepared, Training};
use leptos::prelude::*;
use tuppum_protocol::{OwnArchive, OwnPair};
use tuppum_text::augment::Rates;
use tuppum_text::pair_table::{Damage, ImportedPair};

/// How many rows that are left out are listed.
const LISTED: usize = 200;

/// The step.
#[component]
pub fn Corpus() -> impl IntoView {
    let training = expect_context::<Training>();
    view! {
        <Import material=material(training)>
            <NotKept />
            <Mapping />
            <Reading />
            {move || training.corpus.get().map(|prepared| told(training, &prepared))}
            <KeepPairs />
        </Import>
    }
}

fn material(training: Training) -> Material {
    Material {
        name: "corpus",
        title: "1. Your corpus",
        hint: "Pairs of a transliteration and its translation, one in each row: TSV, CSV, or one JSON object in each \
            line, up to 20 MB. Needed are these two columns; the name of the text that a row comes from helps to \
            measure honestly, and all others are ignored. Nothing leaves this device.",
        accept: ".tsv,.csv,.txt,.jsonl,.json,text/plain",
        sample: "Take the sample: 60 Old Assyrian pairs",
        sample_file: PAIRS_SAMPLE,
        sample_source: "Sample: segments of 15 tablets from Kültepe, Cuneiform Digital Library Initiative \
            (cdli.earth), re-used with credit. Too few to learn from; they only show how training works.",
        label: "Pairs",
        rows: 5,
        wrap: "off",
        placeholder: "a-na a-lim{KI} e-ra-ab⇥I shall enter the City.",
        unnamed: "The corpus",
        typed: training.text,
        before: training.corpus_before,
        file: |choices| &choices.file,
        type_in: Training::type_corpus,
        take: Training::take,
        open: Training::open_file,
        open_sample: Training::open_sample,
    }
}

/// The button that keeps the pairs among the user's own texts, as a translation memory.
#[component]
fn KeepPairs() -> impl IntoView {
    let (training, workbench) = (expect_context::<Training>(), expect_context::<Workbench>());
    let has_none =
        move || training.corpus.with(|prepared| prepared.as_ref().is_none_or(|all| all.corpus.pairs.is_empty()));
    let keep = move |_| {
        let pair = |pair: &ImportedPair| OwnPair { source: pair.source.clone(), target: pair.target.clone() };
        let pairs = training.corpus.get_untracked().map(|prepared| prepared.corpus.pairs.iter().map(pair).collect());
        let file = training.choices.with_untracked(|choices| choices.file.clone());
        let name = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let name = if name.is_empty() { "My pairs" } else { name }.to_owned();
        let pairs = pairs.unwrap_or_default();
        workbench.corpora.to_keep.set(Some(OwnArchive { name, pairs, ..OwnArchive::default() }));
    };
    view! {
        <p class="buttons" hidden=has_none>
            <button id="keep-pairs" type="button" class="quiet" on:click=keep>
                "Keep these pairs among your own texts"
            </button>
        </p>
    }
}

/// Why the corpus is not stored.
#[component]
fn NotKept() -> impl IntoView {
    let training = expect_context::<Training>();
    let stored = move || {
        training.corpus_not_stored.get().map(|reason| {
            format!("The corpus is not stored for your next visit: {}. Keep its file.", reason.trim_end_matches('.'))
        })
    };
    view! {
        <p id="corpus-not-kept" class="hint" hidden=move || training.corpus_not_stored.with(Option::is_none)>
            {stored}
        </p>
    }
}

/// How far the reading is.
#[component]
fn Reading() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.importing.with(Option::is_some));
    let (done, total) = (
        move || training.importing.get().map_or(0, |(done, _)| done),
        move || training.importing.get().map_or(1, |(_, total)| total.max(1)),
    );
    view! {
        <p id="corpus-reading" class="progress" hidden=move || !there.get()>
            <span class="phase">"Reading the rows"</span>
            <progress
                aria-label="Reading the rows"
                max=move || total().to_string()
                value=move || done().to_string()
            ></progress>
            <span class="figure">
                {move || format!("{} of {}", format::count(done() as u64), format::count(total() as u64))}
            </span>
        </p>
    }
}

/// Counts, what is left out, and how the signs are preserved.
fn told(training: Training, prepared: &Prepared) -> impl IntoView + use<> {
    let corpus = &prepared.corpus;
    let [trained, held_out] = prepared.sides;
    let whole = match corpus.pairs.iter().any(|pair| !pair.text.is_empty()) {
        true => "in whole texts",
        false => "each as a text of its own, since no column names the text",
    };
    let counts = match corpus.pairs.is_empty() {
        true => "No row holds a pair.".to_owned(),
        false => format!(
            "{}: {} to train on, {} set aside to measure on, {whole}.",
            format::plural(corpus.pairs.len(), "pair", "pairs"),
            format::count(trained as u64),
            format::count(held_out as u64),
        ),
    };
    let leaks = (!prepared.leaks.is_empty()).then(|| {
        let pairs = format::plural(prepared.leaks.len(), "more pair", "more pairs");
        format!(
            "{pairs} would be set aside, but the same transliteration is also in a text to train on. They are used for \
             neither."
        )
    });
    let too_long = (prepared.too_long > 0).then(|| {
        format!("{} longer than 512 bytes and left out.", format::plural(prepared.too_long, "pair is", "pairs are"))
    });
    let left_out = corpus.left_out.len();
    let rows = corpus.left_out.iter().take(LISTED);
    let rows = rows.map(|fault| view! { <li>{format!("Line {}: {}", fault.line, fault.reason)}</li> }).collect_view();
    let more = left_out.saturating_sub(LISTED);
    view! {
        <p id="corpus-counts" role="status">{counts}</p>
        {leaks.map(|leaks| view! { <p id="corpus-leaks" class="hint">{leaks}</p> })}
        {too_long.map(|too_long| view! { <p class="hint">{too_long}</p> })}
        <details id="corpus-left-out" open={(1..=5).contains(&left_out)} hidden={left_out == 0}>
            <summary>{format!("⚠ {} left out", format::plural(left_out, "row is", "rows are"))}</summary>
            <ul class="plain-list">{rows}</ul>
            <p class="hint" hidden={more == 0}>{format!("… and {} more.", format::count(more as u64))}</p>
        </details>
        {shown_damage(prepared.corpus.damage).map(|(told, share)| {
            let lose = move |_| training.choose(|choices| choices.rates.drop = f64::from(share) / 100.0);
            view! {
                <p id="corpus-damage">
                    {told}
                    <button id="use-own-rate" type="button" hidden={share == 0} on:click=lose>
                        {format!("Lose {share} % instead")}
                    </button>
                </p>
            }
        })}
    }
}

/// What the corpus shows of its damage, and the share of signs to lose that it suggests, in whole percent; 0 where it
/// shows none, as editions do that leave brackets out: a model that never sees a gap does not learn to read with one.
fn shown_damage(damage: Damage) -> Option<(String, u8)> {
    let rate = damage.rate()?;
    let signs = format::count(damage.signs as u64);
    let usual = Rates::default().drop * 100.0;
    // No share is above 100.
    let share = (rate * 100.0).round() as u8;
    let told = match share {
        0 => format!(
            "Of its {signs} signs, {} is marked as damaged, restored or illegible: the corpus seems to be edited \
             without brackets and does not show what was broken. Training makes {usual:.0} % of the signs illegible \
             unless you choose otherwise, so that the model learns to read with gaps.",
            if damage.damaged == 0 { "none" } else { "hardly any" },
        ),
        _ => format!(
            "Of its {signs} signs, {} are damaged, restored or illegible; training makes {usual:.0} % of the legible \
             ones illegible unless you choose otherwise. ",
            format::percent(rate as f32),
        ),
    };
    Some((told, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_without_brackets_suggests_no_share() {
        let shown = |damaged| shown_damage(Damage { signs: 1_000, damaged }).unwrap();
        for damaged in [0, 4] {
            let (told, share) = shown(damaged);
            assert!(share == 0 && told.contains("edited without brackets") && told.contains("15 %"), "{told}");
        }
        let (told, share) = shown(218);
        assert!(share == 22 && !told.contains("without brackets"), "{told}");
        assert_eq!(shown_damage(Damage::default()), None);
    }
}
