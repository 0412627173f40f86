//! Step 2 for a translator: the augmentations of training on the user's own lines, one after the other, with the
//! changes of each marked; drawn again at each press.

use crate::train::Training;
use leptos::prelude::*;
use tuppum_random::Random;
use tuppum_text::augment::{Rates, drop_signs, shuffle_words, vary_determinatives};

/// A line after one step of the augmentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AugmentedLine {
    /// Name of the step.
    pub what: &'static str,
    /// The whole line.
    pub text: String,
    /// Words of the line, each with `true` if it differs from the word at the same position one step before.
    pub words: Vec<(String, bool)>,
}

/// Returns the line as read, and after each of the three augmentations, as training makes it with `seed`.
pub fn augmented_lines(text: &str, seed: u64, rates: &Rates) -> [AugmentedLine; 4] {
    let mut draws = Random::new(seed);
    let dropped = drop_signs(text, rates.drop, rates.keep, &mut draws);
    let shuffled = shuffle_words(&dropped, rates.shuffle, rates.within, &mut draws);
    let varied = vary_determinatives(&shuffled, rates.vary, &mut draws);
    [
        AugmentedLine { what: "As read", words: words(text, text), text: text.to_owned() },
        AugmentedLine { what: "Signs lost", words: words(text, &dropped), text: dropped.clone() },
        AugmentedLine { what: "Words moved", words: words(&dropped, &shuffled), text: shuffled.clone() },
        AugmentedLine { what: "Notation varied", words: words(&shuffled, &varied), text: varied },
    ]
}

fn words(before: &str, after: &str) -> Vec<(String, bool)> {
    let mut before = before.split(' ');
    after.split(' ').map(|word| (word.to_owned(), before.next() != Some(word))).collect()
}

/// Number of lines shown.
const SHOWN_LINES: usize = 3;

/// Step 2 for a translator: preview of the augmented lines.
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
            let places =
                (0..SHOWN_LINES.min(count)).map(|line| (line + draw as usize * SHOWN_LINES - SHOWN_LINES) % count);
            places.map(|place| pairs[place].source.clone()).collect::<Vec<_>>()
        })
    };
    let rows = move || {
        let (rates, draw) = (rates.get(), training.draw.get());
        let lines = lines().into_iter().enumerate();
        lines
            .map(|(number, line)| line_rows(augmented_lines(&line, draw.wrapping_mul(31) + number as u64, &rates)))
            .collect_view()
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
fn line_rows(augmented_lines: [AugmentedLine; 4]) -> impl IntoView {
    let row = |AugmentedLine { what, words, .. }: AugmentedLine| {
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
    view! { <tbody>{augmented_lines.map(row).collect_view()}</tbody> }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::augment::augment;

    #[test]
    fn the_last_line_is_what_training_sees_and_changes_are_marked() {
        let (text, rates) = ("a-na {d}UTU be-li₂-ni qi₂-bi₂-ma um-ma", Rates::default());
        let mut changed = 0;
        for seed in 1..20 {
            let steps = augmented_lines(text, seed, &rates);
            assert_eq!(steps[3].text, augment(text, &rates, &mut Random::new(seed)));
            for two in steps.windows(2) {
                let marked = two[1].words.iter().filter(|(_, differs)| *differs).count();
                assert_eq!(marked == 0, two[0].text == two[1].text);
                changed += marked;
            }
        }
        assert!(changed > 10);
    }
}
