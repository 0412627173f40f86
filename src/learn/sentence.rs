//! Step 7: trees of sentences, and how much of them a probe finds in the restorer's states.

use super::Try;
use crate::kit::format;
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use tuppum_plot::arcs::{ArcTree, Arcs, svg};
use tuppum_protocol::ProbedTrees;
use tuppum_protocol::dependencies::{ProbedSentence, WordTree};

/// Results of the probe, written by `tuppum-lab hybonet probe --drawn`.
const PROBED_TREES: &str = include_str!("../../assets/examples/dependency-trees.json");

#[component]
pub fn Step() -> impl IntoView {
    // A test reads the same file; if it were broken, the list of sentences would be empty.
    let trees = StoredValue::new(serde_json::from_str::<ProbedTrees>(PROBED_TREES).unwrap_or_default());
    let last = trees.with_value(|trees| trees.layers.len().saturating_sub(1));
    let (sentence, layer) = (RwSignal::new(0usize), RwSignal::new(last));
    let told = move || {
        trees.with_value(|trees| {
            trees.sentences.get(sentence.get()).map(|one| told(trees, one, layer.get())).unwrap_or_default()
        })
    };
    view! {
        <section class="card step" id="learn-step-7" aria-labelledby="learn-7">
            <h2 id="learn-7">"7. Trees that nobody taught it"</h2>
            <p>
                "A sentence is a tree too: every word hangs on another one, and one, the root, on none. Scholars have \
                 drawn such trees for royal inscriptions. The restorer never saw one; it only learnt to fill gaps. Are \
                 they in its states all the same?"
            </p>
            <p>
                "A probe tries to read them off: a small map, learnt from other sentences with their trees, puts every \
                 word’s state as a point into hyperbolic space, where a tree has room (step 3), so that words are as \
                 far apart there as they are in the tree. Then each word is linked to what is nearest, so that all \
                 hang together."
            </p>
            <Controls trees sentence layer />
            <Picture trees sentence layer />
            <p id="learn-sentence-told" role="status">
                {told}
            </p>
            <p class="hint">
                "Unbroken arcs on the right are links that the scholars drew too, dashed ones are not; a square marks \
                 the root. Trees of the scholars: Universal Dependencies, treebanks RIAO and PISANDUB (Luukko, Sahala, \
                 Hardwick and Lindén 2020), CC BY-SA. The sentences were drawn by chance from those that the probe \
                 did not learn from."
            </p>
            <Try
                question="Move the layer from 0, where a state knows only its own sign, to the last. Does more of the \
                    tree appear? Would you let this probe parse a sentence for you?"
                answer="More with nearly every layer: much of the sentence is in the states, and more than there was \
                    before the restorer had learnt to fill gaps better. But over all sentences the probe finds fewer \
                    links than one who links every word to the next. So no, and that is why this page parses no text \
                    of yours."
            />
        </section>
    }
}

/// Menu of the sentence, and slider of the layer.
#[component]
fn Controls(trees: StoredValue<ProbedTrees>, sentence: RwSignal<usize>, layer: RwSignal<usize>) -> impl IntoView {
    let last = layer.get_untracked();
    let number = move || trees.with_value(|trees| trees.layers.get(layer.get()).copied().unwrap_or_default());
    let choices = trees.with_value(|trees| trees.sentences.iter().map(choice).collect::<Vec<_>>());
    let choices = choices.into_iter().enumerate().map(|(at, name)| view! { <option value=at>{name}</option> });
    view! {
        <div class="filters">
            <label>
                <span>"Sentence"</span>
                <select
                    id="learn-sentence"
                    on:change=move |event| sentence.set(event_target_value(&event).parse().unwrap_or(0))
                >
                    {choices.collect_view()}
                </select>
            </label>
        </div>
        <div class="slider">
            <label for="learn-layer">"Layer"</label>
            <input
                id="learn-layer"
                type="range"
                min="0"
                max=last.to_string()
                step="1"
                prop:value=move || layer.get().to_string()
                aria-valuetext=move || number().to_string()
                on:input=move |event| layer.set(event_target_value(&event).parse().unwrap_or(0))
            />
            <output for="learn-layer" class="figure">{number}</output>
        </div>
    }
}

/// Picture of both trees.
#[component]
fn Picture(trees: StoredValue<ProbedTrees>, sentence: RwSignal<usize>, layer: RwSignal<usize>) -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let picture = move || {
        tree.colours.track();
        trees.with_value(|trees| {
            let arcs = trees.sentences.get(sentence.get()).map(|one| arcs(one, layer.get())).unwrap_or_default();
            svg(&arcs, &palette(), "The tree of a sentence as scholars drew it, and as the probe finds it")
        })
    };
    view! { <div class="known" inner_html=picture></div> }
}

fn arcs(sentence: &ProbedSentence, layer: usize) -> Arcs {
    let side = |name: &str, tree: &WordTree| ArcTree {
        name: name.to_owned(),
        links: tree.links.clone(),
        root: Some(tree.root),
    };
    let right = sentence.found.get(layer).map(|tree| side("found by the probe", tree)).unwrap_or_default();
    Arcs { words: sentence.words.clone(), left: side("drawn by scholars", &sentence.tree), right }
}

/// Returns the name of a sentence in the menu.
fn choice(sentence: &ProbedSentence) -> String {
    format!("{} ({})", sentence.words.join(" "), sentence.text)
}

/// Returns a paragraph with the links that the probe finds in a sentence, and in all sentences.
fn told(trees: &ProbedTrees, sentence: &ProbedSentence, layer: usize) -> String {
    let Arcs { left, right, words } = arcs(sentence, layer);
    let neighbours = ArcTree { links: WordTree::of_neighbours(words.len()).links, ..ArcTree::default() };
    let root = if left.root == right.root { "and the root" } else { "and takes another word for the root" };
    let percent = |share: f64| format::percent(share as f32 / 100.0);
    format!(
        "In this sentence the probe finds {} of {}, {root}; linking every word to the next finds {}. In all sentences \
         that it did not learn from: {} from this layer, {} for the next word.",
        right.shared_with(&left),
        format::plural(left.links.len(), "link", "links"),
        neighbours.shared_with(&left),
        percent(trees.found.get(layer).copied().unwrap_or_default()),
        percent(trees.neighbours),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_whole_trees_for_every_layer() {
        let trees: ProbedTrees = serde_json::from_str(PROBED_TREES).unwrap();
        assert!(trees.layers.len() > 2 && trees.found.len() == trees.layers.len() && trees.sentences.len() > 4);
        for sentence in &trees.sentences {
            let words = sentence.words.len();
            assert_eq!(sentence.found.len(), trees.layers.len(), "{}", sentence.text);
            for tree in sentence.found.iter().chain([&sentence.tree]) {
                assert_eq!(tree.links.len() + 1, words, "{}", sentence.text);
                assert!(tree.root < words && tree.links.iter().all(|[one, other]| one < other && *other < words));
            }
        }
    }

    /// Checks the claims of the step's text: the last layer finds more than the first, and less than linking neighbours
    /// does.
    #[test]
    fn the_lesson_says_what_the_figures_say() {
        let trees: ProbedTrees = serde_json::from_str(PROBED_TREES).unwrap();
        let [first, last] = [trees.found[0], trees.found[trees.found.len() - 1]];
        assert!(first < last && last < trees.neighbours, "{:?} and {}", trees.found, trees.neighbours);
        let told = told(&trees, &trees.sentences[0], 0);
        assert!(told.contains("of") && told.contains(&format::percent(trees.neighbours as f32 / 100.0)), "{told}");
    }
}
