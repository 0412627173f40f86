//! The chosen row of the maps as a table: what it attends to most.

use super::maps::{change, percent};
use crate::attention::{Attention, Shown};
use leptos::prelude::*;

/// Number of rows of the table.
const LISTED: usize = 10;

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

fn rows(attention: Attention, shown: &Shown, row: usize) -> impl IntoView + use<> {
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
    columns.iter().take(LISTED).map(line).collect_view()
}
