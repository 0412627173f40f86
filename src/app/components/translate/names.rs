//! Proper names and their renderings; where one name is rendered in two ways, a button makes them agree.

use crate::app::format;
use crate::app::translation::Translating;
use crate::app::translation::names::names;
use crate::engine::protocol::translation::names::Name;
use leptos::prelude::*;

/// The list of names, those that disagree first.
#[component]
pub fn Names() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let all = Memo::new(move |_| {
        let mut all = translating.shown.with(|shown| names(&shown.unzip().0));
        all.sort_by_key(|name| !name.disagrees());
        all
    });
    let disagreeing = Memo::new(move |_| all.with(|all| all.iter().filter(|name| name.disagrees()).count()));
    let summary = move || {
        let count = format::plural(all.with(Vec::len), "proper name", "proper names");
        match disagreeing.get() {
            0 => format!("{count}, each rendered in one way"),
            some => format!("⚠ {count}, {} rendered in more than one way", format::count(some as u64)),
        }
    };
    let rows = move || all.get().into_iter().map(|name| row(translating, name)).collect_view();
    view! {
        <details
            id="names"
            class="names"
            data-disagreeing=move || disagreeing.get().to_string()
            hidden=move || all.with(Vec::is_empty)
        >
            <summary>{summary}</summary>
            <p class="hint">
                "Known by their determinatives or by a capital letter; a name found wrongly is no harm. What you make agree is marked as "
                "your wording."
            </p>
            <ul>{rows}</ul>
        </details>
    }
}

fn row(translating: Translating, name: Name) -> impl IntoView {
    let disagrees = name.disagrees();
    let renderings = name.renderings.into_iter().map(|(rendering, places)| {
        let times = format::plural(places.len(), "time", "times");
        let (source, wanted) = (name.name.clone(), rendering.clone());
        let button = disagrees.then(|| {
            view! {
                " "
                <button type="button" data-rendering=rendering.clone() on:click=move |_| translating.agree(&source, &wanted)>
                    {format!("Use “{rendering}” everywhere")}
                </button>
            }
        });
        view! {
            <span class="rendering">
                {rendering.clone()} " " <span class="hint">{format!("({times})")}</span> {button}
            </span>
            " "
        }
    });
    view! {
        <li data-name=name.name.clone() class:disagrees=disagrees>
            <span lang="akk-Latn">{name.name.clone()}</span>
            ": "
            {renderings.collect_view()}
        </li>
    }
}
