//! Points of bytes and signs that come with the page, where the training of a translator begins, with their names; and
//! the card that draws them on a disk, with the points of the open translator and the way between.

use crate::attention::Attention;
use crate::engine::model::ModelState;
use crate::frame::notice::Notice;
use crate::frame::progress::meter;
use crate::kit::{files, format};
use crate::restore::state::Workbench;
use crate::translate::state::translator::TranslatorChoice;
use crate::tree::SignTree;
use crate::tree::canvas::{palette, save_drawn};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_plot::disk::complex::radius_at;
use tuppum_plot::known::{CIRCLES, Known, Scene, stored, svg};
use tuppum_protocol::{LearnedPoints, ModelRequest, Reply, TreeEvent};
use tuppum_text::signs::taxonomy::bytes::FIRST_BYTE;
use tuppum_text::signs::taxonomy::{Node, SignTree as Taxonomy};

/// Number of coordinates of a point.
const DIMENSIONS: usize = 32;

/// Kind of things that have points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointKind {
    /// Tokens of a model over bytes.
    #[default]
    Bytes,
    /// Signs and readings.
    Signs,
}

/// Coordinates of every point.
pub type Points = Arc<Vec<Vec<f64>>>;

/// Fetches the points that come with the page.
///
/// # Errors
/// The message of browser or server, or the reason why the file holds no points.
pub async fn shipped(of: PointKind) -> Result<Points, String> {
    let path = match of {
        PointKind::Bytes => "assets/byte-points-hard.safetensors",
        PointKind::Signs => "assets/sign-points.safetensors",
    };
    let points = stored(&files::fetch_bytes(path).await?, DIMENSIONS).map_err(|reason| format!("{path}: {reason}"))?;
    Ok(Arc::new(points))
}

/// Returns the name of a point; empty for a token that is no byte, and for a byte that begins at the centre because no
/// reading has it.
pub fn name(of: PointKind, number: usize, point: &[f64]) -> String {
    match of {
        PointKind::Signs => match Taxonomy::shared().node(u32::try_from(number).unwrap_or(0)) {
            Node::Root => "root".to_owned(),
            Node::Sign(name) | Node::Reading(name) => name.to_owned(),
        },
        PointKind::Bytes => {
            let byte = number.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok());
            let placed = point.iter().any(|x| x.abs() > 1e-6);
            byte.filter(|_| placed).map(byte_name).unwrap_or_default()
        }
    }
}

/// Returns a letter of one byte as itself, any other byte in hexadecimal.
fn byte_name(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("{byte:02X}") }
}

/// Side length of the picture, in its own units.
const PICTURE_SIDE: f64 = 640.0;
/// Mean movement below which the points are said not to have moved: it is printed as 0.00.
const MIN_MOVEMENT: f64 = 0.005;
const TITLE: &str = "Points of the hyperbolic bias on the Poincaré disk (Tuppum)";

/// State of the card.
#[derive(Clone, Copy)]
struct State {
    of: RwSignal<PointKind>,
    before: RwSignal<Option<Result<Points, String>>>,
    learnt: RwSignal<Option<Arc<LearnedPoints>>>,
    wanted: RwSignal<bool>,
}

#[component]
pub fn WhatTheModelKnows() -> impl IntoView {
    let (attention, workbench, tree) =
        (expect_context::<Attention>(), expect_context::<Workbench>(), expect_context::<SignTree>());
    let choice = expect_context::<TranslatorChoice>();
    let state = State {
        of: RwSignal::new(PointKind::Bytes),
        before: RwSignal::new(None),
        learnt: RwSignal::new(None),
        wanted: RwSignal::new(false),
    };
    Effect::new(move |_| fetch(state));
    Effect::new(move |_| {
        // The user asked for the translator in this card, and it is open now.
        if state.wanted.get() && attention.translator.is_ready() {
            state.wanted.set(false);
            ask(state, workbench);
        }
    });
    let compare = move |_| {
        attention.notice_loss();
        state.wanted.set(true);
        if !untrack(|| attention.translator.is_ready()) && !attention.translator.is_opening() {
            attention.open(workbench, choice);
        }
    };
    let drawn = Memo::new(move |_| {
        tree.colours.track();
        known(state)
            .map(|known| (Scene::of(&known, PICTURE_SIDE), known))
            .map(|(scene, known)| (told(&scene, &known), svg(&scene, &known, &palette(), TITLE)))
    });
    let figure = move || drawn.get().map(|(_, drawn)| drawn).unwrap_or_default();
    let save = move |_| {
        if let Some((_, drawn)) = drawn.get_untracked() {
            save_drawn(&drawn, "model-points.svg", workbench);
        }
    };
    view! {
        <section
            id="known"
            class="card"
            aria-labelledby="known-title"
            data-learnt=move || state.learnt.with(Option::is_some).to_string()
        >
            <div class="card-head">
                <h2 id="known-title">"What the model knows"</h2>
                <Sets of=state.of />
            </div>
            <div id="known-figure" class="known" inner_html=figure></div>
            <p class="hint">{move || drawn.get().map(|(told, _)| told)}</p>
            {move || remark(state, attention)}
            <p class="buttons">
                <button id="known-compare" type="button" on:click=compare>
                    "Compare with the translator"
                </button>
                <button id="known-svg" type="button" on:click=save>
                    "Save the points as SVG"
                </button>
            </p>
        </section>
    }
}

