//! The first rows of the corpus as a table, with menus that assign its columns.

use crate::train::Training;
use leptos::prelude::*;
use tuppum_text::pair_table::{Columns, Shape, Table};

/// Number of rows in the table.
const SHOWN_ROWS: usize = 4;
/// Number of letters shown of a cell.
const SHOWN_LETTERS: usize = 90;

/// Table of the first rows with menus that assign its columns; absent without a corpus.
#[component]
pub fn Mapping() -> impl IntoView {
    let training = expect_context::<Training>();
    let problem = move || {
        training
            .table
            .with(|table| table.as_ref().and_then(|table| training.columns.with(|columns| columns.problem(table))))
    };
    view! {
        <div id="corpus-mapping" hidden=move || training.table.with(Option::is_none)>
            <div class="choices-row">
                <ShapeMenu />
                <Header />
                <Menu
                    id="column-source"
                    name="Transliteration"
                    get=|columns| columns.source
                    set=|columns, to| columns.source = to
                />
                <Menu
                    id="column-target"
                    name="Translation"
                    get=|columns| columns.target
                    set=|columns, to| columns.target = to
                />
                <Menu id="column-text" name="Text" get=|columns| columns.text set=|columns, to| columns.text = to />
                <Menu
                    id="column-weight"
                    name="Weight"
                    get=|columns| columns.weight
                    set=|columns, to| columns.weight = to
                />
            </div>
            <p id="corpus-problem" class="warning-line" role="status" hidden=move || problem().is_none()>
                {problem}
            </p>
            <div class="scrolled" tabindex="0" role="region" aria-label="First rows of the corpus">
                {move || training.table.get().map(|table| drawn(&table, training.columns.get()))}
            </div>
        </div>
    }
}

/// Menu of separators.
#[component]
fn ShapeMenu() -> impl IntoView {
    let training = expect_context::<Training>();
    let present = move || training.table.with(|table| table.as_ref().map(|table| table.shape));
    let choose = move |event| {
        let chosen = Shape::ALL.into_iter().find(|shape| name_of(*shape) == event_target_value(&event));
        training.choose(|choices| (choices.shape, choices.header, choices.columns) = (chosen, None, None));
        training.read_again();
    };
    let option = move |shape: Shape| {
        view! {
            <option value=name_of(shape) prop:selected=move || present() == Some(shape)>
                {name_of(shape)}
            </option>
        }
    };
    view! {
        <label class="field">
            <span>"Cells are separated by"</span>
            <select id="corpus-shape" on:change=choose>
                {Shape::ALL.map(option).collect_view()}
            </select>
        </label>
    }
}

fn name_of(shape: Shape) -> &'static str {
    match shape {
        Shape::Tabs => "tabs",
        Shape::Commas => "commas",
        Shape::Semicolons => "semicolons",
        Shape::Json => "JSON",
    }
}

#[component]
fn Header() -> impl IntoView {
    let training = expect_context::<Training>();
    let is_json = move || training.table.with(|table| table.as_ref().is_some_and(|table| table.shape == Shape::Json));
    let checked = move || training.table.with(|table| table.as_ref().is_some_and(|table| table.header));
    let choose = move |event| {
        let header = Some(event_target_checked(&event));
        training.choose(|choices| (choices.header, choices.columns) = (header, None));
        training.read_again();
    };
    view! {
        <label class="choice" hidden=is_json>
            <input id="corpus-header" type="checkbox" prop:checked=checked on:change=choose />
            "The first row names the columns"
        </label>
    }
}

/// Menu that assigns one column.
#[component]
fn Menu(
    id: &'static str,
    name: &'static str,
    get: fn(&Columns) -> Option<usize>,
    set: fn(&mut Columns, Option<usize>),
) -> impl IntoView {
    let training = expect_context::<Training>();
    let names = Memo::new(move |_| {
        training.table.with(|table| table.as_ref().map(|table| table.columns.clone()).unwrap_or_default())
    });
    let choose = move |event| {
        let mut columns = training.columns.get_untracked();
        set(&mut columns, event_target_value(&event).parse().ok());
        training.choose(|choices| choices.columns = Some(columns));
        training.read_again();
    };
    let options = move || {
        let chosen = training.columns.with(get);
        let named = names.get().into_iter().enumerate().map(|(number, column)| {
            view! {
                <option value=number.to_string() selected={chosen == Some(number)}>
                    {column}
                </option>
            }
        });
        view! {
            <option value="" selected=chosen.is_none()>
                "none"
            </option>
            {named.collect_view()}
        }
    };
    view! {
        <label class="field">
            <span>{name}</span>
            <select id=id on:change=choose>
                {options}
            </select>
        </label>
    }
}

fn drawn(table: &Table, columns: Columns) -> impl IntoView + use<> {
    let role = |column: usize| {
        let chosen = columns.chosen().iter().position(|chosen| *chosen == Some(column));
        chosen.map(|place| ["transliteration", "translation", "text", "weight"][place])
    };
    let heads = table.columns.iter().enumerate().map(|(number, name)| {
        view! {
            <th scope="col">
                {name.clone()}
                <span class="hint">{role(number)}</span>
            </th>
        }
    });
    let heads = heads.collect_view();
    let rows = table.rows.iter().take(SHOWN_ROWS).map(|row| {
        let cells = row.cells.iter().map(|cell| view! { <td>{cut(cell)}</td> }).collect_view();
        view! {
            <tr>
                <th scope="row" class="figure">
                    {row.line}
                </th>
                {cells}
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <table id="corpus-table" class="plain">
            <thead>
                <tr>
                    <th scope="col">"Line"</th>
                    {heads}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn cut(cell: &str) -> String {
    let mut letters = cell.chars();
    let beginning: String = letters.by_ref().take(SHOWN_LETTERS).collect();
    if letters.next().is_some() { beginning + "…" } else { beginning }
}
