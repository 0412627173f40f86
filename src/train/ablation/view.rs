//! The ablation: the base trained in six ways on the user's corpus, as a table that fills, a diagram, and conclusions.

use crate::kit::format;
use crate::kit::timing::now;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::settings::fields::{Number, field, set_within};
use crate::train::{Ablation as State, Session, Training};
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use tuppum_plot::bars::{self, Bar};
use tuppum_plot::scatter::{self, Scatter};
use tuppum_protocol::{AblationArm, ArmsCompared, GainFound};

/// Arm with which the table compares all others.
const REFERENCE_ARM: &str = "A";

const NUMBERS: [Number; 2] = [
    Number {
        id: "ablation-steps",
        name: "Steps of each run",
        takes: "a whole number from 1 to 100\u{202f}000",
        get: |choices| choices.ablation_steps.to_string(),
        set: |choices, typed| set_within(&mut choices.ablation_steps, typed, 1..=100_000),
    },
    Number {
        id: "ablation-seeds",
        name: "Seeds for each way",
        takes: "a whole number from 1 to 20",
        get: |choices| choices.ablation_seeds.to_string(),
        set: |choices, typed| set_within(&mut choices.ablation_seeds, typed, 1..=20),
    },
];

/// Section of the page “Train” with the ablation.
#[component]
pub fn Ablation() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.ablation.with(|ablation| ablation.report.is_some()));
    view! {
        <section
            id="train-ablation"
            class="card"
            aria-labelledby="train-ablation-title"
            data-standing=move || status(training)
        >
            <h2 id="train-ablation-title">"What more data, augmentation and the bias gain"</h2>
            <p class="hint">
                "Trains the model that you start from in six ways on your corpus, each with several seeds, and \
                 measures all of them on the pairs set aside. Every way uses half of the training pairs, drawn at \
                 random; the other half, at half weight, is the additional data. With so few pairs and steps it shows \
                 how such a comparison is made; what it finds here need not hold for a large model."
            </p>
            <div class="choices-row">
                {NUMBERS.map(field).collect_view()}
            </div>
            <Buttons />
            <Progress />
            <p class="warning-line" role="alert" hidden=move || training.ablation_not_stored.with(Option::is_none)>
                {move || training.ablation_not_stored.get().map(|reason| format!("These results are not stored for \
                    your next visit: {}.", reason.trim_end_matches('.')))}
            </p>
            <Show when=move || there.get()>
                <Table />
                <Pictures />
            </Show>
        </section>
    }
}

fn status(training: Training) -> &'static str {
    match training.session.with(|session| session.as_ref().map(|session| session.stopping)) {
        Some(true) => "stopping",
        Some(false) => "running",
        None if training.ablation.with(State::is_finished) => "finished",
        None if training.ablation.with(|ablation| !ablation.runs.is_empty()) => "resting",
        None => "none",
    }
}

#[component]
fn Buttons() -> impl IntoView {
    let (training, models) = (expect_context::<Training>(), expect_context::<Models>());
    let workbench = expect_context::<Workbench>();
    let busy = Memo::new(move |_| training.session.with(Option::is_some));
    let stopping = move || training.session.with(|session| session.as_ref().is_some_and(|session| session.stopping));
    let some = Memo::new(move |_| training.ablation.with(|ablation| ablation.report.is_some()));
    let reason = Memo::new(move |_| if busy.get() { None } else { training.why_no_ablation(models) });
    view! {
        <p class="buttons">
            <button
                id="ablation-start"
                type="button"
                class="primary"
                hidden=move || busy.get()
                aria-disabled=move || reason.get().is_some().to_string()
                aria-describedby="ablation-reason"
                on:click=move |_| if reason.get_untracked().is_none() { training.ablate(workbench, models) }
            >
                {move || match status(training) {
                    "resting" => "Continue comparing",
                    "finished" => "Compare again",
                    _ => "Compare six ways",
                }}
            </button>
            <button
                id="ablation-stop"
                type="button"
                class="primary"
                hidden=move || !busy.get()
                aria-disabled=move || stopping().to_string()
                on:click=move |_| if !stopping() { training.stop_ablation() }
            >
                "Stop comparing"
            </button>
            <button
                id="ablation-clear"
                type="button"
                class="quiet"
                hidden=move || busy.get() || !some.get()
                on:click=move |_| training.clear_ablation()
            >
                "Delete these results"
            </button>
            <button
                id="ablation-back"
                type="button"
                class="quiet"
                hidden=move || busy.get() || training.ablation_before.with(Option::is_none)
                on:click=move |_| training.restore_ablation()
            >
                "Bring back the earlier results"
            </button>
        </p>
        <p id="ablation-reason" class="hint" hidden=move || busy.get() || reason.get().is_none()>
            {reason}
        </p>
        <p class="hint" hidden=move || status(training) != "resting">
            "Runs with the same corpus, starting model and settings are not repeated."
        </p>
    }
}

/// Run under way, and the time left for all runs.
#[component]
fn Progress() -> impl IntoView {
    let training = expect_context::<Training>();
    let busy = Memo::new(move |_| training.session.with(Option::is_some));
    let sentence = move || {
        let (done, of) = training.ablation.with(|ablation| (ablation.runs.len(), ablation.of()));
        training.session.with(|session| {
            let session = session.as_ref()?;
            let Some(at) = session.at.as_ref() else { return Some("Loading the starting model …".to_owned()) };
            let left = left(session, done, of).map(|left| format!(", {left}")).unwrap_or_default();
            let run = (done + 1).min(of.max(1));
            Some(format!("Run {run} of {of}: {} with seed {}, step {} of {}{left}", at.arm, at.seed, at.step, at.of))
        })
    };
    let done = move || training.ablation.with(|ablation| ablation.runs.len().to_string());
    let of = move || training.ablation.with(|ablation| ablation.of().max(1).to_string());
    view! {
        <p id="ablation-progress" class="progress" hidden=move || !busy.get()>
            <progress aria-label="Runs" max=of value=done></progress>
            <span class="figure">{sentence}</span>
        </p>
    }
}

