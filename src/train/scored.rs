//! BLEU and chrF++ of the base and the trained translator, on held-out pairs.

use crate::shell::format;
use crate::shell::progress::meter;
use crate::train::{Standing, Training};
use leptos::prelude::*;
use tuppum_protocol::{Scored as Found, ScoredFigure, Task, Translations};

/// Button, progress and scores; absent until all steps are done, or if no pair was held out.
#[component]
pub fn Scored() -> impl IntoView {
    let training = expect_context::<Training>();
    let opening = Memo::new(move |_| training.standing() == Some(Standing::Opening));
    let there = Memo::new(move |_| match training.standing() {
        Some(Standing::Opening) => training.task() == Task::Translation,
        Some(Standing::Finished) => training.compared.with(Option::is_some),
        _ => false,
    });
    let busy = Memo::new(move |_| training.scoring.is_running());
    let waits = Memo::new(move |_| training.sitting.with(Option::is_some));
    let found = move || training.scored.get().map(drawn);
    view! {
        <Show when=move || there.get()>
            <p class="buttons">
                <button
                    id="train-score"
                    type="button"
                    hidden=move || busy.get()
                    aria-disabled=move || waits.get().to_string()
                    on:click=move |_| if !waits.get_untracked() { training.score_when_open() }
                >
                    "Translate what was set aside, and score it"
                </button>
                <button
                    id="train-score-stop"
                    type="button"
                    hidden=move || !busy.get()
                    on:click=move |_| training.scoring.stop()
                >
                    "Stop scoring"
                </button>
            </p>
            <p class="hint" role="status" hidden=move || !opening.get()>
                {move || match training.to_score.get() {
                    true => "Scores as soon as the run is open.",
                    false => "The run is being opened; you can press this already.",
                }}
            </p>
            <Show when=move || busy.get()>
                <p id="train-scoring" class="progress">
                    {move || meter(training.scoring.progress(), "Loading the starting model")}
                </p>
            </Show>
            {found}
        </Show>
    }
}

fn drawn(found: Found) -> impl IntoView {
    let row = |ScoredFigure { name, before, after, difference, interval: [low, high] }: ScoredFigure| {
        let difference = format!("{difference:+.2} ({low:+.2} to {high:+.2})").replace('-', "−");
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="figure">{format!("{before:.2}")}</td>
                <td class="figure">{format!("{after:.2}")}</td>
                <td class="figure">{difference}</td>
            </tr>
        }
    };
    let [pairs, of] = found.pairs;
    let some = if pairs < of { format!(" of {}", format::count(of as u64)) } else { String::new() };
    let told = format!(
        "{}{some} set aside, translated in the quickest way, up to 256 bytes each. BLEU and chrF++ are computed as \
         sacreBLEU does: 100 is the corpus’s own translation, word for word. Near 0 they do not say which model is \
         better; then look at the bits per byte: they say how much the corpus’s translation surprises the model, and \
         fewer are better.",
        format::plural(pairs, "pair", "pairs"),
    );
    view! {
        <div id="train-scored" role="status">
            <div class="scrolled">
                <table class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"Score"</th>
                            <th scope="col">"Before"</th>
                            <th scope="col">"Now"</th>
                            <th scope="col">"Difference (95 %)"</th>
                        </tr>
                    </thead>
                    <tbody>{found.figures.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <p class="hint">{told}</p>
            <details>
                <summary>"The translations that changed most"</summary>
                {found.changed.into_iter().map(translations).collect_view()}
            </details>
        </div>
    }
}

fn translations(Translations { source, target, before, after }: Translations) -> impl IntoView {
    let [before, after] = [before, after].map(|text| super::samples::shown(&text, &target));
    view! {
        <dl class="facts sample">
            <dt>"Source"</dt>
            <dd lang="akk-Latn">{source}</dd>
            <dt>"Corpus"</dt>
            <dd>{target}</dd>
            <dt>"Before (machine)"</dt>
            <dd>{before}</dd>
            <dt>"Now (machine)"</dt>
            <dd>{after}</dd>
        </dl>
    }
}
