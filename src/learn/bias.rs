//! Step 4: the bias of attention, computed from the points that come with the page; the effect of a distance on an
//! attention weight, and the distances in two sentences with the same sign.

use super::{Line, Try};
use crate::attention::tables::Distances;
use crate::tree::SignTree;
use crate::tree::canvas::{is_dark, palette};
use crate::tree::points::{self, PointKind, Points};
use leptos::prelude::*;
use tuppum_plot::attention::bias::factors;
use tuppum_plot::attention::bias::{FAR, USUAL, svg as weight_svg, weight};
use tuppum_plot::attention::{Names, Scale, Scene, View, svg};
use tuppum_protocol::translation::bias::BiasPoints;
use tuppum_text::bytes::encode;
use tuppum_text::parts::{Cut, determined, parts};

/// Maximum number of bytes that are drawn.
const MAX_BYTES: usize = 64;
/// Side length of the picture, in its own units.
const PICTURE_SIDE: f64 = 460.0;
/// Strength of the bias at the beginning of training.
const START_ALPHA: f64 = 0.1;

#[component]
pub fn Step() -> impl IntoView {
    let (line, tree) = (expect_context::<Line>(), expect_context::<SignTree>());
    let alpha = RwSignal::new(START_ALPHA);
    let fetched = RwSignal::new(None::<Result<Points, String>>);
    leptos::task::spawn_local(async move {
        let points = points::shipped(PointKind::Bytes).await;
        fetched.try_set(Some(points));
    });
    let drawn = move || {
        tree.colours.track();
        match fetched.get() {
            None => String::new(),
            Some(Ok(points)) => picture(&points, &short(&line.read()), alpha.get()),
            Some(Err(reason)) => {
                format!("<p>The points could not be fetched: {}.</p>", tuppum_plot::svg::escaped(&reason))
            }
        }
    };
    let told = move || match fetched.get() {
        Some(Ok(points)) => sentence(&points, &short(&line.read()), alpha.get()),
        _ => "Fetching the points …".to_owned(),
    };
    view! {
        <section class="card step" id="learn-step-4" aria-labelledby="learn-4">
            <h2 id="learn-4">"4. The bias"</h2>
            <p>
                "A translator uses attention: for every byte it gives each byte of the line a weight. Every byte has a \
                 point in a hyperbolic ball of 32 dimensions, and in the first layers α times the distance between two \
                 points is subtracted from their logit. This multiplies the weight of the pair by "
                <span class="formula">"exp(−α d)"</span>
                "; then the row is normalised, so that it sums to 1. Where α is above 0, what is near in the tree of \
                 the script is attended to more."
            </p>
            <p>
                "Below is that factor for every pair of bytes of your line, for the points with which training begins. \
                 They come from counts: each byte stands for the sign and reading in which it occurs most often. \
                 Training may move the points, and changes α: in the translator that comes with this page it came to \
                 −0.08, so that there what is far counts a little more than what is near."
            </p>
            <Slider alpha />
            <div id="learn-bias" class="known" inner_html=drawn></div>
            <p id="learn-bias-told" role="status">
                {told}
            </p>
            <Monotone alpha />
            <details>
                <summary>"Does it draw together what belongs together?"</summary>
                <Distances />
                <Contrast alpha />
            </details>
            <Try
                question="Set α to 0. What is left of the bias? And what would the bias do to a row in which all \
                    distances are equal?"
                answer="Nothing, in both cases. At α = 0 every factor is 1. Equal distances multiply every weight of \
                    the row by the same number, which cancels when the row is normalised: only differences in distance \
                    count."
            />
        </section>
    }
}

/// Slider of α.
#[component]
fn Slider(alpha: RwSignal<f64>) -> impl IntoView {
    view! {
        <div class="slider">
            <label for="learn-alpha">"α"</label>
            <input
                id="learn-alpha"
                type="range"
                min="0"
                max="1"
                step="0.01"
                prop:value=move || alpha.get().to_string()
                on:input=move |event| alpha.set(event_target_value(&event).parse().unwrap_or(START_ALPHA))
            />
            <output for="learn-alpha" class="figure">{move || format!("{:.2}", alpha.get())}</output>
        </div>
    }
}

/// Returns the first words of a text that fit into [`MAX_BYTES`] bytes.
fn short(text: &str) -> String {
    let mut beginning = String::new();
    for word in text.split(' ') {
        if beginning.len() + word.len() + 1 > MAX_BYTES {
            break;
        }
        if !beginning.is_empty() {
            beginning.push(' ');
        }
        beginning.push_str(word);
    }
    beginning
}

fn numbers(text: &str) -> Vec<usize> {
    encode(text).into_iter().map(|token| token as usize).collect()
}

fn picture(points: &[Vec<f64>], text: &str, alpha: f64) -> String {
    if text.is_empty() {
        return "<p>Nothing in your line can be read as transliteration.</p>".to_owned();
    }
    let matrix = factors(points, &numbers(text), alpha);
    let names: Vec<String> = parts(text, Cut::Bytes).into_iter().map(|part| part.name).collect();
    let names = Names { rows: names.clone(), columns: names };
    let scene = Scene::of(&matrix, &names, Scale::Share(1.0), [PICTURE_SIDE, PICTURE_SIDE], &View::default(), None);
    let title = format!("Factors of the bias between the bytes of “{text}”; dark is 0, bright is 1");
    svg::map(&scene, &palette(), is_dark(), &title)
}

