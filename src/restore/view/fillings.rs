//! Fillings of several signs: the card of joint fillings, whose readings for all gaps fit together, and the lengths of
//! a break of unknown length, each with its probability and most likely filling.

use crate::kit::format;
use crate::restore::export::line_of;
use crate::restore::state::Workbench;
use crate::restore::state::work::{Accepted, AcceptedReading};
use crate::restore::view::marks;
use crate::restore::view::proposals::AnswerStanding;
use leptos::prelude::*;
use tuppum_protocol::{Joint, LengthAnswer};
use tuppum_text::SignIndex;

/// Maximum number of joint fillings listed.
const MAX_FILLINGS: usize = 5;

/// The list of joint fillings.
#[component]
pub fn JointFillings() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let joint = Memo::new(move |_| {
        workbench
            .restoring
            .shown
            .with(|shown| shown.as_ref().map(|shown| shown.answer.joint.clone()).unwrap_or_default())
    });
    let rows = move || {
        let all = joint.get();
        let best = all.first().map_or(1.0, |joint| joint.probability);
        all.iter()
            .take(MAX_FILLINGS)
            .enumerate()
            .map(|(rank, joint)| joint_row(workbench, rank, joint, best))
            .collect_view()
    };
    let title = move || match workbench.restoring.only.get() {
        Some(_) => "The gaps asked about, together",
        None => "All gaps together",
    };
    view! {
        <section id="joint-panel" class="card" aria-labelledby="joint-title" hidden=move || joint.with(Vec::is_empty)>
            <h2 id="joint-title">{title}</h2>
            <p class="hint">"Fillings whose readings fit together. The bars compare each with the best one; how sure a \
                single reading is, its own proposals tell."</p>
            <AnswerStanding />
            <table id="joint" class="proposals" aria-busy=move || workbench.restoring.job.is_running().to_string()>
                <thead>
                    <tr>
                        <th scope="col" class="rank">"Rank"</th>
                        <th scope="col">"Readings in order of place"</th>
                        <th scope="col">"Beside the best"</th>
                        <th scope="col">
                            <span class="unseen">"Accept"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

fn joint_row(workbench: Workbench, rank: usize, joint: &Joint, best: f32) -> impl IntoView + use<> {
    let document = workbench.text.document.get_untracked();
    let mut before = None;
    let readings = joint.readings.iter().map(|reading| {
        let line = (before != Some(reading.sign)).then(|| line_of(&document, reading.sign));
        before = Some(reading.sign);
        let sign = reading.sign;
        view! {
            <span class="joint-reading">
                {line.map(|line| view! { <span class="label">{line}</span> })}
                <button
                    type="button"
                    class="link"
                    lang="akk-Latn"
                    title=format!("Given those before it: {}", format::percent(reading.probability))
                    on:click=move |_| workbench.text.selected.set(Some(sign))
                >
                    {marks::proposed(&reading.written, reading.starts_word)}
                </button>
            </span>
            " "
        }
    });
    let accept = joint.readings.clone();
    let (accepts, share) = (accept.len(), format::percent(joint.probability));
    let title = accept.iter().map(|reading| reading.written.as_str()).collect::<Vec<_>>().join(" ");
    view! {
        <tr data-rank=(rank + 1).to_string() data-probability=joint.probability.to_string()>
            <td class="rank">{rank + 1}</td>
            <td>{readings.collect_view()}</td>
            <td title=format!("ln p = {:.2}; {} of the fillings kept", joint.log_probability, share)>
                {marks::beside_best(joint.probability / best)}
            </td>
            <td>
                <button type="button" title=title on:click=move |_| workbench.accept_all(&accept)>
                    {format!("Accept {}", format::plural(accepts, "reading", "readings"))}
                </button>
            </td>
        </tr>
    }
}

/// The table of lengths of a break.
#[component]
pub fn Lengths(
    /// Break of unknown length.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let lengths =
        Memo::new(move |_| workbench.restoring.gap_answer(sign).map(|answer| answer.lengths).unwrap_or_default());
    let table = move || {
        let lengths = lengths.get();
        if lengths.is_empty() {
            return ().into_any();
        }
        view! {
            <h3>"How many signs are missing"</h3>
            <AnswerStanding />
            <table id="lengths" class="proposals">
                <thead>
                    <tr>
                        <th scope="col">"Signs"</th>
                        <th scope="col">"Probability"</th>
                        <th scope="col">"Likeliest filling"</th>
                    </tr>
                </thead>
                <tbody>{lengths.iter().map(|length| length_row(workbench, sign, length)).collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    view! { {table} }
}

fn length_row(workbench: Workbench, sign: SignIndex, length: &LengthAnswer) -> impl IntoView + use<> {
    let readings: Vec<AcceptedReading> = length.readings.iter().map(AcceptedReading::from).collect();
    let glyphs: String = length.readings.iter().map(|reading| reading.glyph.as_str()).collect();
    let filling = marks::filling(length.readings.iter().map(|r| (r.written.as_str(), r.starts_word)));
    let label = format!("Accept the filling of {}", format::plural(length.length, "sign", "signs"));
    view! {
        <tr data-length=length.length.to_string() data-probability=length.probability.to_string()>
            <td>{length.length}</td>
            <td>{marks::probability(length.probability)}</td>
            <td>
                <button
                    type="button"
                    class="reading"
                    lang="akk-Latn"
                    title=label
                    on:click=move |_| workbench.accept(Accepted { sign, readings: readings.clone(), model: None })
                >
                    {filling}
                </button>
                " "
                {marks::glyph(&glyphs)}
            </td>
        </tr>
    }
}
