//! What a distance does to a weight, and whether it can tell two sentences apart.

use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use tuppum_plot::attention::bias::{FAR, USUAL, svg, weight};
use tuppum_protocol::translation::bias::BiasPoints;

/// Nearer is never less: the weight of one byte as its point moves away.
#[component]
pub fn Monotone(alpha: RwSignal<f64>) -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let distance = RwSignal::new(USUAL);
    let picture = move || {
        tree.colours.track();
        svg(alpha.get(), distance.get(), &palette(), "Weight of one of ten bytes against the distance of its point")
    };
    let told = move || {
        let own = weight(alpha.get(), 0.0, distance.get());
        format!(
            "At distance {:.1} a byte that the model itself does not prefer gets {:.1} % of the row; the nine others \
             are at distance {USUAL:.1}.",
            distance.get(),
            100.0 * own
        )
    };
    view! {
        <h3>"Nearer never means less"</h3>
        <p>
            "Take a row of ten bytes and move the point of one of them. Whatever the model itself thinks of that byte, \
             its weight falls as its point moves away, and the weights of the others rise. The curves are for a byte \
             whose logit is 2 above those of the others, equal to them, or 2 below; α is that of the slider above."
        </p>
        <div class="slider">
            <label for="learn-distance">"Distance"</label>
            <input
                id="learn-distance"
                type="range"
                min="0"
                max=FAR.to_string()
                step="0.1"
                prop:value=move || distance.get().to_string()
                on:input=move |event| distance.set(event_target_value(&event).parse().unwrap_or(USUAL))
            />
            <output for="learn-distance" class="figure">{move || format!("{:.1}", distance.get())}</output>
        </div>
        <div id="learn-monotone" class="known" inner_html=picture></div>
        <p id="learn-monotone-told" role="status">
            {told}
        </p>
    }
}

/// Two sentences with one sign: which points tell them apart.
#[component]
pub fn Contrast(alpha: RwSignal<f64>) -> impl IntoView {
    let row = move |points: BiasPoints| {
        let [god, day] = points.contrast();
        let ratio = move || format!("{:.2}", (alpha.get() * (day - god)).exp());
        view! {
            <tr>
                <th scope="row">{points.title()}</th>
                <td class="figure">{format!("{god:.2}")}</td>
                <td class="figure">{format!("{day:.2}")}</td>
                <td class="figure">{ratio}</td>
            </tr>
        }
    };
    view! {
        <p class="hint">
            "The sign " <span class="cuneiform" lang="akk-Xsux">"𒌓"</span> " is UTU, the sun god, in "
            <i lang="akk-Latn">"a-na {d}UTU"</i> ", “to Šamaš”, and the syllable u₄ in "
            <i lang="akk-Latn">"a-na u₄-mi"</i> ", “for the day”. A bias helps to tell the two apart if the sign is \
             nearer to what stands before it in the one than in the other. How far, on average over their bytes, and \
             how many times as much weight that gives the determinative, before any training:"
        </p>
        <div class="scrolled" tabindex="0" role="region" aria-label="Distances in the two sentences, by points">
            <table class="plain" id="learn-contrast">
                <thead>
                    <tr>
                        <th scope="col">"Points"</th>
                        <th scope="col">"{d} to UTU"</th>
                        <th scope="col">"na to u₄"</th>
                        <th scope="col">"Weight, times"</th>
                    </tr>
                </thead>
                <tbody>{BiasPoints::ALL.map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}
