//! Step 3: circles on the Euclidean and on the hyperbolic plane, and why a tree needs the second; a widget that fits
//! the points of twelve readings to their distances, step by step, on either plane.

use super::Try;
use crate::kit::format;
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
use tuppum_plot::fitting::{Fitting, Plane, STEPS, pairs_svg, plane_svg};
use tuppum_plot::growth::{FAR, euclid, hyperbolic, svg};

#[component]
pub fn Step() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let radius = RwSignal::new(3.0f64);
    let picture = move || {
        tree.colours.track();
        svg(
            radius.get(),
            &palette(),
            "Circumference of a circle against its radius, on the Euclidean plane and on the hyperbolic one",
        )
    };
    let told = move || {
        let radius = radius.get();
        let places = |circle: f64| format::count(circle.floor() as u64);
        format!(
            "At radius {radius:.1} a circle on the Euclidean plane has room for {} neighbours at distance 1 along it, \
             one on the hyperbolic plane for {}.",
            places(euclid(radius)),
            places(hyperbolic(radius)),
        )
    };
    view! {
        <section class="card step" id="learn-step-3" aria-labelledby="learn-3">
            <h2 id="learn-3">"3. Why hyperbolic space"</h2>
            <p>
                "A tree grows by multiplication: if every node has three below it, there are 3, 9, 27, 81 at the next \
                 levels. On the Euclidean plane a circle of radius r is 2πr long and grows only in proportion to r, so \
                 the leaves soon become crowded. On the hyperbolic plane of curvature −1 it is 2π sinh r long, which \
                 for large r grows by a factor of almost e with every step of 1: there a tree has room."
            </p>
            <div class="slider">
                <label for="learn-radius">"Radius"</label>
                <input
                    id="learn-radius"
                    type="range"
                    min="0.5"
                    max=FAR.to_string()
                    step="0.1"
                    prop:value=move || radius.get().to_string()
                    on:input=move |event| radius.set(event_target_value(&event).parse().unwrap_or(3.0))
                />
                <output for="learn-radius" class="figure">{move || format!("{:.1}", radius.get())}</output>
            </div>
            <div class="known" inner_html=picture></div>
            <p id="learn-circles" role="status">
                {told}
            </p>
            <Try
                question="In a tree with three nodes below each, how long must an edge be so that the hyperbolic \
                    circles grow as fast as the levels of the tree?"
                answer="ln 3, about 1.10: far from the centre the circle grows by the factor e to the power of the \
                    edge, and that must be 3. On the Euclidean plane no length is enough for long."
            />
            <Fit />
        </section>
    }
}

/// Readings of four signs: AN, UD, KA and KUR.
const READINGS: [[&str; 3]; 4] =
    [["an", "{d}", "DINGIR"], ["ud", "UTU", "BABBAR"], ["ka", "pi₄", "INIM"], ["kur", "mat", "šad"]];
/// Indices of the determinative {d} and its noun UTU among the readings.
const BOUND_READINGS: [usize; 2] = [1, 4];

#[component]
fn Fit() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let (steps, euclid, bound) = (RwSignal::new(0usize), RwSignal::new(false), RwSignal::new(false));
    let seed = RwSignal::new(1u64);
    let plane = move || if euclid.get() { Plane::Euclid } else { Plane::Hyperbolic };
    let fitting = Memo::new(move |_| readings(bound.get()));
    let fitted = Memo::new(move |_| fitting.read().after(steps.get(), plane(), seed.get()));
    let plane_drawn = move || {
        tree.colours.track();
        plane_svg(&fitting.read(), &fitted.read(), plane(), &palette(), "Twelve readings as points on a plane")
    };
    let pairs_drawn = move || {
        tree.colours.track();
        pairs_svg(&fitted.read(), &palette(), "The distance of each two readings against the wanted one")
    };
    let told = move || {
        format!("After {} steps the 66 distances are {:.0} % off on average.", steps.get(), 100.0 * fitted.read().off)
    };
    view! {
        <h3>"Fit the points yourself"</h3>
        <p>
            "Twelve readings of four signs begin as points near the centre. Two readings of one sign should be 1 \
             apart, readings of different signs 2. Every step moves each point a little, so that the distances become \
             more like those. In the second picture every pair is a dot; once it fits it lies on the dashed line."
        </p>
        <Controls steps euclid bound seed />
        <div id="learn-fit">
            <div class="known" inner_html=plane_drawn></div>
            <div class="known" inner_html=pairs_drawn></div>
        </div>
        <p id="learn-fit-told" role="status">
            {told}
        </p>
        <p class="hint">
            "Fit them on both planes. On the hyperbolic one four signs find room to be equally far apart, nearly; \
             on the Euclidean plane only three points can be, and of four signs two are always too near or too far. If \
             {d} and UTU belong together, they meet between their signs and draw the other readings along."
        </p>
    }
}

/// Controls of the steps, the plane, the bond of {d} and UTU, and the starting points.
#[component]
fn Controls(
    steps: RwSignal<usize>,
    euclid: RwSignal<bool>,
    bound: RwSignal<bool>,
    seed: RwSignal<u64>,
) -> impl IntoView {
    view! {
        <div class="slider">
            <label for="learn-fit-steps">"Steps"</label>
            <input
                id="learn-fit-steps"
                type="range"
                min="0"
                max=STEPS.to_string()
                step="1"
                prop:value=move || steps.get().to_string()
                on:input=move |event| steps.set(event_target_value(&event).parse().unwrap_or(0))
            />
            <output for="learn-fit-steps" class="figure">{steps}</output>
        </div>
        <p class="buttons">
            <label>
                <input
                    type="checkbox"
                    prop:checked=euclid
                    on:change=move |event| euclid.set(event_target_checked(&event))
                />
                " On the Euclidean plane"
            </label>
            <label>
                <input
                    type="checkbox"
                    prop:checked=bound
                    on:change=move |event| bound.set(event_target_checked(&event))
                />
                " {d} and UTU belong together"
            </label>
            <button type="button" on:click=move |_| seed.update(|seed| *seed += 1)>
                "Begin elsewhere"
            </button>
        </p>
    }
}

/// Returns the readings with their target distances: 1 within a sign, else 2. If {d} and UTU are bound, they are ½
/// apart, and paths through them shorten the distances of the other readings.
fn readings(is_bound: bool) -> Fitting {
    let alone = |one: usize, other: usize| -> f64 {
        match (one == other, one / 3 == other / 3) {
            (true, _) => 0.0,
            (false, true) => 1.0,
            (false, false) => 2.0,
        }
    };
    let over = |one: usize, other: usize| alone(one, BOUND_READINGS[0]) + 0.5 + alone(BOUND_READINGS[1], other);
    let wanted = |one: usize, other: usize| {
        if is_bound { alone(one, other).min(over(one, other)).min(over(other, one)) } else { alone(one, other) }
    };
    let names = READINGS.as_flattened().iter().map(|name| (*name).to_owned()).collect();
    Fitting::new(names, (0..12).map(|number| number / 3).collect(), wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_bound_draws_its_readings_along() {
        let [free, bound] = [false, true].map(|is_bound| readings(is_bound).wanted);
        let [an, d, utu, ud, ka] = [0, 1, 4, 3, 6];
        assert_eq!([free.at(d, utu), free.at(an, d), free.at(an, ka)], [2.0, 1.0, 2.0]);
        assert_eq!([bound.at(d, utu), bound.at(d, ud), bound.at(an, utu)], [0.5, 1.5, 1.5]);
        assert_eq!([bound.at(an, ud), bound.at(an, ka)], [2.0, 2.0]);
    }
}
