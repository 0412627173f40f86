//! All gaps together: the best joint fillings, each accepted at once.

use super::{marks, proposals::Standing};
use crate::restore::export::line_of;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::Joint;

/// How many joint fillings are listed.
const MOST: usize = 5;

/// The list of joint fillings.
#[component]
pub fn Together() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let joint = Memo::new(move |_| {
        workbench.shown.with(|shown| shown.as_ref().map(|shown| shown.answer.joint.clone()).unwrap_or_default())
    });
    let rows = move || {
        let all = joint.get();
        all.iter().take(MOST).enumerate().map(|(rank, joint)| row(workbench, rank, joint)).collect_view()
    };
    view! {
        <section id="joint-panel" class="card" aria-labelledby="joint-title" hidden=move || joint.with(Vec::is_empty)>
            <h2 id="joint-title">"All gaps together"</h2>
            <p class="hint">"Fillings that fit together; each percentage is a share among the fillings that the search \
                kept."</p>
            <Standing />
            <table id="joint" class="proposals" aria-busy=move || workbench.job.is_running().to_string()>
                <thead>
                    <tr>
                        <th scope="col" class="rank">"Rank"</th>
                        <th scope="col">"Readings in order of place"</th>
                        <th scope="col">"Probability"</th>
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

fn row(workbench: Workbench, rank: usize, joint: &Joint) -> impl IntoView + use<> {
    let document = workbench.document.get_untracked();
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
                    title=format!("Given those before it: {}", crate::shell::format::percent(reading.probability))
                    on:click=move |_| workbench.selected.set(Some(sign))
                >
                    {marks::proposed(&reading.written, reading.starts_word)}
                </button>
            </span>
            " "
        }
    });
    let accept = joint.readings.clone();
    view! {
        <tr data-rank=(rank + 1).to_string() data-probability=joint.probability.to_string()>
            <td class="rank">{rank + 1}</td>
            <td>{readings.collect_view()}</td>
            <td title=format!("ln p = {:.2}", joint.log_probability)>{marks::probability(joint.probability)}</td>
            <td>
                <button type="button" on:click=move |_| workbench.accept_all(&accept)>
                    "Accept all"
                </button>
            </td>
        </tr>
    }
}
