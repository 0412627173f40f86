//! Drawing of a scene on a canvas, and pictures as files: PNG as on the screen, SVG drawn for the file. Many edges
//! form one path, since a browser without a GPU draws few large paths much faster than many small ones.

use super::state::SignTree;
use crate::frame::notice::Notice;
use crate::kit::colours::COLOURS;
use crate::kit::files::save;
use crate::kit::storage::error_text;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use std::cell::RefCell;
use std::f64::consts::TAU;
use tuppum_plot::disk::{Edge, EdgeShape, Figure, Mark, Scene};
use tuppum_plot::palette::Palette;
use tuppum_plot::svg;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement};

/// Radius in pixels below which nodes are drawn as squares, whatever their shape.
const TINY_RADIUS: f64 = 1.3;
/// Nodes in one path. Chromium without a GPU fills 11,500 squares in 34 ms as one path, in 22 ms one by one, and in 11
/// ms in paths of this size.
const NODES_PER_PATH: usize = 50;
/// Typefaces of the labels.
pub const FONT: &str = "'Tuppum Serif','Noto Serif','Noto Sans Cuneiform','Tuppum Cuneiform',serif";

thread_local! {
    /// Colours with the scheme for which they were read: reading them takes longer than drawing a small scene.
    static READ: RefCell<Option<(String, Palette)>> = const { RefCell::new(None) };
}

/// Draws a scene at the screen's resolution.
pub fn draw(canvas: &HtmlCanvasElement, scene: &Scene, figure: &Figure) {
    let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()).clamp(1.0, 3.0);
    let [width, height] = scene.size.map(|side| (side * ratio).round() as u32);
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let context = canvas.get_context("2d").ok().flatten().and_then(|context| context.dyn_into().ok());
    let Some(context): Option<CanvasRenderingContext2d> = context else { return };
    // The calls below fail only for numbers that are not finite, and a scene has none.
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    paint(&context, scene, figure, &palette());
    let _ = canvas.set_attribute("data-drawn", &scene.marks.len().to_string());
}

/// Returns the colours of the stylesheet in the present scheme.
pub fn palette() -> Palette {
    let key = scheme();
    let known = READ.with_borrow(|read| read.as_ref().filter(|(of, _)| *of == key).map(|(_, palette)| palette.clone()));
    let read = || {
        let palette = read_palette()?;
        READ.set(Some((key, palette.clone())));
        Some(palette)
    };
    // No colour can be read before the page is mounted; everything is drawn again once it is.
    known.or_else(read).unwrap_or_else(Palette::light)
}

/// Returns `true` if the present scheme is dark.
pub fn is_dark() -> bool {
    let scheme = scheme();
    scheme.starts_with("dark") || (!scheme.starts_with("light") && scheme.ends_with("true"))
}

/// Returns the values that decide the colours: the choice in the page's menu, and the system's preference.
fn scheme() -> String {
    let window = web_sys::window();
    let theme = window.as_ref().and_then(|window| window.document()?.document_element()?.get_attribute("data-theme"));
    let dark = window.and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok().flatten());
    format!("{} {}", theme.unwrap_or_default(), dark.is_some_and(|query| query.matches()))
}

fn read_palette() -> Option<Palette> {
    let window = web_sys::window()?;
    let document = window.document()?;
    let colour = |name: &str| {
        let probe = document.query_selector(&format!("#tree-colours [data-colour={name}]")).ok()??;
        window.get_computed_style(&probe).ok()??.get_property_value("color").ok().filter(|colour| !colour.is_empty())
    };
    let all = COLOURS.iter().map(|name| colour(name)).collect::<Option<Vec<_>>>()?;
    let [ground, paper, ink, line, chosen, kinds @ ..]: [String; 10] = all.try_into().ok()?;
    Some(Palette { ground, paper, ink, line, chosen, kinds })
}

fn paint(context: &CanvasRenderingContext2d, scene: &Scene, figure: &Figure, palette: &Palette) {
    let [width, height] = scene.size;
    context.set_fill_style_str(&palette.ground);
    context.fill_rect(0.0, 0.0, width, height);
    rings(context, scene, palette);
    for (kind, colour) in (0u8..).zip(&palette.kinds) {
        context.begin_path();
        scene.edges.iter().filter(|edge| edge.kind == kind).for_each(|edge| trace(context, edge));
        context.set_global_alpha(scene.strength(kind));
        context.set_stroke_style_str(colour);
        context.set_line_width(1.0);
        context.stroke();
        context.set_global_alpha(1.0);
        context.set_fill_style_str(colour);
        let marks: Vec<&Mark> = scene.marks.iter().filter(|mark| mark.kind == kind).collect();
        for some in marks.chunks(NODES_PER_PATH) {
            context.begin_path();
            some.iter().for_each(|mark| outline(context, mark));
            context.fill();
        }
    }
    context.set_stroke_style_str(&palette.chosen);
    if let Some(geodesic) = &scene.geodesic {
        context.begin_path();
        trace(context, geodesic);
        context.set_line_width(2.5);
        context.stroke();
    }
    context.begin_path();
    for mark in &scene.chosen {
        circle(context, mark.at, mark.radius + 4.0);
    }
    context.set_line_width(2.0);
    context.stroke();
    labels(context, scene, figure, palette);
}

