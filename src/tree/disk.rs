//! The disk with pointer, wheel, fingers and keys. The wheel and one finger scroll the page, as everywhere else.

use crate::kit::interaction::NOTCH;
use crate::kit::interaction::focus_first;
use crate::kit::timing::on_next_frame;
use crate::kit::{colours, interaction};
use crate::tree::SignTree;
use crate::tree::state::{Step, kind_name, times};
use crate::{kit::format, tree::Script};
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use tuppum_plot::disk::{Point, complex};

/// Pixels below which a movement of the pointer counts as a click.
const CLICK_PIXELS: f64 = 4.0;

/// Pressed pointer: its last place, the place where it was pressed, and whether it has moved.
#[derive(Clone, Copy)]
struct Finger {
    id: i32,
    at: Point,
    began: Point,
    dragged: bool,
}

type Fingers = StoredValue<Vec<Finger>>;

/// The canvas, and the label over it of the node under the pointer.
#[component]
pub fn Disk() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let fingers: Fingers = StoredValue::new(Vec::new());
    watch_size(tree);
    colours::watch(tree.colours);
    let chosen = move || tree.script().map(|script| script.tree.path(tree.chosen.get()).join("/"));
    let middle = move || {
        let view = tree.view.get();
        format!("{:.6},{:.6},{:.3}", view.centre[0], view.centre[1], view.zoom)
    };
    let missing = move || tree.loaded.with(|loaded| loaded.script().is_none());
    view! {
        <div class="disk" class:missing=missing>
            <canvas
                id="disk"
                node_ref=tree.canvas
                tabindex="0"
                role="application"
                aria-label="Sign tree"
                aria-describedby="disk-keys"
                data-chosen=chosen
                data-middle=middle
                on:pointerdown=move |event| down(tree, fingers, &event)
                on:pointermove=move |event| moved(tree, fingers, &event)
                on:pointerup=move |event| up(tree, fingers, &event, true)
                on:pointercancel=move |event| up(tree, fingers, &event, false)
                on:pointerleave=move |_| tree.hovered.set(None)
                on:wheel=move |event| {
                    if let Some(factor) = interaction::zoom(&event) {
                        tree.zoom(factor);
                    }
                }
                on:keydown=move |event| key(tree, &event)
            ></canvas>
            <Hover />
        </div>
    }
}

/// Instructions for hand and keys.
#[component]
pub fn Keys() -> impl IntoView {
    view! {
        <p id="disk-keys" class="hint">
            {by_hand(interaction::is_coarse())}
            " Keys: "
            <kbd>"↑"</kbd>" above, "<kbd>"↓"</kbd>" below, "<kbd>"←"</kbd>" "<kbd>"→"</kbd>" neighbours, "
            <kbd>"Enter"</kbd>" to the middle, "
            <kbd>"Home"</kbd>" the root, "<kbd>"+"</kbd>" "<kbd>"−"</kbd>" zoom."
        </p>
    }
}

/// Returns the instructions for fingers or for a mouse.
fn by_hand(fingers: bool) -> &'static str {
    match fingers {
        true => {
            "Tap a node to bring it to the middle. Move the picture with two fingers, and spread them to zoom in; one \
             finger scrolls the page."
        }
        false => {
            "Drag to move, click a node to bring it to the middle. To zoom, turn the wheel with Ctrl (on a Mac ⌘) \
             held, or pinch; the wheel alone scrolls the page."
        }
    }
}

/// Focuses the canvas.
pub fn focus() {
    focus_first("#disk");
}

/// Keeps the size in step with the one that the stylesheet gives the canvas.
fn watch_size(tree: SignTree) {
    let measure = move || {
        if let Some(canvas) = tree.canvas.get_untracked() {
            let area = canvas.get_bounding_client_rect();
            let size = [area.width(), area.height()];
            if tree.size.get_untracked() != size {
                tree.size.set(size);
            }
        }
    };
    Effect::new(move |_| {
        tree.canvas.track();
        tree.loaded.track();
        on_next_frame(measure);
    });
    let resized = window_event_listener_untyped("resize", move |_| measure());
    on_cleanup(move || resized.remove());
}

fn place(event: &PointerEvent) -> Point {
    [f64::from(event.offset_x()), f64::from(event.offset_y())]
}

fn down(tree: SignTree, fingers: Fingers, event: &PointerEvent) {
    if event.button() != 0 {
        return;
    }
    if let Some(canvas) = tree.canvas.get_untracked() {
        // If capturing fails, a drag ends at the canvas's edge; nothing else is lost.
        let _ = canvas.set_pointer_capture(event.pointer_id());
    }
    tree.stop();
    let at = place(event);
    fingers.update_value(|all| {
        all.retain(|finger| finger.id != event.pointer_id());
        all.push(Finger { id: event.pointer_id(), at, began: at, dragged: false });
    });
}

