//! Card in which a part of the tree is learnt live: its points settle on the disk, epoch by epoch.

use crate::engine::Engine;
use crate::engine::job::Job;
use crate::frame::notice::Notice;
use crate::kit::format;
use crate::kit::timing::now;
use crate::kit::timing::on_next_frame;
use crate::restore::state::Workbench;
use crate::tree::motion::prefers_stillness;
use crate::tree::part::{EPOCHS, Part, SEED};
use crate::tree::{Script, SignTree, canvas};
use leptos::html::Canvas;
use leptos::prelude::*;
use tuppum_protocol::{DIMENSIONS, Failure, FailureKind, ModelRequest, Proposed, Reply, Settling, TreeEvent};

/// State of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunState {
    Not,
    Waiting,
    Running,
    Done,
    Stopped,
    Failed,
}

impl RunState {
    fn name(self) -> &'static str {
        match self {
            RunState::Not => "not",
            RunState::Waiting => "waiting",
            RunState::Running => "running",
            RunState::Done => "done",
            RunState::Stopped => "stopped",
            RunState::Failed => "failed",
        }
    }

    fn is_on(self) -> bool {
        matches!(self, RunState::Waiting | RunState::Running)
    }
}

#[derive(Clone, Copy)]
struct State {
    run: RwSignal<RunState>,
    /// Last report of the run, without the points.
    told: RwSignal<Option<Settling>>,
    part: StoredValue<Option<Part>>,
    job: Job,
    began: StoredValue<f64>,
    failure: RwSignal<Option<Failure>>,
    canvas: NodeRef<Canvas>,
    /// Name of the sign at the centre of the part.
    around: RwSignal<String>,
    /// Counter that increases when the picture must be drawn again.
    picture: RwSignal<u32>,
    /// Distance of the farthest point from the middle, and mean movement of the points.
    measures: RwSignal<[f64; 2]>,
}

impl State {
    fn new(engine: Engine) -> Self {
        Self {
            run: RwSignal::new(RunState::Not),
            told: RwSignal::new(None),
            part: StoredValue::new(None),
            job: Job::new(engine),
            began: StoredValue::new(0.0),
            failure: RwSignal::new(None),
            canvas: NodeRef::new(),
            around: RwSignal::new(String::new()),
            picture: RwSignal::new(0),
            measures: RwSignal::new([0.0; 2]),
        }
    }
}

/// Text above the picture.
const INTRODUCTION: &str = "Here a model learns, on this machine, which readings a sign has and in which words a \
    reading occurs, from nothing but the links around the chosen sign. Every sign, reading and word is a point of the \
    hyperbolic plane. Each kind of link is a movement of the plane that should lead from one point to the other, so \
    signs, readings and words gather in regions of their own.";

#[component]
pub fn LiveTree() -> impl IntoView {
    let (tree, workbench) = (expect_context::<SignTree>(), expect_context::<Workbench>());
    let state = State::new(workbench.engine);
    Effect::new(move |_| {
        tree.colours.track();
        state.picture.track();
        // Drawn in the next frame: the canvas has no size before it is shown.
        on_next_frame(move || draw(state));
    });
    let resized = window_event_listener_untyped("resize", move |_| draw(state));
    on_cleanup(move || {
        resized.remove();
        state.job.stop();
    });
    let on = move || state.run.get().is_on();
    let idle = move || !on();
    let not_yet = move || state.run.get() == RunState::Not;
    let measure = move |place: usize| move || format!("{:.4}", state.measures.get()[place]);
    let picture =
        move || format!("Points of signs, readings and words around {} on Poincaré’s disk", state.around.get());
    view! {
        <section
            id="settle"
            class="card"
            aria-labelledby="settle-title"
            data-state=move || state.run.get().name()
            data-epoch=move || epoch(state).to_string()
            data-far=measure(0)
            data-moved=measure(1)
        >
            <h2 id="settle-title">"Learn a part of the tree"</h2>
            <p>
                {INTRODUCTION}
            </p>
            <p class="buttons">
                <button id="settle-start" type="button" disabled=on on:click=move |_| start(state, tree, workbench)>
                    {move || if not_yet() { "Learn it live" } else { "Learn it again, around the chosen sign" }}
                </button>
                <button id="settle-stop" type="button" disabled=idle on:click=move |_| state.job.stop()>
                    "Stop"
                </button>
            </p>
            <div class="settling" hidden=not_yet>
                <canvas id="settle-disk" node_ref=state.canvas role="img" aria-label=picture></canvas>
                <Progress state />
                <p id="settle-figures" class="hint">
                    {move || state.told.with(|told| told.as_ref().map(figures))}
                </p>
                {move || ranking(state, tree)}
            </div>
            <p id="settle-said" class="unseen" role="status">
                {move || said(state)}
            </p>
            {move || {
                let failure = state.failure.get()?;
                Some(view! { <p class="band warning" role="alert">{failure.message}</p> })
            }}
        </section>
    }
}

