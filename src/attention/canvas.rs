//! Drawing of the maps on canvases, and the maps as files, side by side as on the screen.
//!
//! The cells of a map are one small image of a pixel each, which the browser enlarges. A text of 512 bytes has a
//! quarter of a million cells; drawn as rectangles they would block the page.

use super::state::{Attention, Side};
use crate::kit::timing::on_next_frame;
use crate::restore::state::Workbench;
use crate::tree::canvas::{FONT, is_dark, palette, save_canvas, save_drawn};
use leptos::prelude::*;
use tuppum_plot::attention::colours::LEVELS;
use tuppum_plot::attention::scene::LETTERS;
use tuppum_plot::attention::{Scene, svg};
use tuppum_plot::palette::Palette;
use tuppum_protocol::attention::Strength;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Returns the id of a side's canvas.
pub fn id(side: Side) -> &'static str {
    match side {
        Side::Off => "attention-off",
        Side::On => "attention-on",
        Side::Difference => "attention-difference",
    }
}

impl Attention {
    /// Draws after every change of the shown data, at most once a frame.
    pub fn draw_on_change(self) {
        Effect::new(move |_| {
            self.shown.track();
            self.view.track();
            self.cursor.track();
            self.size.track();
            self.colours.track();
            if !self.waiting.get_value() {
                self.waiting.set_value(true);
                on_next_frame(move || {
                    self.waiting.set_value(false);
                    self.draw();
                });
            }
        });
    }

    /// Draws all sides that have a map.
    fn draw(self) {
        for side in Side::ALL {
            if let (Some(scene), Some(canvas)) = (self.scene(side), element(side)) {
                draw(&canvas, &scene);
            }
        }
    }
}

/// Returns the canvas of a side, if it is on the page.
pub fn element(side: Side) -> Option<HtmlCanvasElement> {
    document().get_element_by_id(id(side))?.dyn_into().ok()
}

/// Draws a scene at the screen's resolution.
fn draw(canvas: &HtmlCanvasElement, scene: &Scene) {
    let ratio = window().device_pixel_ratio().clamp(1.0, 3.0);
    let [width, height] = scene.size.map(|side| (side * ratio).round() as u32);
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let Some(context) = context(canvas) else { return };
    // The calls below fail only for numbers that are not finite, and a scene has none.
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    paint(&context, scene, &palette(), is_dark());
    let _ = canvas.set_attribute("data-drawn", &scene.levels.len().to_string());
}

/// Returns the drawing context of a canvas.
pub fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// Draws a scene at the origin of a context.
pub fn paint(context: &CanvasRenderingContext2d, scene: &Scene, palette: &Palette, dark: bool) {
    let ([width, height], [x, y], [across, along]) = (scene.size, scene.corner, scene.area);
    context.set_fill_style_str(&palette.paper);
    context.fill_rect(0.0, 0.0, width, height);
    context.save();
    context.begin_path();
    context.rect(x, y, across, along);
    context.clip();
    cells(context, scene, dark);
    if let Some([left, top]) = scene.cursor {
        context.set_stroke_style_str(&palette.paper);
        context.set_line_width(4.0);
        context.stroke_rect(left, top, scene.cell, scene.cell);
        context.set_stroke_style_str(&palette.chosen);
        context.set_line_width(2.0);
        context.stroke_rect(left, top, scene.cell, scene.cell);
    }
    context.restore();
    context.set_fill_style_str(&palette.ink);
    for label in &scene.labels {
        let weight = if label.marked { "700 " } else { "" };
        context.set_font(&format!("{weight}{LETTERS}px {FONT}"));
        let [left, base] = label.at;
        context.save();
        let _ = context.translate(left, base);
        if label.upwards {
            let _ = context.rotate(-std::f64::consts::FRAC_PI_2);
        }
        context.set_text_align(if label.upwards { "left" } else { "right" });
        let _ = context.fill_text(&label.text, 0.0, 0.0);
        context.restore();
    }
}

fn cells(context: &CanvasRenderingContext2d, scene: &Scene, dark: bool) {
    let colours = scene.scale.colours(dark);
    let opaque: Vec<[u8; 4]> = colours.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    let mut pixels = Vec::with_capacity(scene.levels.len() * 4);
    for level in &scene.levels {
        pixels.extend_from_slice(&opaque[usize::from((*level).min(LEVELS - 1))]);
    }
    let (columns, rows) = (scene.columns.len() as u32, scene.rows.len() as u32);
    let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), columns, rows);
    let small = document().create_element("canvas").ok().and_then(|made| made.dyn_into::<HtmlCanvasElement>().ok());
    let (Ok(image), Some(small)) = (image, small) else { return };
    small.set_width(columns);
    small.set_height(rows);
    let Some(own) = self::context(&small) else { return };
    let _ = own.put_image_data(&image, 0.0, 0.0);
    // Where several cells fall on one pixel, their mean is drawn.
    context.set_image_smoothing_enabled(scene.cell < 1.0);
    let [left, top] = scene.start;
    let (wide, high) = (f64::from(columns) * scene.cell, f64::from(rows) * scene.cell);
    let _ = context.draw_image_with_html_canvas_element_and_dw_and_dh(&small, left, top, wide, high);
}

/// Space above each map for its name, in pixels.
const NAME_HEIGHT: f64 = 22.0;
/// Space between maps, in pixels.
const GAP_WIDTH: f64 = 16.0;
/// Pixels of the file for one CSS pixel of the screen.
const PIXEL_RATIO: f64 = 2.0;

/// Returns the name of a side in pictures and headings, given the strengths of the bias on the left and on the right.
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
            let width = scenes.iter().map(|(scene, _)| scene.size[0] + GAP_WIDTH).sum::<f64>() - GAP_WIDTH;
            let height = scenes.iter().map(|(scene, _)| scene.size[1]).fold(0.0, f64::max) + NAME_HEIGHT;
            canvas.set_width((width * PIXEL_RATIO) as u32);
            canvas.set_height((height * PIXEL_RATIO) as u32);
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
        // The calls fail only for numbers that are not finite.
        let _ =
            context.set_transform(PIXEL_RATIO, 0.0, 0.0, PIXEL_RATIO, left * PIXEL_RATIO, NAME_HEIGHT * PIXEL_RATIO);
        paint(&context, scene, &palette, dark);
        context.set_font(&format!("14px {FONT}"));
        context.set_text_align("left");
        let _ = context.fill_text(name, scene.corner[0], -6.0);
        left += scene.size[0] + GAP_WIDTH;
    }
    save_canvas(&canvas, "attention.png", workbench);
}