fn moved(tree: SignTree, fingers: Fingers, event: &PointerEvent) {
    let at = place(event);
    let before = fingers.get_value();
    let Some(own) = before.iter().position(|finger| finger.id == event.pointer_id()) else {
        hover(tree, at);
        return;
    };
    let far = complex::length(complex::minus(at, before[own].began)) > CLICK_PIXELS;
    if !far && !before[own].dragged {
        return;
    }
    fingers.update_value(|all| {
        all[own].at = at;
        all[own].dragged = true;
    });
    tree.hovered.set(None);
    if before.len() == 1 && event.pointer_type() == "touch" {
        // One finger scrolls the page.
        return;
    }
    let size = tree.size.get_untracked();
    let (from, to, factor) = match before.iter().enumerate().find(|(place, _)| *place != own) {
        None => (before[own].at, at, 1.0),
        Some((_, other)) => {
            let apart = |at: Point| complex::length(complex::minus(at, other.at)).max(1.0);
            let middle = |at: Point| complex::scaled(0.5, complex::plus(at, other.at));
            (middle(before[own].at), middle(at), apart(at) / apart(before[own].at))
        }
    };
    tree.view.update(|view| {
        let (from, to) = (view.from_pixels(size, from), view.from_pixels(size, to));
        *view = view.dragged(from, to).zoomed(factor);
    });
}

fn up(tree: SignTree, fingers: Fingers, event: &PointerEvent, pressed: bool) {
    let finger = fingers.with_value(|all| all.iter().find(|finger| finger.id == event.pointer_id()).copied());
    let single = fingers.with_value(|all| all.len() == 1);
    fingers.update_value(|all| all.retain(|finger| finger.id != event.pointer_id()));
    let Some(finger) = finger.filter(|finger| pressed && single && !finger.dragged) else { return };
    let hit = tree.scene.with_value(|scene| scene.as_ref().and_then(|scene| scene.hit(finger.at)));
    if let Some(node) = hit {
        tree.hovered.set(None);
        tree.go(node);
    }
}

fn hover(tree: SignTree, at: Point) {
    let hit = tree.scene.with_value(|scene| scene.as_ref().and_then(|scene| scene.hit(at))).map(|node| (node, at));
    if tree.hovered.get_untracked() != hit {
        tree.hovered.set(hit);
    }
}

fn key(tree: SignTree, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    match event.key().as_str() {
        "ArrowUp" => tree.step(Step::Parent),
        "ArrowDown" => tree.step(Step::Child),
        "ArrowRight" => tree.step(Step::Next),
        "ArrowLeft" => tree.step(Step::Previous),
        "Home" => tree.home(),
        "Enter" | " " => tree.centre(tree.chosen.get_untracked()),
        "+" | "=" => tree.zoom(NOTCH),
        "-" => tree.zoom(1.0 / NOTCH),
        _ => return,
    }
    event.prevent_default();
}

/// Label of the node under the pointer. The details say the same of the chosen node, so that nobody needs a pointer.
#[component]
fn Hover() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    move || {
        let (node, at) = tree.hovered.get()?;
        let script = tree.script()?;
        let size = tree.size.get_untracked();
        let pixels = |number: f64| format!("{number:.0}px");
        // Positioned from the nearer side, so that the label stays inside the disk.
        let [right, below] = [0, 1].map(|axis| at[axis] > size[axis] / 2.0);
        let from_begin = |axis: usize| pixels(at[axis] + 12.0);
        let from_end = |axis: usize| pixels(size[axis] - at[axis] + 12.0);
        Some(view! {
            <div
                id="disk-hover"
                aria-hidden="true"
                data-node=node.to_string()
                style:left=(!right).then(|| from_begin(0))
                style:right=right.then(|| from_end(0))
                style:top=(!below).then(|| from_begin(1))
                style:bottom=below.then(|| from_end(1))
            >
                {about(&script, node, tree)}
            </div>
        })
    }
}

fn about(script: &Script, node: usize, tree: SignTree) -> impl IntoView + use<> {
    let about = script.tree.node(node).cloned();
    let below: Vec<String> = script
        .tree
        .children(node)
        .iter()
        .take(8)
        .filter_map(|child| {
            let child = script.tree.node(*child)?;
            Some(format!("{} ({})", child.label, format::count(child.count)))
        })
        .collect();
    let more = if script.tree.children(node).len() > 8 { ", …" } else { "" };
    let middle = complex::distance_from_centre(tree.view.with_untracked(|view| view.seen(script.figure.point(node))));
    about.map(|about| {
        view! {
            <p>
                <strong>{about.label}</strong>
                " "
                {crate::restore::view::marks::glyph(&about.glyph)}
            </p>
            <p>{format!("{}, {}, {middle:.2} from the middle", kind_name(about.kind, false), times(about.count))}</p>
            {(!below.is_empty()).then(|| view! { <p class="hint">{below.join(", ")}{more}</p> })}
        }
    })
}
