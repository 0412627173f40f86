//! The lesson: seven steps from the sign with many readings to the states of a network, each with something to try.
//! Here are the line that the steps work on and the question at the end of each.

pub mod bias;
pub mod circles;
pub mod damage;
pub mod page;
pub mod restoration;
pub mod sentence;
pub mod signs;

use crate::attention::reading;
use crate::restore::state::Workbench;
use leptos::prelude::*;

/// Line that the steps work on, provided as context.
#[derive(Clone, Copy)]
pub struct Line(pub RwSignal<String>);

impl Line {
    /// Returns the line as a model would read it.
    pub fn read(self) -> String {
        self.0.with(|typed| reading::read(typed).text)
    }
}

/// Field of the line.
#[component]
pub fn YourLine() -> impl IntoView {
    let (line, workbench) = (expect_context::<Line>(), expect_context::<Workbench>());
    let take = move |_| {
        let read = workbench.text.document.with_untracked(|document| reading::read(&document.source).text);
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

/// Question to try, with its answer folded.
#[component]
pub fn Try(question: &'static str, answer: &'static str) -> impl IntoView {
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
