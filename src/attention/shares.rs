//! Table of the shares of attention that the bias should raise.

use super::maps::{change, percent};
use crate::attention::Attention;
use crate::attention::shown::Share;
use leptos::prelude::*;

/// The table, for the encoder alone: only its attention is between signs of the text.
#[component]
pub fn Shares() -> impl IntoView {
    let attention = expect_context::<Attention>();
    let content = move || {
        let shares = attention.shown.with(|shown| shown.as_ref().map(|shown| shown.shares.clone()).unwrap_or_default());
        if shares.is_empty() {
            return view! { <p class="hint">"Shares between signs are shown for the encoder’s attention only."</p> }
                .into_any();
        }
        table(&shares).into_any()
    };
    view! {
        <section class="card" aria-labelledby="shares-title">
            <h2 id="shares-title">"Shares of attention"</h2>
            <p class="hint">
                "How much of its attention a byte of the first gives to the bytes of the second, on average. The last \
                 column says how much it would be if all bytes of the text got the same attention."
            </p>
            {content}
        </section>
    }
}

fn table(shares: &[Share]) -> impl IntoView + use<> {
    let row = |share: &Share| {
        let on = share.on.map(|on| percent(on as f32));
        let less = share.on.map(|on| change((on - share.off) as f32));
        view! {
            <tr>
                <th scope="row">{share.what.clone()}</th>
                <td class="figure">{percent(share.off as f32)}</td>
                <td class="figure">{on}</td>
                <td class="figure">{less}</td>
                <td class="figure">{percent(share.even as f32)}</td>
            </tr>
        }
    };
    view! {
        <div class="scrolled">
            <table id="attention-shares" class="plain" aria-labelledby="shares-title">
                <thead>
                    <tr>
                        <th scope="col">"Attention between signs"</th>
                        <th scope="col">"Left"</th>
                        <th scope="col">"Right"</th>
                        <th scope="col">"Change"</th>
                        <th scope="col">"Even"</th>
                    </tr>
                </thead>
                <tbody>{shares.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}
