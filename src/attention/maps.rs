//! The maps with pointer, wheel, fingers and keys; all share one view and one cursor.

use crate::attention::address::{cut_name, kind_name};
use crate::attention::{Attention, DrawnMaps, Side, canvas};
use crate::kit::interaction::NOTCH;
use crate::kit::timing::on_next_frame;
use crate::kit::{format, interaction};
use crate::restore::state::Workbench;
use crate::tree::canvas::is_dark;
use leptos::ev::{KeyboardEvent, PointerEvent, WheelEvent};
use leptos::prelude::*;
use tuppum_plot::attention::Scale;
use tuppum_plot::attention::colours::{LEVELS, css};

/// Pixels below which a movement of the pointer counts as a click.
const CLICK_PIXELS: f64 = 4.0;

/// Pressed pointer: its last place, the place where it was pressed, and whether it has moved.
#[derive(Clone, Copy)]
struct Drag {
    at: [f64; 2],
    began: [f64; 2],
    dragged: bool,
}

type Dragging = StoredValue<Option<Drag>>;

/// The maps side by side; on a phone one below the other.
#[component]
pub fn Maps() -> impl IntoView {
    let attention = expect_context::<Attention>();
    watch_size(attention);
    let cursor = move || {
        let [row, column] = attention.cursor.get();
        format!("{row},{column}")
    };
    let by = move || attention.shown.with(|shown| shown.as_ref().map(|shown| cut_name(shown.cut)));
    let kind = move || attention.seen[0].with(|seen| seen.as_ref().map(|seen| kind_name(seen.question.kind)));
    view! {
        <div
            id="attention-maps"
            class="maps"
            aria-busy=move || attention.job.is_running().to_string()
            data-cursor=cursor
            data-by=by
            data-kind=kind
        >
            {Side::ALL.map(|side| view! { <Map side /> }).collect_view()}
        </div>
        <p id="attention-value" role="status" aria-live="polite">
            {move || told(attention)}
        </p>
        <p id="attention-keys" class="hint">
            "Rows attend to columns. "
            {by_hand(interaction::is_coarse())}
            " Keys: "<kbd>"←"</kbd>" "<kbd>"→"</kbd>" "<kbd>"↑"</kbd>" "<kbd>"↓"</kbd>" from cell to cell, "
            <kbd>"+"</kbd>" "<kbd>"−"</kbd>" zoom, "<kbd>"0"</kbd>" shows all."
        </p>
    }
}

/// Returns the instructions for fingers or for a mouse.
fn by_hand(fingers: bool) -> &'static str {
    match fingers {
        true => "Tap a cell for its value; sideways a finger moves the maps, up and down it scrolls the page.",
        false => {
            "Point at a cell for its value; drag to move. To zoom, turn the wheel with Ctrl (on a Mac ⌘) held, or \
             pinch; the wheel alone scrolls the page."
        }
    }
}

#[component]
fn Map(side: Side) -> impl IntoView {
    let attention = expect_context::<Attention>();
    let dragging: Dragging = StoredValue::new(None);
    let missing = move || {
        attention.shown.with(|shown| shown.as_ref().is_none_or(|shown| Attention::matrix(shown, side).is_none()))
    };
    let title = move || canvas::heading(attention.strengths.map(|strength| strength.get()), side);
    view! {
        <figure hidden=missing>
            <figcaption>{title}</figcaption>
            <canvas
                id=canvas::id(side)
                tabindex="0"
                role="application"
                aria-label=title
                aria-describedby="attention-keys attention-value"
                on:pointerdown=move |event| down(attention, side, dragging, &event)
                on:pointermove=move |event| moved(attention, side, dragging, &event)
                on:pointerup=move |event| up(attention, side, dragging, &event)
                on:pointercancel=move |_| dragging.set_value(None)
                on:pointerleave=move |_| attention.hovered.set(None)
                on:wheel=move |event| turn(attention, side, &event)
                on:keydown=move |event| key(attention, &event)
            ></canvas>
            {move || legend(attention, side)}
        </figure>
    }
}

/// Returns the colour scale in a few steps, with its end values.
fn legend(attention: Attention, side: Side) -> impl IntoView + use<> {
    attention.colours.track();
    let scale = attention.shown.with(|shown| Attention::matrix(shown.as_ref()?, side).map(|(_, scale)| scale))?;
    let dark = is_dark();
    let steps = (0..LEVELS).step_by(6).map(|level| css(scale.colour(level, dark))).collect::<Vec<_>>().join(", ");
    let (least, most) = match scale {
        Scale::Share(most) => (0.0, most),
        Scale::Difference(most) => (-most, most),
    };
    let number = |value: f32| match scale {
        Scale::Share(_) => percent(value),
        Scale::Difference(_) => change(value),
    };
    Some(view! {
        <p class="scale">
            <span class="figure">{number(least)}</span>
            <span class="ramp" aria-hidden="true" style:background=format!("linear-gradient(90deg, {steps})")></span>
            <span class="figure">{number(most)}</span>
        </p>
    })
}

/// Returns a share in percent, with one decimal.
pub fn percent(value: f32) -> String {
    format!("{:.1}\u{202f}%", value * 100.0)
}

/// Returns a change of a share, in percentage points.
pub fn change(value: f32) -> String {
    let points = format!("{:+.1}", value * 100.0);
    if points.ends_with("0.0") && points.len() == 4 { "0.0".to_owned() } else { points.replace('-', "−") }
}

/// Returns the sentence about the cell under the pointer, or else the chosen cell.
fn told(attention: Attention) -> String {
    let cell = attention.hovered.get().unwrap_or_else(|| attention.cursor.get());
    attention.shown.with(|shown| shown.as_ref().and_then(|shown| sentence(shown, cell))).unwrap_or_default()
}