#[component]
fn Sets(of: RwSignal<PointKind>) -> impl IntoView {
    let set = move |own: PointKind, name: &'static str| {
        view! {
            <label>
                <input
                    type="radio"
                    name="known-of"
                    prop:checked=move || of.get() == own
                    on:change=move |_| of.set(own)
                />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="models">
            <legend class="unseen">"Points of"</legend>
            {set(PointKind::Bytes, "Points of bytes")}
            {set(PointKind::Signs, "Points of signs")}
        </fieldset>
    }
}

fn fetch(state: State) {
    let of = state.of.get();
    state.before.set(None);
    leptos::task::spawn_local(async move {
        let points = shipped(of).await;
        if state.of.try_get_untracked() == Some(of) {
            state.before.set(Some(points));
        }
    });
}

fn ask(state: State, workbench: Workbench) {
    workbench.engine.ask(ModelRequest::Points, move |event| match event {
        Reply::Answer(TreeEvent::Points(learnt)) => {
            let of = if learnt.signs { PointKind::Signs } else { PointKind::Bytes };
            if state.of.try_get_untracked().is_some_and(|now| now != of) {
                state.of.set(of);
            }
            state.learnt.try_set(Some(Arc::new(learnt)));
        }
        Reply::Failed(failure) => workbench.notify(Notice::failure(failure.message)),
        _ => {}
    });
}

/// Returns the points to draw, with those of the translator if they are of the same kind and number.
fn known(state: State) -> Option<Known> {
    let of = state.of.get();
    let before = state.before.get()?.ok()?;
    let learnt =
        state.learnt.get().filter(|learnt| (if learnt.signs { PointKind::Signs } else { PointKind::Bytes }) == of);
    let after = learnt.as_ref().map(|learnt| rows(learnt)).filter(|after| after.len() == before.len());
    let names = before.iter().enumerate().map(|(number, point)| name(of, number, point)).collect();
    let curvature = learnt.filter(|_| after.is_some()).map_or(1.0, |learnt| learnt.curvature);
    Some(Known { names, before: before.to_vec(), after, curvature })
}

fn rows(learnt: &LearnedPoints) -> Vec<Vec<f64>> {
    learnt.values.chunks(learnt.dimensions.max(1)).map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect()
}

fn told(scene: &Scene, known: &Known) -> String {
    let dimensions = known.before.first().map_or(0, Vec::len);
    let count = format::plural(scene.marks.len(), "point", "points");
    let moves = if known.after.is_some() {
        let still = if scene.moved < MIN_MOVEMENT { ": its training left them where they were" } else { "" };
        format!(
            " Rings are where they began, discs where they are now; on average they moved by {:.2}{still}.",
            scene.moved
        )
    } else {
        " These are the points with which a translator’s training begins.".to_owned()
    };
    let seen = CIRCLES.iter().filter(|distance| scene.radius * radius_at(**distance) <= scene.side / 2.0);
    let circles = seen.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "{count} of {dimensions} dimensions, each at the nearest point of the plane in which they vary most (principal \
         geodesic analysis). The plane holds {:.0}\u{202f}% of the variance; distances shrink to {:.0}\u{202f}% on \
         average, and individual ones differ from that by {:.0}\u{202f}%: near in the picture need not be near. Dashed \
         circles are at {circles} from the centre.{moves}",
        scene.share * 100.0,
        scene.scale * 100.0,
        scene.distortion.average * 100.0,
    )
}

fn remark(state: State, attention: Attention) -> AnyView {
    let warning =
        |text: String| view! { <p id="known-trouble" class="band warning" role="status">{text}</p> }.into_any();
    if let Some(Err(reason)) = state.before.get() {
        return warning(format!("The points could not be fetched: {reason}. Once fetched, they are there offline."));
    }
    if !state.wanted.get() {
        let learnt = state.learnt.get();
        let other = learnt.filter(|learnt| {
            let own = state.before.get().and_then(Result::ok).map(|before| before.len());
            let of = if learnt.signs { PointKind::Signs } else { PointKind::Bytes };
            of == state.of.get() && own.is_some_and(|own| own != rows(learnt).len())
        });
        return other.map_or_else(
            || ().into_any(),
            |_| {
                warning(
                    "The translator’s points are not those of this page’s list, so their movements cannot be drawn."
                        .into(),
                )
            },
        );
    }
    match attention.translator.state.get() {
        ModelState::Opening => {
            let progress = attention.translator.progress();
            view! { <div class="progress">{meter(progress, "Opening the translator")}</div> }.into_any()
        }
        ModelState::Failed(failure) => warning(format!("There is no translator to compare with. {}", failure.message)),
        ModelState::Closed | ModelState::Ready(_) => ().into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_names() {
        let (away, centre) = ([0.5, 0.0], [0.0, 0.0]);
        assert_eq!(name(PointKind::Bytes, FIRST_BYTE + usize::from(b'a'), &away), "a");
        assert_eq!(name(PointKind::Bytes, FIRST_BYTE + 0xC5, &away), "C5");
        assert_eq!(name(PointKind::Bytes, FIRST_BYTE + usize::from(b'a'), &centre), "");
        assert_eq!(
            (name(PointKind::Bytes, 1, &away), name(PointKind::Bytes, 300, &away)),
            (String::new(), String::new())
        );
        assert_eq!(
            (name(PointKind::Signs, 0, &centre).as_str(), name(PointKind::Signs, 1, &away).as_str()),
            ("root", "𒀀")
        );
    }

    #[test]
    fn every_sign_point_has_a_node() {
        let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/geometry/sign-points.safetensors"));
        assert_eq!(stored(bytes, DIMENSIONS).unwrap().len(), Taxonomy::shared().len());
    }
}