/// Returns a sentence with the mean factor over the line, and between a determinative and its noun.
fn sentence(points: &[Vec<f64>], text: &str, alpha: f64) -> String {
    let matrix = factors(points, &numbers(text), alpha);
    let length = text.len();
    if length == 0 {
        return String::new();
    }
    let mean = |rows: std::ops::Range<usize>, columns: &[std::ops::Range<usize>]| {
        let wide: usize = columns.iter().map(ExactSizeIterator::len).sum();
        matrix.share(&[rows], columns) / wide.max(1) as f64
    };
    let whole = 0..length;
    let all = mean(whole.clone(), std::slice::from_ref(&whole));
    let pair = determined(text).into_iter().next().map(|pair| {
        let [determinative, noun] = pair.names;
        format!(" Between {determinative} and {noun} it is {:.2} on average.", mean(pair.determinative, &pair.noun))
    });
    format!(
        "Bright is 1, dark is 0. Over all pairs of the line the factor is {all:.2} on average.{}",
        pair.unwrap_or_default()
    )
}

/// Curve of the weight of one byte as its point moves away: it never rises with the distance.
#[component]
fn Monotone(alpha: RwSignal<f64>) -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let distance = RwSignal::new(USUAL);
    let picture = move || {
        tree.colours.track();
        weight_svg(
            alpha.get(),
            distance.get(),
            &palette(),
            "Weight of one of ten bytes against the distance of its point",
        )
    };
    let told = move || {
        let own = weight(alpha.get(), 0.0, distance.get());
        format!(
            "At distance {:.1} a byte that the model itself does not prefer gets {:.1} % of the row; the nine others \
             are at distance {USUAL:.1}.",
            distance.get(),
            100.0 * own
        )
    };
    view! {
        <h3>"Nearer never means less"</h3>
        <p>
            "Take a row of ten bytes and move the point of one of them. Whatever the model itself thinks of that byte, \
             its weight falls as its point moves away, and the weights of the others rise. The curves are for a byte \
             whose logit is 2 above those of the others, equal to them, or 2 below; α is that of the slider above."
        </p>
        <div class="slider">
            <label for="learn-distance">"Distance"</label>
            <input
                id="learn-distance"
                type="range"
                min="0"
                max=FAR.to_string()
                step="0.1"
                prop:value=move || distance.get().to_string()
                on:input=move |event| distance.set(event_target_value(&event).parse().unwrap_or(USUAL))
            />
            <output for="learn-distance" class="figure">{move || format!("{:.1}", distance.get())}</output>
        </div>
        <div id="learn-monotone" class="known" inner_html=picture></div>
        <p id="learn-monotone-told" role="status">
            {told}
        </p>
    }
}

/// Table of the points that tell two sentences with the same sign apart.
#[component]
fn Contrast(alpha: RwSignal<f64>) -> impl IntoView {
    let row = move |points: BiasPoints| {
        let [god, day] = points.contrast();
        let ratio = move || format!("{:.2}", (alpha.get() * (day - god)).exp());
        view! {
            <tr>
                <th scope="row">{points.title()}</th>
                <td class="figure">{format!("{god:.2}")}</td>
                <td class="figure">{format!("{day:.2}")}</td>
                <td class="figure">{ratio}</td>
            </tr>
        }
    };
    view! {
        <p class="hint">
            "The sign " <span class="cuneiform" lang="akk-Xsux">"𒌓"</span> " is UTU, the sun god, in "
            <i lang="akk-Latn">"a-na {d}UTU"</i> ", “to Šamaš”, and the syllable u₄ in "
            <i lang="akk-Latn">"a-na u₄-mi"</i> ", “for the day”. A bias helps to tell the two apart if the sign is \
             nearer to what stands before it in the one than in the other. How far, on average over their bytes, and \
             how many times as much weight that gives the determinative, before any training:"
        </p>
        <div class="scrolled" tabindex="0" role="region" aria-label="Distances in the two sentences, by points">
            <table class="plain" id="learn-contrast">
                <thead>
                    <tr>
                        <th scope="col">"Points"</th>
                        <th scope="col">"{d} to UTU"</th>
                        <th scope="col">"na to u₄"</th>
                        <th scope="col">"Weight, times"</th>
                    </tr>
                </thead>
                <tbody>{BiasPoints::ALL.map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_up_to_the_most_bytes_are_drawn() {
        assert_eq!(short("a-na {d}UTU"), "a-na {d}UTU");
        let long = short(&"be-li₂ ".repeat(30));
        assert!(long.len() <= MAX_BYTES && long.ends_with("li₂"), "{long}");
        let points = vec![vec![0.0; 4]; 384];
        assert!(sentence(&points, "{d}UTU", 0.1).contains("Between {d} and UTU it is 1.00"));
    }
}
