//! Step 5: damaged lines as training data.

use super::{Line, Try};
use leptos::prelude::*;
use tuppum_random::Random;
use tuppum_text::augment::{Rates, drop_signs, shuffle_words, vary_determinatives};

#[component]
pub fn Step() -> impl IntoView {
    let line = expect_context::<Line>();
    let rates = Rates::default();
    let seed = RwSignal::new(untrack(|| first(&line.read(), &rates)));
    let rows = move || {
        let text = line.read();
        made(&text, seed.get(), &rates).map(|(what, made)| {
            view! {
                <tr>
                    <th scope="row">{what}</th>
                    <td lang="akk-Latn">{made}</td>
                </tr>
            }
        })
    };
    view! {
        <section class="card step" id="learn-step-5" aria-labelledby="learn-5">
            <h2 id="learn-5">"5. Damage as a teacher"</h2>
            <p>
                {format!(
                    "Tablets are broken, and a model that has only seen whole lines fails on them. So it learns from \
                     lines that are damaged differently every time: each sign becomes x with probability {}, but at \
                     least {} legible ones stay; words change places with probability {}, by at most {}; \
                     determinatives are written in another notation with probability {}. The translation that it \
                     should give stays the same.",
                    rates.drop, rates.keep, rates.shuffle, rates.within, rates.vary,
                )}
            </p>
            <div class="scrolled">
                <table id="learn-damage" class="plain" aria-label="Your line, changed step by step">
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="buttons">
                <button id="learn-seed" type="button" on:click=move |_| seed.update(|seed| *seed += 1)>
                    "Damage it again"
                </button>
                <span class="hint">{move || format!("Seed {}: the same seed gives the same damage.", seed.get())}</span>
            </p>
            <Try
                question="Which of the three changes have nothing to do with broken clay, and why are they made all \
                    the same?"
                answer="Moved words and varied notation. Notation is the editor’s choice: the same determinative is \
                    printed {d} or {DINGIR}, and a translation should not depend on it. Order is shuffled a little so \
                    that the model looks at the words and not only at their places; much more of it would make it \
                    forget grammar."
            />
        </section>
    }
}

/// Returns the first seed that loses a sign of a text, so that there is something to see.
fn first(text: &str, rates: &Rates) -> u64 {
    (1..50).find(|seed| made(text, *seed, rates)[1].1 != text).unwrap_or(1)
}

/// Returns the line, and the line after each of the three changes, each with its name.
fn made(text: &str, seed: u64, rates: &Rates) -> [(&'static str, String); 4] {
    let mut draws = Random::new(seed);
    let dropped = drop_signs(text, rates.drop, rates.keep, &mut draws);
    let shuffled = shuffle_words(&dropped, rates.shuffle, rates.within, &mut draws);
    let varied = vary_determinatives(&shuffled, rates.vary, &mut draws);
    [("Your line", text.to_owned()), ("Signs lost", dropped), ("Words moved", shuffled), ("Notation varied", varied)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::augment::augment;

    #[test]
    fn the_last_row_is_what_training_sees() {
        let (text, rates) = ("a-na {d}UTU be-li₂-ni qi₂-bi₂-ma um-ma", Rates::default());
        let all: Vec<String> = (1..20).map(|seed| made(text, seed, &rates)[3].1.clone()).collect();
        for (seed, last) in (1..20).zip(&all) {
            assert_eq!(*last, augment(text, &rates, &mut Random::new(seed)));
        }
        assert!(all.iter().any(|last| last.contains('x')));
    }
}
