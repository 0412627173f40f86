//! A map on a canvas: the cells as one small image, a pixel each, which the browser enlarges. 512 bytes are a quarter
//! of a million cells; as rectangles they would hold the page up.

use super::state::{Attention, Side};
use crate::tree::canvas::{FONT, is_dark, palette};
use leptos::prelude::*;
use tuppum_plot::attention::Scene;
use tuppum_plot::attention::colours::LEVELS;
use tuppum_plot::attention::scene::LETTERS;
use tuppum_plot::palette::Palette;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// The id of a side's canvas.
pub fn id(side: Side) -> &'static str {
    match side {
        Side::Off => "attention-off",
        Side::On => "attention-on",
        Side::Difference => "attention-difference",
    }
}

impl Attention {
    /// Draws whenever something that is shown changes, once in a frame.
    pub fn draw_on_change(self) {
        Effect::new(move |_| {
            self.shown.track();
            self.view.track();
            self.cursor.track();
            self.size.track();
            self.colours.track();
            if !self.waiting.get_value() {
                self.waiting.set_value(true);
                request_animation_frame(move || {
                    self.waiting.set_value(false);
                    self.draw();
                });
            }
        });
    }

    /// Draws all sides that there are.
    fn draw(self) {
        for side in Side::ALL {
            if let (Some(scene), Some(canvas)) = (self.scene(side), element(side)) {
                draw(&canvas, &scene);
            }
        }
    }
}

/// The canvas of a side, where it is on the page.
pub fn element(side: Side) -> Option<HtmlCanvasElement> {
    document().get_element_by_id(id(side))?.dyn_into().ok()
}

/// Draws a scene, at the screen's own resolution.
fn draw(canvas: &HtmlCanvasElement, scene: &Scene) {
    let ratio = window().device_pixel_ratio().clamp(1.0, 3.0);
    let [width, height] = scene.size.map(|side| (side * ratio).round() as u32);
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let Some(context) = context(canvas) else { return };
    // None of the calls below fails for finite numbers, and all numbers of a scene are.
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    paint(&context, scene, &palette(), is_dark());
    let _ = canvas.set_attribute("data-drawn", &scene.levels.len().to_string());
}

/// What draws on a canvas.
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
    // Where several cells fall on a pixel, their mean is drawn.
    context.set_image_smoothing_enabled(scene.cell < 1.0);
    let [left, top] = scene.start;
    let (wide, high) = (f64::from(columns) * scene.cell, f64::from(rows) * scene.cell);
    let _ = context.draw_image_with_html_canvas_element_and_dw_and_dh(&small, left, top, wide, high);
}
