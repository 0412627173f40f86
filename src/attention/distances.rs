//! Distances between {d} and UTU, the example of the bias, for each kind of points that a new bias may begin with, and
//! their meaning.

use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, ExampleDistances};

/// Table of the distances, with an explanation.
#[component]
pub fn Distances() -> impl IntoView {
    view! {
        <p class="hint">
            "A determinative helps to read its noun, so a bias should draw {d} and UTU together. These are the \
             distances of their letters for the points with which a new bias may begin, before any training. Small is \
             near; “any two” is the distance than which half of all pairs are nearer."
        </p>
        <div class="scrolled" tabindex="0" role="region" aria-label="Distances of the example, by points">
            <table class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Points"</th>
                        <th scope="col">"{d} to UTU"</th>
                        <th scope="col">"Any two"</th>
                        <th scope="col">"So the bias"</th>
                    </tr>
                </thead>
                <tbody>{BiasPoints::ALL.map(row).collect_view()}</tbody>
            </table>
        </div>
        <p class="hint">
            "“Hard”, “signs” and “flat” know which readings one sign has, not which signs stand together: for them \
             {d} and UTU are strangers. “Soft” has them near, but because letters of common use are near one \
             another, not for knowing what a determinative is. The company of signs knows it: it is counted in the \
             edited texts. Training moves the points; the translator that comes with the page has “hard” points that \
             have learnt."
        </p>
    }
}

fn row(points: BiasPoints) -> impl IntoView {
    let example = points.example();
    view! {
        <tr>
            <th scope="row">{points.title()}</th>
            <td class="figure">{between(&example)}</td>
            <td class="figure">{format!("{:.2}", example.median)}</td>
            <td>{if example.are_drawn_together() { "draws them together" } else { "keeps them apart" }}</td>
        </tr>
    }
}

/// Returns one distance where all letters are equally far apart, else the least and the greatest.
fn between(example: &ExampleDistances) -> String {
    let [least, greatest] = example.between.map(|distance| format!("{distance:.2}"));
    if least == greatest { least } else { format!("{least} to {greatest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_same_distances() {
        let document = include_str!("../../docs/geometry.md");
        for points in BiasPoints::ALL {
            let example = points.example();
            let row = format!("| {} | {:.2} |", between(&example), example.median);
            let has = |line: &str| line.contains(&format!("`{}`", points.name())) && line.ends_with(&row);
            assert!(document.lines().any(has), "{row}");
        }
    }
}
