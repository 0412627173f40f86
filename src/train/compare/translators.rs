//! Comparison of the trained translator with its base, on held-out pairs.

use super::Verdict;
use crate::kit::format;
use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::{Changed, Compared as Found, MIN_MEASURED_TEXTS, Stratum};

/// Comparison of two translators; absent until the run is finished.
#[component]
pub fn Compared() -> impl IntoView {
    let training = expect_context::<Training>();
    move || training.compared.get().map(drawn)
}

fn drawn(found: Found) -> impl IntoView {
    let [low, high] = found.interval;
    let verdict = Verdict::of_pairs(&found).sentence("pairs");
    let row = |Changed { source, target, before, after }: Changed| {
        view! {
            <tr>
                <td lang="akk-Latn">{source}</td>
                <td>{target}</td>
                <td class="figure">{format!("{before:.2}")}</td>
                <td class="figure">{format!("{after:.2}")}</td>
            </tr>
        }
    };
    let sentence = format!(
        "{verdict} Set aside, {} of {}: {:.3} bits per byte before, {:.3} now; {:+.3}, between {low:+.3} and \
         {high:+.3} in 95 % of 1\u{202f}000 samples of the texts.",
        format::plural(found.pairs, "pair", "pairs"),
        format::plural(found.texts, "text", "texts"),
        found.before,
        found.after,
        found.difference,
    )
    .replace('-', "−");
    let rows = found.changed.into_iter().map(row).collect_view();
    let strata = (!found.strata.is_empty()).then(|| strata(found.strata));
    view! {
        <div id="train-compared">
            <h3>"Before and after"</h3>
            <p role="status">{sentence}</p>
            {strata}
            <details>
                <summary>"The pairs that changed most"</summary>
                <div class="scrolled">
                    <table class="plain">
                        <thead>
                            <tr>
                                <th scope="col">"Source"</th>
                                <th scope="col">"Corpus"</th>
                                <th scope="col">"Before"</th>
                                <th scope="col">"Now"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </div>
    }
}

/// Comparison on hard sources, by what makes them hard.
fn strata(strata: Vec<Stratum>) -> impl IntoView {
    let row = |Stratum { name, pairs, texts, before, after, difference, interval: [low, high] }: Stratum| {
        let sentence = match texts < MIN_MEASURED_TEXTS {
            true => format!("{difference:+.3} (too few to tell)"),
            false => format!("{difference:+.3} ({low:+.3} to {high:+.3})"),
        };
        let sentence = sentence.replace('-', "−");
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="figure">{format::count(pairs as u64)}</td>
                <td class="figure">{format!("{before:.3}")}</td>
                <td class="figure">{format!("{after:.3}")}</td>
                <td class="figure">{sentence}</td>
            </tr>
        }
    };
    view! {
        <details id="train-strata">
            <summary>"Where sources are hard"</summary>
            <div class="scrolled">
                <table class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"Sources with"</th>
                            <th scope="col">"Pairs"</th>
                            <th scope="col">"Before"</th>
                            <th scope="col">"Now"</th>
                            <th scope="col">"Difference (95 %)"</th>
                        </tr>
                    </thead>
                    <tbody>{strata.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
        </details>
    }
}