#[component]
fn Progress(state: State) -> impl IntoView {
    view! {
        <div class="progress">
            <span class="phase">{move || phase(state)}</span>
            <progress
                aria-label="Epochs"
                max=EPOCHS.to_string()
                value=move || epoch(state).to_string()
            ></progress>
            <span class="figure">{move || left(state)}</span>
        </div>
    }
}

/// Returns the number of epochs that have passed.
fn epoch(state: State) -> u32 {
    state.told.with(|told| told.as_ref().map_or(0, |told| told.epoch))
}

fn start(state: State, tree: SignTree, workbench: Workbench) {
    let Some(script) = tree.script_now() else { return };
    let part = match Part::of(&script.tree, tree.chosen.get_untracked()) {
        Ok(part) => part,
        Err(reason) => return workbench.notify(Notice::failure(reason)),
    };
    state.around.set(part.around(&script.tree));
    let asked = part.asked(&script.tree);
    state.part.set_value(Some(part));
    state.told.set(None);
    state.failure.set(None);
    state.run.set(RunState::Waiting);
    state.job.start(ModelRequest::Settle(asked), move |event| handle_event(state, event));
}

fn handle_event(state: State, event: Reply<TreeEvent>) {
    match event {
        Reply::Answer(TreeEvent::Settling(mut told)) => {
            if state.run.get_untracked() != RunState::Running {
                state.began.set_value(now());
                state.run.set(RunState::Running);
            }
            let points = std::mem::take(&mut told.points);
            let measures = state.part.try_update_value(|part| {
                let part = part.as_mut()?;
                part.take(&points).then(|| [part.farthest(), part.moved()])
            });
            if let Some(Some(measures)) = measures {
                state.measures.set(measures);
            }
            // Under reduced motion the numbers are updated, and the picture changes only at beginning and end.
            if told.epoch == 0 || told.epoch == told.epochs || !prefers_stillness() {
                state.picture.update(|number| *number += 1);
            }
            state.told.set(Some(told));
        }
        Reply::Done => state.run.set(RunState::Done),
        Reply::Failed(failure) if failure.kind == FailureKind::Cancelled => {
            state.run.set(RunState::Stopped);
            state.picture.update(|number| *number += 1);
        }
        Reply::Failed(failure) => {
            state.run.set(RunState::Failed);
            state.failure.set(Some(failure));
        }
        _ => {}
    }
}

fn draw(state: State) {
    let Some(Some(element)) = state.canvas.try_get_untracked() else { return };
    let area = element.get_bounding_client_rect();
    let size = [area.width(), area.height()];
    if size[0] < 1.0 {
        return;
    }
    state.part.with_value(|part| {
        if let Some(part) = part {
            canvas::draw(&element, &part.scene(size), &part.figure);
        }
    });
}

fn phase(state: State) -> String {
    let epoch = epoch(state);
    match state.run.get() {
        RunState::Not => String::new(),
        RunState::Waiting => "Waiting for the engine".into(),
        RunState::Running => format!("Learning, epoch {epoch} of {EPOCHS}"),
        RunState::Done => format!("Learnt, {EPOCHS} epochs"),
        RunState::Stopped => format!("Stopped after epoch {epoch} of {EPOCHS}"),
        RunState::Failed => format!("Failed after epoch {epoch} of {EPOCHS}"),
    }
}

