//! List of proper names with their renderings; where a name is rendered in two ways, a button makes them agree.

use crate::kit::format;
use crate::translate::Translating;
use crate::translate::state::names::names;
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use tuppum_protocol::translation::names::{Name, Places};

/// List of names; names rendered in more than one way come first.
#[component]
pub fn Names() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let all = Memo::new(move |_| {
        let mut all = translating.shown.with(|shown| names(shown.passages.iter().map(|(rendering, _)| rendering)));
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
    let order = move || all.with(|all| all.iter().map(|name| name.name.clone()).collect::<Vec<_>>());
    view! {
        <details
            id="names"
            class="names"
            data-disagreeing=move || disagreeing.get().to_string()
            hidden=move || all.with(Vec::is_empty)
        >
            <summary>{summary}</summary>
            <p class="hint">
                "Recognised by a determinative or a capital letter; some of these are not names. What you change here \
                 is marked as "
                "your wording, and also applies to what is translated later."
            </p>
            <ul>
                <For each=order key=Clone::clone let:name>
                    <Row name all />
                </For>
            </ul>
        </details>
    }
}

/// Row of a name. While translations come in it stays the same element, so that its field keeps the text typed into it.
#[component]
fn Row(name: String, all: Memo<Vec<Name>>) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let wanted = name.clone();
    // Counts only, not places: places move with each passage that is translated before them.
    let found = Memo::new(move |_| {
        let counted = |(rendering, places): &(String, Places)| (rendering.clone(), places.len());
        let counts = |name: &Name| name.renderings.iter().map(counted).collect::<Vec<_>>();
        all.with(|all| all.iter().find(|one| one.name == wanted).map(counts)).unwrap_or_default()
    });
    let disagrees = move || found.with(|renderings| renderings.len() > 1);
    let named = name.clone();
    let renderings = move || found.with(|found| renderings(translating, &named, found));
    let field = NodeRef::<Input>::new();
    let source = name.clone();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = field.get_untracked().map(|field| field.value().trim().to_owned()).unwrap_or_default();
        if !typed.is_empty() {
            translating.agree(&source, &typed);
        }
    };
    view! {
        <li data-name=name.clone() class:disagrees=disagrees>
            <span lang="akk-Latn">{name.clone()}</span>
            ": "
            {renderings}
            <form class="spelling" on:submit=submit>
                <input
                    node_ref=field
                    type="text"
                    autocomplete="off"
                    placeholder="another spelling"
                    aria-label=format!("Another spelling of {name}")
                />
                <button type="submit" class="quiet">
                    "Use everywhere"
                </button>
            </form>
        </li>
    }
}

/// Returns the renderings of a name; where there are several, each has a button that uses it everywhere.
fn renderings(translating: Translating, name: &str, found: &[(String, usize)]) -> impl IntoView + use<> {
    let disagrees = found.len() > 1;
    let one = |(rendering, count): &(String, usize)| {
        let times = format::plural(*count, "time", "times");
        let (source, wanted) = (name.to_owned(), rendering.clone());
        let button = disagrees.then(|| {
            view! {
                " "
                <button
                    type="button"
                    data-rendering=rendering.clone()
                    on:click=move |_| translating.agree(&source, &wanted)
                >
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
    };
    found.iter().map(one).collect_view()
}
