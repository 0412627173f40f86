//! Step 2: the augmentations of training on the user's own lines, drawn again at each press.

use crate::train::Training;
use crate::train::preview::{Made, made};
use leptos::prelude::*;
use tuppum_text::augment::Rates;

/// Number of lines shown.
const LINES: usize = 3;

/// The step.
#[component]
pub fn Preview() -> impl IntoView {
    let training = expect_context::<Training>();
    let rates = Memo::new(move |_| training.choices.with(|choices| choices.rates));
    // Each press shows the next lines, where there are more.
    let lines = move || {
        let draw = training.draw.get();
        training.corpus.with(|prepared| {
            let pairs = prepared.as_ref().map(|prepared| prepared.corpus.pairs.as_slice()).unwrap_or_default();
            let count = pairs.len();
            let places = (0..LINES.min(count)).map(|line| (line + draw as usize * LINES - LINES) % count);
            places.map(|place| pairs[place].source.clone()).collect::<Vec<_>>()
        })
    };
    let rows = move || {
        let (rates, draw) = (rates.get(), training.draw.get());
        let lines = lines().into_iter().enumerate();
        lines.map(|(number, line)| group(made(&line, draw.wrapping_mul(31) + number as u64, &rates))).collect_view()
    };
    let there = Memo::new(move |_| {
        training.corpus.with(|prepared| prepared.as_ref().is_some_and(|p| !p.corpus.pairs.is_empty()))
    });
    view! {
        <section id="train-preview" class="card" aria-labelledby="train-preview-title">
            <h2 id="train-preview-title">"2. What training does to your lines"</h2>
            <p class="hint">
                "So that the model learns to read what is broken, its sources are changed in a new way each time; \
                 their translations stay the same. At least two legible signs always survive, no word moves by more \
                 than two places, and of the notation only determinatives change."
            </p>
            <p class="hint" hidden=move || there.get()>
                "Your lines appear here once there is a corpus."
            </p>
            <ChangeRates />
            <div class="scrolled">
                <table id="preview-rows" class="plain" aria-label="Your lines, changed step by step">
                    {rows}
                </table>
            </div>
            <p class="buttons">
                <button
                    id="preview-again"
                    type="button"
                    hidden=move || !there.get()
                    on:click=move |_| training.draw.update(|draw| *draw += 1)
                >
                    "Draw again"
                </button>
                <button
                    type="button"
                    class="quiet"
                    hidden=move || rates.get() == Rates::default()
                    on:click=move |_| training.choose(|choices| choices.rates = Rates::default())
                >
                    "Back to 15, 30 and 20 %"
                </button>
            </p>
        </section>
    }
}

/// Sliders for the rates of the augmentations.
#[component]
fn ChangeRates() -> impl IntoView {
    view! {
        <div class="choices-row">
            <Rate id="rate-drop" name="Signs lost" get=|rates| rates.drop set=|rates, to| rates.drop = to />
            <Rate id="rate-shuffle" name="Words moved" get=|rates| rates.shuffle set=|rates, to| rates.shuffle = to />
            <Rate id="rate-vary" name="Determinatives varied" get=|rates| rates.vary set=|rates, to| rates.vary = to />
        </div>
    }
}

/// Rows of a table for one line: as read, and after each augmentation.
fn group(made: [Made; 4]) -> impl IntoView {
    let row = |Made { what, words, .. }: Made| {
        let words = words.into_iter().map(|(word, differs)| match differs {
            true => view! { <mark>{word}</mark>" " }.into_any(),
            false => view! { {word}" " }.into_any(),
        });
        view! {
            <tr>
                <th scope="row">{what}</th>
                <td lang="akk-Latn">{words.collect_view()}</td>
            </tr>
        }
    };
    view! { <tbody>{made.map(row).collect_view()}</tbody> }
}

/// Slider of one rate.
#[component]
fn Rate(id: &'static str, name: &'static str, get: fn(&Rates) -> f64, set: fn(&mut Rates, f64)) -> impl IntoView {
    let training = expect_context::<Training>();
    let percent = move || (training.choices.with(|choices| get(&choices.rates)) * 100.0).round();
    let choose = move |event| {
        if let Ok(percent) = event_target_value(&event).parse::<f64>() {
            training.choose(|choices| set(&mut choices.rates, percent.clamp(0.0, 100.0) / 100.0));
        }
    };
    view! {
        <div class="slider">
            <label for=id>{name}</label>
            <input
                id=id
                type="range"
                min="0"
                max="60"
                step="1"
                prop:value=move || percent().to_string()
                on:input=choose
            />
            <output for=id class="figure">
                {move || format!("{} %", percent())}
            </output>
        </div>
    }
}