fn rings(context: &CanvasRenderingContext2d, scene: &Scene, palette: &Palette) {
    let middle = scene.size.map(|side| side / 2.0);
    context.set_stroke_style_str(&palette.line);
    context.set_line_width(1.0);
    context.set_fill_style_str(&palette.paper);
    context.begin_path();
    match scene.rim {
        Some(rim) => circle(context, middle, rim.radius),
        None => context.rect(0.0, 0.0, scene.size[0], scene.size[1]),
    }
    context.fill();
    context.stroke();
    context.begin_path();
    for ring in &scene.circles {
        circle(context, middle, ring.radius);
    }
    context.stroke();
}

fn labels(context: &CanvasRenderingContext2d, scene: &Scene, figure: &Figure, palette: &Palette) {
    context.set_line_join("round");
    context.set_stroke_style_str(&palette.paper);
    context.set_fill_style_str(&palette.ink);
    context.set_line_width(3.0);
    for label in &scene.labels {
        let text = figure.labels.get(label.node).map_or("", String::as_str);
        let weight = if label.chosen { "700 " } else { "" };
        context.set_font(&format!("{weight}{:.1}px {FONT}", label.size));
        let _ = context.stroke_text_with_max_width(text, label.at[0], label.at[1], label.width * 1.15);
        let _ = context.fill_text_with_max_width(text, label.at[0], label.at[1], label.width * 1.15);
    }
}

fn circle(context: &CanvasRenderingContext2d, [x, y]: [f64; 2], radius: f64) {
    context.move_to(x + radius, y);
    // `arc` fails only for a negative radius.
    let _ = context.arc(x, y, radius, 0.0, TAU);
}

fn trace(context: &CanvasRenderingContext2d, edge: &Edge) {
    context.move_to(edge.from[0], edge.from[1]);
    match &edge.shape {
        EdgeShape::Line => {}
        EdgeShape::Arc { centre: [x, y], radius, sweep } => {
            let angle = |point: [f64; 2]| (point[1] - y).atan2(point[0] - x);
            let _ = context.arc_with_anticlockwise(*x, *y, *radius, angle(edge.from), angle(edge.to), !sweep);
        }
        EdgeShape::Through(points) => points.iter().for_each(|[x, y]| context.line_to(*x, *y)),
    }
    context.line_to(edge.to[0], edge.to[1]);
}

/// Traces the shape of a node, the same as in the SVG.
fn outline(context: &CanvasRenderingContext2d, mark: &Mark) {
    let ([x, y], radius) = (mark.at, mark.radius);
    match mark.kind {
        _ if radius < TINY_RADIUS => context.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8),
        1 => context.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8),
        3 => {
            context.move_to(x, y - radius);
            context.line_to(x + radius, y);
            context.line_to(x, y + radius);
            context.line_to(x - radius, y);
            context.close_path();
        }
        4 => {
            context.move_to(x - radius, y - radius * 0.8);
            context.line_to(x + radius, y - radius * 0.8);
            context.line_to(x, y + radius);
            context.close_path();
        }
        _ => circle(context, [x, y], radius),
    }
}

/// Title of the picture.
const TITLE: &str = "The sign tree of cuneiform on the hyperbolic plane (Tuppum)";

/// Saves the canvas as PNG.
pub fn save_png(tree: SignTree, workbench: Workbench) {
    if let Some(canvas) = tree.canvas.get_untracked() {
        save_canvas(&canvas, "sign-tree.png", workbench);
    }
}

/// Saves a canvas as PNG under a name, and notifies the user.
pub fn save_canvas(canvas: &HtmlCanvasElement, name: &'static str, workbench: Workbench) {
    let arrived = Closure::once_into_js(move |blob: JsValue| match blob.dyn_into::<Blob>() {
        Ok(blob) => notify_saved(workbench, name, save(&blob, name)),
        Err(_) => notify_saved(workbench, name, Err("the browser could not make a picture of the canvas".into())),
    });
    if let Err(error) = canvas.to_blob(arrived.unchecked_ref()) {
        notify_saved(workbench, name, Err(error_text(&error)));
    }
}

/// Saves the present scene as SVG.
pub fn save_svg(tree: SignTree, workbench: Workbench) {
    let Some(script) = tree.script_now() else { return };
    let scene = Scene::of(&script.figure, &untrack(|| tree.wanted()));
    let drawn = svg::disk(&scene, &script.figure, &palette(), TITLE);
    save_drawn(&drawn, "sign-tree.svg", workbench);
}

/// Saves an SVG document under a name, and notifies the user.
pub fn save_drawn(drawn: &str, name: &'static str, workbench: Workbench) {
    let options = BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    let parts = js_sys::Array::of1(&JsValue::from_str(drawn));
    let outcome = Blob::new_with_str_sequence_and_options(&parts, &options)
        .map_err(|error| error_text(&error))
        .and_then(|blob| save(&blob, name));
    notify_saved(workbench, name, outcome);
}

fn notify_saved(workbench: Workbench, name: &str, outcome: Result<(), String>) {
    workbench.notify(match outcome {
        Ok(()) => Notice::done(format!("{name} saved.")),
        Err(reason) => Notice::failure(format!("{name} was not saved: {reason}.")),
    });
}
