//! Steps 1 and 2: one sign with many readings, and the script as a tree.

use super::Try;
use crate::kit::format;
use crate::restore::view::marks;
use crate::tree::SignTree;
use crate::tree::page::SmallTree;
use leptos::prelude::*;
use tuppum_text::signs::hierarchy::{Hierarchy, Kind};

/// Signs to choose from, by their names in the tree.
const SIGNS: [&str; 6] = ["AN", "KA", "UD", "NI", "BAD", "KUR"];
/// Maximum number of readings that are listed.
const MAX_READINGS: usize = 12;

#[component]
pub fn SignStep() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let chosen = RwSignal::new(SIGNS[0]);
    let buttons = SIGNS.map(|sign| {
        view! {
            <button
                type="button"
                data-sign-name=sign
                aria-pressed=move || (chosen.get() == sign).to_string()
                on:click=move |_| chosen.set(sign)
            >
                {sign}
            </button>
        }
    });
    let card = move || match tree.script() {
        Some(script) => readings(&script.tree, chosen.get()).into_any(),
        None => view! { <p class="hint" role="status">"Fetching the signs …"</p> }.into_any(),
    };
    view! {
        <section class="card step" id="learn-step-1" aria-labelledby="learn-1">
            <h2 id="learn-1">"1. One sign, many readings"</h2>
            <p>
                "A cuneiform sign is polyvalent: it stands for several words and several syllables, and only the \
                 context tells which. The sign AN, "
                <span class="cuneiform" lang="akk-Xsux">"𒀭"</span>
                ", is the syllable " <i lang="akk-Latn">"an"</i>
                ", the logogram DINGIR, “god”, and the determinative {d}, which stands before the names of gods and \
                 was not spoken."
            </p>
            <p>
                "It is the same the other way round: one sound is written with several signs. The index numbers of a \
                 transliteration keep them apart: "
                <i lang="akk-Latn">"u"</i> ", " <i lang="akk-Latn">"u₂"</i> " and " <i lang="akk-Latn">"u₃"</i>
                " sound alike but are three signs."
            </p>
            <p class="buttons" role="group" aria-label="Signs">
                {buttons.collect_view()}
            </p>
            <div id="learn-sign">{card}</div>
            <Try
                question="The sign UD is read ud, ut, tam, par, BABBAR or UTU. In {d}UTU, what tells you that it is \
                    the sun god?"
                answer="The determinative {d} before it: it announces the name of a god, and among the readings of UD \
                    only UTU is such a name. A Babylonian said Šamaš, a Sumerian Utu."
            />
        </section>
    }
}

fn readings(tree: &Hierarchy, name: &str) -> impl IntoView + use<> {
    let sign = tree.at_path([name]);
    let about = tree.node(sign).filter(|about| about.kind == Kind::Sign).cloned()?;
    let all = tree.children(sign);
    let whole: u64 = all.iter().filter_map(|reading| tree.node(*reading)).map(|reading| reading.count).sum();
    let row = |reading: &usize| {
        let reading = tree.node(*reading)?;
        let share = reading.count as f32 / whole.max(1) as f32;
        Some(view! {
            <tr>
                <th scope="row">{marks::reading(&reading.label)}</th>
                <td class="figure">{format::count(reading.count)}</td>
                <td>{marks::probability(share)}</td>
            </tr>
        })
    };
    let count = format::plural(all.len(), "reading", "readings");
    let times = format::count(whole);
    let cut = if all.len() > MAX_READINGS { format!(" The {MAX_READINGS} most frequent:") } else { String::new() };
    Some(view! {
        <p>
            <span class="large">{marks::glyph(&about.glyph)}</span>
            {format!(" {}: {count}, {times} times in the corpora.{cut}", about.label)}
        </p>
        <div class="scrolled" tabindex="0" role="region" aria-label="Readings of the sign">
            <table id="learn-readings" class="plain" aria-label=format!("Readings of {}", about.label)>
                <thead>
                    <tr>
                        <th scope="col">"Reading"</th>
                        <th scope="col">"Times"</th>
                        <th scope="col">"Share"</th>
                    </tr>
                </thead>
                <tbody>{all.iter().take(MAX_READINGS).filter_map(row).collect_view()}</tbody>
            </table>
        </div>
    })
}

#[component]
pub fn TreeStep() -> impl IntoView {
    view! {
        <section class="card step" id="learn-step-2" aria-labelledby="learn-2">
            <h2 id="learn-2">"2. The script as a tree"</h2>
            <p>
                "Signs have readings, readings occur in words, words in phrases: a hierarchy, here of 741 signs, \
                 3\u{202f}448 readings, 28\u{202f}486 words and 5\u{202f}191 phrases counted in editions. Two readings \
                 of one sign are close together in it, readings of different signs far apart."
            </p>
            <p>
                "The tree is a simplification. A word that is written with several signs belongs under a reading of \
                 each; here it hangs under only one, the first that is not a determinative. In truth the script is a \
                 network, with many ways to a word."
            </p>
            <SmallTree />
            <Try
                question="Go to a sign (press its node, or use the key ↓), and from there to a reading of it \
                    in the same way. How many steps is it from that reading to the next reading of the same sign, and \
                    how many to a reading of another sign?"
                answer="Two, up to the sign and down again; and four, since the way to another sign leads through the \
                    root."
            />
        </section>
    }
}
