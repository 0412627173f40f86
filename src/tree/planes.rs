//! Card that lays the same part of the tree out on two planes, live, with the error of the distances on each.

use crate::frame::notice::Notice;
use crate::kit::timing::on_next_frame;
use crate::restore::state::Workbench;
use crate::tree::SignTree;
use crate::tree::canvas::{self, palette};
use crate::tree::motion::prefers_stillness;
use crate::tree::part::{EPOCHS, Part, SEED};
use leptos::html::Canvas;
use leptos::prelude::*;
use tuppum_geometry::tree::two_planes::TwoPlanes;
use tuppum_plot::curve::{self, PlotCurve};
use tuppum_plot::disk::Scene;

/// Epochs between two drawings of the curves, which take longer than one epoch.
const EPOCHS_PER_CHART: usize = 10;
/// Epochs in one frame under reduced motion, when nothing is drawn in between.
const EPOCHS_PER_FRAME: usize = 8;
/// Half the width of the flat picture, in edges of the tree: small enough to show the points spread.
const HALF_WIDTH_IN_EDGES: f64 = 3.5;
/// Names of the planes in the legend.
const NAMES: [&str; 2] = ["hyperbolic plane", "Euclid’s plane"];
/// Indices of the curves' colours in the palette.
const COLOURS: [usize; 2] = [1, 2];

/// State of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunState {
    Not,
    Running,
    Done,
    Stopped,
}

impl RunState {
    fn name(self) -> &'static str {
        match self {
            RunState::Not => "not",
            RunState::Running => "running",
            RunState::Done => "done",
            RunState::Stopped => "stopped",
        }
    }
}

/// Layout of a part on both planes.
struct Laying {
    part: Part,
    planes: TwoPlanes,
    /// Mean error of the distances in percent, by epoch, on each plane.
    off: [Vec<[f64; 2]>; 2],
}

impl Laying {
    fn new(part: Part) -> Self {
        let planes = TwoPlanes::new(part.figure.tree.clone(), EPOCHS as usize, SEED);
        let mut laying = Self { part, planes, off: [Vec::new(), Vec::new()] };
        laying.measure();
        laying
    }

    fn measure(&mut self) {
        let epoch = self.planes.epoch() as f64;
        for (curve, found) in self.off.iter_mut().zip(self.planes.distortions()) {
            curve.push([epoch, 100.0 * found.average]);
        }
    }

    fn curves(&self) -> Vec<PlotCurve> {
        let named = NAMES.iter().zip(&self.off).zip(COLOURS);
        let curve = |((name, points), colour): ((&&str, &Vec<[f64; 2]>), usize)| PlotCurve {
            name: (*name).to_owned(),
            points: points.clone(),
            colour,
            marked: false,
        };
        named.map(curve).collect()
    }
}

#[derive(Clone, Copy)]
struct State {
    run: RwSignal<RunState>,
    epoch: RwSignal<usize>,
    /// Present mean error of the distances in percent, on each plane.
    off: RwSignal<[f64; 2]>,
    curves: RwSignal<Vec<PlotCurve>>,
    around: RwSignal<String>,
    laying: StoredValue<Option<Laying>>,
    /// Number of the run; frames of a run with another number end.
    number: StoredValue<u64>,
    canvases: [NodeRef<Canvas>; 2],
}

impl State {
    fn new() -> Self {
        Self {
            run: RwSignal::new(RunState::Not),
            epoch: RwSignal::new(0),
            off: RwSignal::new([0.0; 2]),
            curves: RwSignal::new(Vec::new()),
            around: RwSignal::new(String::new()),
            laying: StoredValue::new(None),
            number: StoredValue::new(0),
            canvases: [NodeRef::new(), NodeRef::new()],
        }
    }

    fn stop(self) {
        self.number.update_value(|number| *number += 1);
        self.tell();
        self.run.set(RunState::Stopped);
    }

    /// Shows the state of the run: numbers, curves and pictures.
    fn tell(self) {
        self.count();
        self.curves.set(self.laying.with_value(|laying| laying.as_ref().map(Laying::curves)).unwrap_or_default());
        // Drawn in the next frame: the canvases have no size before they are shown.
        on_next_frame(move || draw(self));
    }

    /// Updates the numbers alone.
    fn count(self) {
        self.laying.with_value(|laying| {
            let Some(laying) = laying else { return };
            self.epoch.set(laying.planes.epoch());
            self.off.set(laying.off.each_ref().map(|curve| curve.last().map_or(0.0, |point| point[1])));
        });
    }
}

/// Text above the pictures.
const INTRODUCTION: &str = "How far apart two nodes of a tree are is the number of links between them. Here the same \
    signs, readings and words look for room on two planes at once, until they lie as far apart as they do in the tree: \
    on the hyperbolic plane and on Euclid’s. On both they begin at the same points and take the same steps.";

/// Text below the curves.
const MEANING: &str = "With every link away from the root there are several times as many nodes. On the hyperbolic \
    plane the room around the middle grows likewise, by a factor with every step. On Euclid’s it grows by the same \
    amount with every step: there, nodes of different branches come too near one another, or links become too long.";

