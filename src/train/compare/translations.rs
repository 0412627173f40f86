//! Translations before training and now, beside those of the corpus: samples taken during the run, and BLEU and chrF++
//! of the base and the trained translator on held-out pairs.

use crate::frame::progress::meter;
use crate::kit::format;
use crate::train::{RunStatus, Training};
use leptos::prelude::*;
use tuppum_protocol::{Sample, Scored as Found, ScoredFigure, Task, Translations};

/// Sample translations before training and now; absent until there are some.
#[component]
pub fn Samples() -> impl IntoView {
    let training = expect_context::<Training>();
    let there = Memo::new(move |_| training.samples.with(|samples| !samples.is_empty()));
    let rows = move || training.samples.get().into_iter().map(sample_drawn).collect_view();
    view! {
        <Show when=move || there.get()>
            <h3>"Samples"</h3>
            <p class="hint">"Machine translations that take the likeliest byte each time. A dot stands for a letter of \
                another script. They show how training is going, not how good the model is."</p>
            <div id="train-samples">{rows}</div>
        </Show>
    }
}

fn sample_drawn(sample: Sample) -> impl IntoView {
    let side = if sample.held_out { "set aside" } else { "trained on" };
    let (step, after) = match sample.after {
        Some((step, text)) => (format!("After {step} steps"), shown(&text, &sample.target)),
        None => ("Now".to_owned(), "not yet".to_owned()),
    };
    let before = shown(&sample.before, &sample.target);
    view! {
        <dl class="facts sample">
            <dt>"Source"</dt>
            <dd lang="akk-Latn">{sample.source} " " <span class="hint">{format!("({side})")}</span></dd>
            <dt>"Corpus"</dt>
            <dd>{sample.target}</dd>
            <dt>"Before"</dt>
            <dd>{before}</dd>
            <dt>{step}</dt>
            <dd data-after="true">{after}</dd>
        </dl>
    }
}

/// Returns a translation as the page shows it, or “(nothing)” for an empty one. A model that has learnt little writes
/// letters of any script. Where the corpus has only Latin letters, others are shown as "·": the browser would search
/// all fonts of the machine for each of them, which would freeze the page.
pub fn shown(text: &str, corpus: &str) -> String {
    if text.trim().is_empty() {
        return "(nothing)".to_owned();
    }
    let foreign = |letter: char| !is_of_translations(letter);
    if corpus.chars().any(foreign) { text.to_owned() } else { text.replace(foreign, "·") }
}

/// Returns `true` for letters and marks that occur in translations into languages with Latin script, and in names in
/// them.
fn is_of_translations(letter: char) -> bool {
    let is_latin = matches!(letter, ' '..='~' | '\u{a0}'..='\u{17f}' | 'ʾ' | 'ʿ' | '\u{1e00}'..='\u{1eff}');
    is_latin || matches!(letter, '\u{2010}'..='\u{2027}' | '₀'..='₉') || letter.is_whitespace()
}

/// Button, progress and scores; absent until all steps are done, or if no pair was held out.
#[component]
pub fn Scored() -> impl IntoView {
    let training = expect_context::<Training>();
    let opening = Memo::new(move |_| training.status() == Some(RunStatus::Opening));
    let there = Memo::new(move |_| match training.status() {
        Some(RunStatus::Opening) => training.task() == Task::Translation,
        Some(RunStatus::Finished) => training.compared.with(Option::is_some),
        _ => false,
    });
    let busy = Memo::new(move |_| training.scoring.is_running());
    let waits = Memo::new(move |_| training.session.with(Option::is_some));
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
                {move || match training.is_scoring_wanted.get() {
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
    let explanation = format!(
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
            <p class="hint">{explanation}</p>
            <details>
                <summary>"The translations that changed most"</summary>
                {found.changed.into_iter().map(translations).collect_view()}
            </details>
        </div>
    }
}

fn translations(Translations { source, target, before, after }: Translations) -> impl IntoView {
    let [before, after] = [before, after].map(|text| shown(&text, &target));
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

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn letters_of_other_scripts_are_dots_where_the_corpus_has_none() {
        assert_eq!(shown("sЈ$g ȁ Kaneš: “ḫa”", "Kārum-Kaneš"), "s·$g · Kaneš: “ḫa”");
        assert_eq!(shown("говорит", "так говорит Ашшур"), "говорит");
        assert_eq!(shown(" ", "King"), "(nothing)");
    }
}
