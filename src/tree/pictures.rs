//! The picture as a file: PNG as on the screen, SVG drawn for the file.

use super::canvas::palette;
use super::state::SignTree;
use crate::restore::state::{Notice, Workbench};
use crate::shell::downloads::save;
use crate::shell::storage::error_text;
use leptos::prelude::*;
use tuppum_plot::disk::Scene;
use tuppum_plot::svg;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlCanvasElement};

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