#[component]
pub fn Planes() -> impl IntoView {
    let (tree, workbench) = (expect_context::<SignTree>(), expect_context::<Workbench>());
    let state = State::new();
    Effect::new(move |_| {
        tree.colours.track();
        on_next_frame(move || draw(state));
    });
    let resized = window_event_listener_untyped("resize", move |_| draw(state));
    on_cleanup(move || {
        resized.remove();
        state.number.update_value(|number| *number += 1);
    });
    let running = move || state.run.get() == RunState::Running;
    let not_yet = move || state.run.get() == RunState::Not;
    let off = move |place: usize| move || format!("{:.1}", state.off.get()[place]);
    view! {
        <section
            id="planes"
            class="card"
            aria-labelledby="planes-title"
            data-state=move || state.run.get().name()
            data-epoch=move || state.epoch.get().to_string()
            data-hyperbolic=off(0)
            data-flat=off(1)
        >
            <h2 id="planes-title">"The tree on two planes"</h2>
            <p>{INTRODUCTION}</p>
            <p class="buttons">
                <button
                    id="planes-start"
                    type="button"
                    disabled=running
                    on:click=move |_| start(state, tree, workbench)
                >
                    {move || if not_yet() { "Lay it out" } else { "Lay it out again, around the chosen sign" }}
                </button>
                <button id="planes-stop" type="button" disabled=move || !running() on:click=move |_| state.stop()>
                    "Stop"
                </button>
            </p>
            <div hidden=not_yet>
                <Pictures state />
                <p id="planes-figures" class="hint">
                    {move || figures(state)}
                </p>
                <Curves state tree />
                <p class="hint">{MEANING}</p>
            </div>
            <p class="unseen" role="status">
                {move || said(state)}
            </p>
        </section>
    }
}

#[component]
fn Pictures(state: State) -> impl IntoView {
    let named = move |plane: &'static str| {
        move || format!("Signs, readings and words around {} on {plane}", state.around.get())
    };
    let [hyperbolic, flat] = state.canvases;
    view! {
        <div class="two-planes">
            <figure>
                <canvas node_ref=hyperbolic role="img" aria-label=named("the hyperbolic plane")></canvas>
                <figcaption>"Hyperbolic plane"</figcaption>
            </figure>
            <figure>
                <canvas node_ref=flat role="img" aria-label=named("Euclid’s plane")></canvas>
                <figcaption>"Euclid’s plane"</figcaption>
            </figure>
        </div>
    }
}

#[component]
fn Curves(state: State, tree: SignTree) -> impl IntoView {
    let drawn = move || {
        tree.colours.track();
        state.curves.with(|curves| {
            let title = "How far the distances are off on either plane";
            curve::svg(curves, f64::from(EPOCHS), ["epoch", "off, in %"], &palette(), title)
        })
    };
    view! { <div id="planes-curves" class="known" inner_html=drawn></div> }
}

fn start(state: State, tree: SignTree, workbench: Workbench) {
    let Some(script) = tree.script_now() else { return };
    let part = match Part::of(&script.tree, tree.chosen.get_untracked()) {
        Ok(part) => part,
        Err(reason) => return workbench.notify(Notice::failure(reason)),
    };
    state.around.set(part.around(&script.tree));
    state.laying.set_value(Some(Laying::new(part)));
    state.number.update_value(|number| *number += 1);
    state.run.set(RunState::Running);
    state.tell();
    next(state, state.number.get_value());
}

/// Computes one frame of a run, and schedules the next. Under reduced motion the pictures change only at beginning and
/// end.
fn next(state: State, number: u64) {
    on_next_frame(move || {
        if state.number.try_get_value() != Some(number) {
            return;
        }
        let still = prefers_stillness();
        let epoch = state.laying.try_update_value(|laying| {
            let laying = laying.as_mut()?;
            for _ in 0..if still { EPOCHS_PER_FRAME } else { 1 } {
                if laying.planes.run_epoch() {
                    laying.measure();
                }
            }
            Some(laying.planes.epoch())
        });
        let Some(Some(epoch)) = epoch else { return };
        if epoch >= EPOCHS as usize {
            state.tell();
            return state.run.set(RunState::Done);
        }
        match still {
            false if epoch.is_multiple_of(EPOCHS_PER_CHART) => state.tell(),
            _ => state.count(),
        }
        if !still {
            draw(state);
        }
        next(state, number);
    });
}

fn draw(state: State) {
    let canvases = state.canvases.map(|canvas| canvas.try_get_untracked().flatten());
    let [Some(hyperbolic), Some(flat)] = canvases else { return };
    let size = |canvas: &web_sys::HtmlCanvasElement| {
        let area = canvas.get_bounding_client_rect();
        [area.width(), area.height()]
    };
    let sizes = [size(&hyperbolic), size(&flat)];
    if sizes[0][0] < 1.0 {
        return;
    }
    let _ = state.laying.try_update_value(|laying| {
        let Some(Laying { part, planes, .. }) = laying else { return };
        let [in_disk, on_plane] = planes.points();
        part.figure.points = in_disk;
        let scene = Scene::of(&part.figure, &part.wanted(sizes[0]));
        canvas::draw(&hyperbolic, &scene, &part.figure);
        let scene = Scene::flat(&part.figure, &on_plane, HALF_WIDTH_IN_EDGES, &part.wanted(sizes[1]));
        canvas::draw(&flat, &scene, &part.figure);
    });
}

/// Returns a sentence with the epoch and the errors on both planes.
fn figures(state: State) -> String {
    let [hyperbolic, flat] = state.off.get();
    format!(
        "After {} of {EPOCHS} epochs the distances between nodes are {hyperbolic:.0}\u{202f}% off on average on the \
         hyperbolic plane and {flat:.0}\u{202f}% on Euclid’s. Seed {SEED}.",
        state.epoch.get()
    )
}

/// Returns the announcement for screen readers: beginning and end, not every epoch.
fn said(state: State) -> String {
    match state.run.get() {
        RunState::Not => String::new(),
        RunState::Running => format!("Laying out the tree around {} on two planes.", state.around.get()),
        RunState::Done | RunState::Stopped => untrack(|| figures(state)),
    }
}
