//! The lengths of a break of unknown length, each with its probability and most likely filling.

use super::{marks, proposals::Standing};
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::work::{Accepted, AcceptedReading};
use leptos::prelude::*;
use tuppum_protocol::LengthAnswer;
use tuppum_text::SignIndex;

/// The table of lengths of a break.
#[component]
pub fn Lengths(
    /// Break of unknown length.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let lengths = Memo::new(move |_| workbench.gap_answer(sign).map(|answer| answer.lengths).unwrap_or_default());
    let table = move || {
        let lengths = lengths.get();
        if lengths.is_empty() {
            return ().into_any();
        }
        view! {
            <h3>"How many signs are missing"</h3>
            <Standing />
            <table id="lengths" class="proposals">
                <thead>
                    <tr>
                        <th scope="col">"Signs"</th>
                        <th scope="col">"Probability"</th>
                        <th scope="col">"Likeliest filling"</th>
                    </tr>
                </thead>
                <tbody>{lengths.iter().map(|length| row(workbench, sign, length)).collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    view! { {table} }
}

fn row(workbench: Workbench, sign: SignIndex, length: &LengthAnswer) -> impl IntoView + use<> {
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
