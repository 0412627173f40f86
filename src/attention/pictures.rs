//! The maps as files: side by side, as they stand on the screen.

use super::canvas::{context, paint};
use super::state::{Attention, Side};
use crate::restore::state::Workbench;
use crate::tree::canvas::{FONT, is_dark, palette};
use crate::tree::pictures::{save_canvas, save_drawn};
use leptos::prelude::*;
use tuppum_plot::attention::{Scene, svg};
use tuppum_protocol::attention::Strength;
use wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;

/// Room over each map for its name, and between maps.
const NAME: f64 = 22.0;
const BETWEEN: f64 = 16.0;
/// Pixels of the file for one of the screen's.
const FINE: f64 = 2.0;

/// What a side is called in pictures and headings, with these strengths of the bias on the left and on the right.
pub fn heading(strengths: [Strength; 2], side: Side) -> String {
    let told = |strength: Strength| match strength {
        Strength::Off => "Bias off".to_owned(),
        Strength::Own => "Bias on".to_owned(),
        Strength::Alpha(alpha) => format!("Bias with α {alpha:.3}"),
    };
    match side {
        Side::Off => told(strengths[0]),
        Side::On => told(strengths[1]),
        Side::Difference => "Difference: right minus left".to_owned(),
    }
}

fn scenes(attention: Attention) -> Vec<(Scene, String)> {
    let strengths = attention.strengths.map(|strength| strength.get_untracked());
    let named = |side| Some((attention.scene(side)?, heading(strengths, side)));
    Side::ALL.into_iter().filter_map(named).collect()
}

/// Saves all maps as one SVG.
pub fn save_svg(attention: Attention, workbench: Workbench) {
    let text =
        attention.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.text.clone()).unwrap_or_default());
    let title = format!("What the translator attends to in “{text}” (Tuppum)");
    save_drawn(&svg::row(&scenes(attention), &palette(), is_dark(), &title), "attention.svg", workbench);
}

/// Saves all maps as one PNG.
pub fn save_png(attention: Attention, workbench: Workbench) {
    let scenes = scenes(attention);
    let made = document().create_element("canvas").ok().and_then(|made| made.dyn_into::<HtmlCanvasElement>().ok());
    let Some((canvas, context)) = made.and_then(|canvas| {
        Some((canvas.clone(), {
            let width = scenes.iter().map(|(scene, _)| scene.size[0] + BETWEEN).sum::<f64>() - BETWEEN;
            let height = scenes.iter().map(|(scene, _)| scene.size[1]).fold(0.0, f64::max) + NAME;
            canvas.set_width((width * FINE) as u32);
            canvas.set_height((height * FINE) as u32);
            context(&canvas)?
        }))
    }) else {
        return;
    };
    let (palette, dark) = (palette(), is_dark());
    context.set_fill_style_str(&palette.paper);
    context.fill_rect(0.0, 0.0, f64::from(canvas.width()), f64::from(canvas.height()));
    let mut left = 0.0;
    for (scene, name) in &scenes {
        // None of the calls fails for finite numbers.
        let _ = context.set_transform(FINE, 0.0, 0.0, FINE, left * FINE, NAME * FINE);
        paint(&context, scene, &palette, dark);
        context.set_font(&format!("14px {FONT}"));
        context.set_text_align("left");
        let _ = context.fill_text(name, scene.corner[0], -6.0);
        left += scene.size[0] + BETWEEN;
    }
    save_canvas(&canvas, "attention.png", workbench);
}
