//! The lesson: six steps from the sign with many readings to a restoration read critically, each with something to do.

mod bias;
mod circles;
mod damage;
mod polyvalence;
mod restoration;
mod script;

use super::colours::Colours;
use crate::app::attention::reading;
use crate::app::state::Workbench;
use crate::app::tree::SignTree;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The line that the steps work on, from context.
#[derive(Clone, Copy)]
struct Line(RwSignal<String>);

impl Line {
    /// What a model would read of it.
    fn read(self) -> String {
        self.0.with(|typed| reading::read(typed).text)
    }
}

/// The page.
#[component]
pub fn LearnPage() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    provide_context(Line(RwSignal::new(reading::EXAMPLE.to_owned())));
    tree.load();
    view! {
        <main class="learn">
            <Colours />
            <section class="card" aria-labelledby="learn-title">
                <h2 id="learn-title" tabindex="-1">
                    "Six steps: why signs have a shape in space, and what a machine’s reading is worth"
                </h2>
                <p>
                    "Everything here works on this machine, without a network. Steps 4 and 5 use your own line; each step ends with a question to try."
                </p>
                <YourLine />
            </section>
            <polyvalence::Step />
            <script::Step />
            <circles::Step />
            <bias::Step />
            <damage::Step />
            <restoration::Step />
        </main>
    }
}

/// Focuses the lesson's heading.
pub fn focus_first() {
    let heading = document().get_element_by_id("learn-title");
    if let Some(heading) = heading.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only where there is nothing to focus.
        let _ = heading.focus();
    }
}

#[component]
fn YourLine() -> impl IntoView {
    let (line, workbench) = (expect_context::<Line>(), expect_context::<Workbench>());
    let take = move |_| {
        let read = workbench.document.with_untracked(|document| reading::read(&document.source).text);
        let short: Vec<&str> = read.split(' ').take(8).collect();
        if !short.is_empty() {
            line.0.set(short.join(" "));
        }
    };
    view! {
        <div class="find">
            <label for="learn-line">"Your line"</label>
            <input
                id="learn-line"
                type="text"
                autocomplete="off"
                spellcheck="false"
                prop:value=line.0
                on:input=move |event| line.0.set(event_target_value(&event))
            />
            <button id="learn-take" type="button" on:click=take>
                "Take the first words of the workbench"
            </button>
        </div>
    }
}

/// A question to try, with its answer folded.
#[component]
fn Try(question: &'static str, answer: &'static str) -> impl IntoView {
    view! {
        <div class="try">
            <p>
                <strong>"Try: "</strong>
                {question}
            </p>
            <details>
                <summary>"Answer"</summary>
                <p>{answer}</p>
            </details>
        </div>
    }
}
