//! Comparison of the trained restorer with its base, on masked signs of held-out texts.

use super::Verdict;
use crate::kit::format;
use crate::train::Training;
use leptos::prelude::*;
use tuppum_protocol::{RestorerScores, RestorersCompared as Found};

/// Comparison of two restorers; absent until the run is finished.
#[component]
pub fn RestorersCompared() -> impl IntoView {
    let training = expect_context::<Training>();
    move || training.restorers.get().map(drawn)
}

fn drawn(found: Found) -> impl IntoView {
    let row = |name: &'static str, scores: RestorerScores| {
        let [one, five, ten, twenty] = scores.hits.map(|share| format!("{:.1} %", 100.0 * share));
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="figure">{format!("{:.3}", scores.bits)}</td>
                <td class="figure">{one}</td>
                <td class="figure">{five}</td>
                <td class="figure">{ten}</td>
                <td class="figure">{twenty}</td>
                <td class="figure">{format!("{:.3}", scores.reciprocal_rank)}</td>
            </tr>
        }
    };
    view! {
        <div id="train-restorers">
            <h3>"Before and after"</h3>
            <p role="status">{sentence(&found)}</p>
            <div class="scrolled">
                <table class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"Restorer"</th>
                            <th scope="col">"Bits per sign"</th>
                            <th scope="col">"Right first"</th>
                            <th scope="col">"Among 5"</th>
                            <th scope="col">"Among 10"</th>
                            <th scope="col">"Among 20"</th>
                            <th scope="col">"Mean of 1/rank"</th>
                        </tr>
                    </thead>
                    <tbody>{row("Before", found.before)} {row("Now", found.after)}</tbody>
                </table>
            </div>
        </div>
    }
}

/// Returns the difference with its interval, and the verdict.
fn sentence(found: &Found) -> String {
    let ([bits, low, high], [first, least, most]) = (found.bits, found.first.map(|share| 100.0 * share));
    let verdict = Verdict::of_signs(found).sentence("texts");
    let stretches = format::plural(found.sequences, "stretch", "stretches");
    let stretches = match found.texts {
        0 => stretches,
        texts => format!("{stretches} of {}", format::plural(texts, "text", "texts")),
    };
    format!(
        "{verdict} In the texts set aside, {} were masked in {stretches}, with the word boundaries known. {bits:+.3} \
         bits per sign, between {low:+.3} and {high:+.3} in 95 % of 1\u{202f}000 samples; right first {first:+.1} \
         points ({least:+.1} to {most:+.1}).",
        format::plural(found.signs, "sign", "signs"),
    )
    .replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_says_what_chance_allows() {
        let found =
            |bits: [f64; 3]| Found { signs: 120, sequences: 30, bits, first: [0.02, -0.01, 0.05], ..Found::default() };
        let better = sentence(&found([-0.2, -0.3, -0.1]));
        assert!(
            better.contains("120 signs") && better.contains("−0.200 bits per sign, between −0.300 and −0.100"),
            "{better}"
        );
        assert!(better.starts_with("It predicts what was set aside better"), "{better}");
        assert!(better.ends_with("right first +2.0 points (−1.0 to +5.0)."), "{better}");
        assert!(sentence(&found([0.2, 0.1, 0.3])).contains("worse than before"));
        assert!(sentence(&found([-0.1, -0.3, 0.1])).contains("may be chance"));
        let few = Found { texts: 6, ..found([-0.2, -0.3, -0.1]) };
        assert!(sentence(&few).contains("These are too few texts to tell the change from chance."));
    }
}
