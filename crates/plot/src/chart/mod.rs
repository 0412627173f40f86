//! Shared parts of all charts: one theme, axes with round numbers, and an SVG document with a title and a description.
//!
//! plotters draws the charts: its coordinates, its elements and its SVG. It counts in whole pixels, so a chart is drawn
//! in tenths of a pixel and shown at its size. In a browser plotters measures text by adding elements to the page, so
//! nothing here asks it for the length of a text: `width_of` is the measure, and the page and the terminal draw the
//! same chart. Its own chart builder and mesh would ask, and would add 18 KB to the page; `Field` draws the axes
//! instead.

mod axis;
mod document;
mod field;
mod pen;
#[cfg(test)]
pub(crate) mod scene;

pub(crate) use axis::{Axis, number};
pub use document::following_the_reader;
pub(crate) use document::{Content, document};
pub(crate) use field::{FOOT, Field, Frame, HEAD, Named, POINT, ROW, legend};
pub(crate) use pen::{Anchor, ChartPoint, Drawn, Failed, Pen, moved};

use crate::disk::labels;

/// Height of letters, in pixels.
pub(crate) const LETTERS: f64 = 13.0;

/// Gap between the drawing and the edge of the picture, in pixels.
pub(crate) const RIM: f64 = 8.0;

/// Number of plotters' units in a pixel.
const UNITS: f64 = 10.0;

/// Converts a length or a place from pixels to plotters' units.
pub(crate) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Returns the estimated width of a text in pixels, rather too wide than too narrow.
pub(crate) fn width_of(text: &str) -> f64 {
    f64::from(labels::width_of(text)) * LETTERS
}