/// Returns the time left, estimated from the steps of this session.
fn left(session: &Session, done: usize, of: usize) -> Option<String> {
    let ((since, made), at) = (session.since?, session.at.as_ref()?);
    let of_run = |step: u32| u64::from(at.of.saturating_sub(step));
    let to_make = of_run(at.step) + of_run(0) * of.saturating_sub(done + 1) as u64;
    format::time_left(made.into(), u64::from(made) + to_make, now() - since)
}

/// Table of the six ways: what each has, and its result.
#[component]
fn Table() -> impl IntoView {
    let training = expect_context::<Training>();
    let rows = move || {
        training.ablation.with(|ablation| {
            let arms = ablation.report.iter().flat_map(|report| &report.arms);
            arms.map(|arm| row(ablation, arm)).collect_view()
        })
    };
    let pairs = move || {
        training.ablation.with(|ablation| {
            ablation.report.as_ref().map(|report| {
                let [drawn, more, measured] = report.pairs.map(|count| format::count(count as u64));
                format!(
                    "Every way trains on {drawn} pairs, those with more data on {more} besides; all are measured on \
                     {measured}. Fewer bits are better. {}",
                    report.reason
                )
            })
        })
    };
    view! {
        <p class="hint">{pairs}</p>
        <div class="scrolled">
            <table id="ablation-table" class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Way"</th>
                        <th scope="col">"More data"</th>
                        <th scope="col">"Augmented"</th>
                        <th scope="col">"Bias"</th>
                        <th scope="col">"Bits per byte"</th>
                        <th scope="col">"Against A (95 %)"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn row(ablation: &State, arm: &AblationArm) -> impl IntoView + use<> {
    let has = |is: bool| if is { "yes" } else { "–" };
    let bits = ablation.mean(&arm.name).map_or("not yet".to_owned(), |(bits, seeds)| {
        format!("{bits:.3} ({})", format::plural(seeds, "seed", "seeds"))
    });
    let against =
        ablation.found.comparisons.iter().find(|found| found.first == REFERENCE_ARM && found.second == arm.name);
    let against = against.map_or("–".to_owned(), |found| {
        let [low, high] = found.interval;
        format!("{:+.3} ({low:+.3} to {high:+.3})", found.difference).replace('-', "−")
    });
    view! {
        <tr data-arm=arm.name.clone()>
            <th scope="row">{arm.name.clone()}</th>
            <td>{has(arm.data)}</td>
            <td>{has(arm.augmentation)}</td>
            <td>{has(arm.bias)}</td>
            <td>
                <span class="figure">{bits}</span>
                {ablation.problem(&arm.name).map(|problem| view! { <span class="hint">{problem}</span> })}
            </td>
            <td class="figure">{against}</td>
        </tr>
    }
}

/// Differences as bars with conclusions, and arm D against arm B on hard sources.
#[component]
fn Pictures() -> impl IntoView {
    let (training, tree) = (expect_context::<Training>(), expect_context::<SignTree>());
    let compared = Memo::new(move |_| training.ablation.with(|ablation| ablation.found.comparisons.clone()));
    let gains = Memo::new(move |_| training.ablation.with(|ablation| ablation.found.gains.clone()));
    let arms = move || {
        tree.colours.track();
        compared.with(|compared| {
            let bars: Vec<Bar> = compared.iter().map(bar).collect();
            let title = "Differences between ways to train in bits per byte, with intervals that hold 95 % of the \
                samples";
            bars::svg(&bars, "difference in bits per byte", &palette(), title)
        })
    };
    let verdicts = move || compared.get().into_iter().map(|found| view! { <li>{found.verdict}</li> }).collect_view();
    let scatters = move || {
        tree.colours.track();
        gains.get().into_iter().map(scatter).collect_view()
    };
    view! {
        <Show when=move || compared.with(|compared| !compared.is_empty())>
            <div id="ablation-bars" class="known" inner_html=arms></div>
            <p class="hint">"Below zero, the way named first predicts better; the whiskers hold 95 % of 1\u{202f}000 \
                samples of the texts."</p>
            <ul id="ablation-verdicts" class="plain-list">{verdicts}</ul>
        </Show>
        <details hidden=move || gains.with(Vec::is_empty)>
            <summary>"What the bias gains where a source is hard (D against B)"</summary>
            <div id="ablation-gains">{scatters}</div>
        </details>
    }
}

fn bar(found: &ArmsCompared) -> Bar {
    Bar { name: format!("{} − {}", found.second, found.first), value: found.difference, interval: found.interval }
}

fn scatter(found: GainFound) -> impl IntoView {
    let GainFound { axis, points, line, said } = found;
    let title = format!("D minus B in bits per byte by {axis}");
    let axes = [axis, "bits per byte, D − B".to_owned()];
    let picture = scatter::svg(&Scatter { points, line, axes }, &palette(), &title);
    let said = (!said.is_empty()).then(|| format::capital(&said));
    view! {
        <figure>
            <div class="known" inner_html=picture></div>
            <figcaption class="hint">{said.map(|said| format!("{said}."))}</figcaption>
        </figure>
    }
}