fn sentence(shown: &DrawnMaps, cell: [usize; 2]) -> Option<String> {
    let [from, to] = shown.parts(cell)?;
    let value = |side: Side| Attention::matrix(shown, side).map(|(matrix, _)| matrix.at(cell[0], cell[1]));
    let (off, on) = (value(Side::Off)?, value(Side::On));
    let values = match (on, value(Side::Difference)) {
        (Some(on), Some(less)) => {
            format!("{} on the left, {} on the right, {}", percent(off), percent(on), change(less))
        }
        _ => percent(off),
    };
    Some(format!("{} attends to {}: {values}", shown.about_row(from), shown.about_column(to)))
}

/// Keeps the size in step with the one that the stylesheet gives the canvases.
fn watch_size(attention: Attention) {
    let measure = move || {
        if let Some(canvas) = canvas::element(Side::Off) {
            let area = canvas.get_bounding_client_rect();
            let size = [area.width(), area.height()];
            if size[0] > 1.0 && attention.size.get_untracked() != size {
                attention.size.set(size);
            }
        }
    };
    Effect::new(move |_| {
        attention.shown.track();
        on_next_frame(measure);
    });
    let resized = window_event_listener_untyped("resize", move |_| measure());
    on_cleanup(move || resized.remove());
}

fn place(event: &PointerEvent) -> [f64; 2] {
    [f64::from(event.offset_x()), f64::from(event.offset_y())]
}

fn down(attention: Attention, side: Side, dragging: Dragging, event: &PointerEvent) {
    if event.button() != 0 {
        return;
    }
    if let Some(canvas) = canvas::element(side) {
        // If capturing fails, a drag ends at the canvas's edge; nothing else is lost.
        let _ = canvas.set_pointer_capture(event.pointer_id());
    }
    let at = place(event);
    attention.hovered.set(None);
    dragging.set_value(Some(Drag { at, began: at, dragged: false }));
}

fn moved(attention: Attention, side: Side, dragging: Dragging, event: &PointerEvent) {
    let at = place(event);
    let Some(drag) = dragging.get_value() else {
        let hit = attention.bare_scene(side).and_then(|scene| scene.hit(at));
        if attention.hovered.get_untracked() != hit {
            attention.hovered.set(hit);
        }
        return;
    };
    let far = (at[0] - drag.began[0]).hypot(at[1] - drag.began[1]) > CLICK_PIXELS;
    if far || drag.dragged {
        attention.drag([at[0] - drag.at[0], at[1] - drag.at[1]]);
        dragging.set_value(Some(Drag { at, dragged: true, ..drag }));
    }
}

fn up(attention: Attention, side: Side, dragging: Dragging, event: &PointerEvent) {
    let drag = dragging.get_value();
    dragging.set_value(None);
    if drag.is_some_and(|drag| !drag.dragged)
        && let Some(cell) = attention.bare_scene(side).and_then(|scene| scene.hit(place(event)))
    {
        attention.choose(cell);
    }
}

fn turn(attention: Attention, side: Side, event: &WheelEvent) {
    let Some(factor) = interaction::zoom(event) else { return };
    let corner = attention.bare_scene(side).map_or([0.0, 0.0], |scene| scene.corner);
    let at = [f64::from(event.offset_x()) - corner[0], f64::from(event.offset_y()) - corner[1]];
    attention.zoom(factor, Some(at.map(|side| side.max(0.0))));
}

fn key(attention: Attention, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    match event.key().as_str() {
        "ArrowUp" => attention.step(-1, 0),
        "ArrowDown" => attention.step(1, 0),
        "ArrowRight" => attention.step(0, 1),
        "ArrowLeft" => attention.step(0, -1),
        "Home" => attention.choose([0, 0]),
        "End" => attention.choose([usize::MAX, usize::MAX]),
        "+" | "=" => attention.zoom(NOTCH, None),
        "-" => attention.zoom(1.0 / NOTCH, None),
        "0" => attention.zoom(1e-6, None),
        _ => return,
    }
    attention.hovered.set(None);
    event.prevent_default();
}

/// Buttons for zoom and for saving pictures, below the translation that the model writes.
#[component]
pub fn Tools() -> impl IntoView {
    let (attention, workbench) = (expect_context::<Attention>(), expect_context::<Workbench>());
    let target = move || {
        attention.seen[0].with(|seen| {
            let seen = seen.as_ref().filter(|seen| !seen.target.is_empty())?;
            let written = tuppum_text::bytes::decode(&seen.target);
            let count = format::plural(seen.target.len(), "token", "tokens");
            Some(format!("What the model writes, {count}, a machine’s translation with its own bias: {written}"))
        })
    };
    view! {
        <p id="attention-written" class="hint">
            {target}
        </p>
        <p class="buttons">
            <button
                id="attention-zoom-out"
                type="button"
                aria-label="Zoom out"
                on:click=move |_| attention.zoom(1.0 / NOTCH, None)
            >
                "−"
            </button>
            <button
                id="attention-zoom-in"
                type="button"
                aria-label="Zoom in"
                on:click=move |_| attention.zoom(NOTCH, None)
            >
                "+"
            </button>
            <button id="attention-all" type="button" on:click=move |_| attention.zoom(1e-6, None)>
                "Show all"
            </button>
            <button id="attention-png" type="button" on:click=move |_| canvas::save_png(attention, workbench)>
                "Save as PNG"
            </button>
            <button id="attention-svg" type="button" on:click=move |_| canvas::save_svg(attention, workbench)>
                "Save as SVG"
            </button>
        </p>
    }
}