fn left(state: State) -> String {
    let epoch = epoch(state);
    let on = state.run.get() == RunState::Running;
    let took = now() - state.began.get_value();
    on.then(|| format::time_left(u64::from(epoch), u64::from(EPOCHS), took)).flatten().unwrap_or_default()
}

/// Returns a paragraph with the figures of the run and their meaning.
fn figures(told: &Settling) -> String {
    let points = format!("Seed {SEED}. Loss {:.3}.", told.loss);
    let found = told.found.map(|[plane, flat, wide]| {
        format!(
            " Mean reciprocal rank of the true end of a link among all points: {:.0}\u{202f}% for links that were \
             learnt, {:.0}\u{202f}% for {} that were held out. Two more models learn at the same time and are not \
             drawn: one on Euclid’s plane ({:.0}\u{202f}% and {:.0}\u{202f}%), one in {} hyperbolic dimensions \
             ({:.0}\u{202f}% and {:.0}\u{202f}%). More room holds what was learnt, yet predicts little.",
            plane.learnt,
            plane.held_out,
            format::plural(plane.links as usize, "link", "links"),
            flat.learnt,
            flat.held_out,
            DIMENSIONS[1],
            wide.learnt,
            wide.held_out,
        )
    });
    points + &found.unwrap_or_default()
}

/// Returns the ranked readings and words of the chosen sign, once there are some.
fn ranking(state: State, tree: SignTree) -> Option<AnyView> {
    let [readings, words] = state.told.with(|told| told.as_ref().map(|told| told.ranked.clone()))?;
    let script = tree.script()?;
    let around = state.around.get();
    let whole = |link: &Proposed| {
        state.part.with_value(|part| part.as_ref().and_then(|part| part.nodes.get(link.node as usize).copied()))
    };
    let list = |kind: &'static str, title: String, links: Vec<Proposed>| {
        let row = |link: Proposed| row(tree, &script, whole(&link)?, link);
        let rows: Vec<AnyView> = links.into_iter().filter_map(row).collect();
        (!rows.is_empty()).then(|| {
            view! {
                <div class="scrolled">
                    <table class="plain ranked" data-ranked=kind>
                        <caption>{title}</caption>
                        <thead>
                            <tr>
                                <th scope="col">"Rank"</th>
                                <th scope="col">"Name"</th>
                                <th scope="col">"Score"</th>
                                <th scope="col">"In the corpora"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
        })
    };
    let readings = list("readings", format!("Which readings {around} may have"), readings)?;
    let words = list("words", "Which words its readings may occur in".to_owned(), words);
    Some(
        view! {
            {readings}
            {words}
            <p class="hint">
                {format!("Ranked in {} dimensions. ⚠ marks what the corpora do not have: a proposal of a small machine \
                    model, found on no tablet. The score is how sure the model is that the link is not one drawn by \
                    chance, not the probability that the reading exists.", DIMENSIONS[1])}
            </p>
        }
        .into_any(),
    )
}

fn row(tree: SignTree, script: &Script, node: usize, link: Proposed) -> Option<AnyView> {
    let label = script.tree.node(node)?.label.clone();
    let state = match (link.attested, link.held_out) {
        (true, false) => "attested".into_any(),
        (true, true) => "attested, not shown to the model".into_any(),
        _ => view! { <span class="unattested">"⚠ not attested, machine proposal"</span> }.into_any(),
    };
    Some(
        view! {
            <tr data-rank=link.rank.to_string() data-attested=link.attested.to_string()>
                <td class="figure">{link.rank}</td>
                <th scope="row" lang="akk-Latn">
                    <button type="button" class="link" data-node=node.to_string() on:click=move |_| tree.go(node)>
                        {label}
                    </button>
                </th>
                <td class="figure">{format::percent(link.score)}</td>
                <td>{state}</td>
            </tr>
        }
        .into_any(),
    )
}

/// Returns the announcement for screen readers: beginning and end, not every epoch.
fn said(state: State) -> String {
    let around = state.around.get();
    match state.run.get() {
        RunState::Not => String::new(),
        RunState::Waiting | RunState::Running => format!("Learning the links around {around}."),
        RunState::Done => format!("The links around {around} are learnt."),
        RunState::Stopped => "Learning was stopped.".into(),
        RunState::Failed => "Learning failed.".into(),
    }
}
