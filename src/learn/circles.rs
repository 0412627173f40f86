//! Step 3: circles on the Euclidean and on the hyperbolic plane, and why a tree needs the second.

use super::fitting::Fit;
use super::question::Try;
use crate::shell::format;
use crate::tree::SignTree;
use crate::tree::canvas::palette;
use leptos::prelude::*;
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
