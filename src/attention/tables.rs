//! Tables below the maps: what the chosen row attends to most, the shares of attention that the bias should raise, and
//! the distances between {d} and UTU for each kind of points that a new bias may begin with.

use super::maps::{change, percent};
use crate::attention::drawn_maps::AttentionShare;
use crate::attention::{Attention, DrawnMaps};
use leptos::prelude::*;
use tuppum_protocol::translation::bias::{BiasPoints, ExampleDistances};

/// Number of rows of the table.
const MAX_COLUMNS: usize = 10;

#[component]
pub fn Row() -> impl IntoView {
    let attention = expect_context::<Attention>();
    let title = move || {
        let row = attention.cursor.get()[0];
        let name = attention
            .shown
            .with(|shown| shown.as_ref().and_then(|shown| Some(shown.about_row(shown.groups.rows.get(row)?))));
        name.map_or_else(|| "Most attended to".to_owned(), |name| format!("What {name} attends to most"))
    };
    let rows = move || attention.shown.get().map(|shown| rows(attention, &shown, attention.cursor.get()[0]));
    view! {
        <section class="card" aria-labelledby="row-title">
            <h2 id="row-title">{title}</h2>
            <div class="scrolled">
                <table id="attention-row" class="plain" aria-labelledby="row-title">
                    <thead>
                        <tr>
                            <th scope="col">"Attended to"</th>
                            <th scope="col">"Left"</th>
                            <th scope="col">"Right"</th>
                            <th scope="col">"Change"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

fn rows(attention: Attention, shown: &DrawnMaps, row: usize) -> impl IntoView + use<> {
    let leading = shown.on.as_ref().unwrap_or(&shown.off);
    let mut columns: Vec<usize> = (0..leading.columns).collect();
    columns.sort_by(|one, other| leading.at(row, *other).total_cmp(&leading.at(row, *one)).then(one.cmp(other)));
    let line = |column: &usize| {
        let column = *column;
        let name = shown.groups.columns.get(column).map(|part| shown.about_column(part));
        let on = shown.on.as_ref().map(|on| percent(on.at(row, column)));
        let less = shown.difference.as_ref().map(|less| change(less.at(row, column)));
        view! {
            <tr>
                <th scope="row">
                    <button type="button" class="link" on:click=move |_| attention.choose([row, column])>
                        {name}
                    </button>
                </th>
                <td class="figure">{percent(shown.off.at(row, column))}</td>
                <td class="figure">{on}</td>
                <td class="figure">{less}</td>
            </tr>
        }
    };
    columns.iter().take(MAX_COLUMNS).map(line).collect_view()
}

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

fn table(shares: &[AttentionShare]) -> impl IntoView + use<> {
    let row = |share: &AttentionShare| {
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
