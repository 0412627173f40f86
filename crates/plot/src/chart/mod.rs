//! What all charts share: one theme, axes with round numbers, and an SVG document with a title and a description.
//!
//! plotters draws the charts: its coordinates, its elements and its SVG. It counts in whole pixels, so that a chart is
//! drawn in tenths of a pixel and shown at its size. In a browser it measures text by adding elements to the page, so
//! that nothing here asks it how long a text is: `width_of` is the measure, and the page and the terminal draw the same
//! chart. Its own builder of charts and its mesh would ask, and would add 18 KB to the page: `Field` draws the axes
//! instead.

mod axis;
mod colour;
mod document;
mod field;
mod pen;
#[cfg(test)]
pub(crate) mod scene;

#[cfg(test)]
pub(crate) use colour::contrast;

pub(crate) use axis::{Axis, number};
pub use document::following_the_reader;
pub(crate) use document::{Content, document};
pub(crate) use field::{FOOT, Field, Frame, HEAD, Named, POINT, ROW, legend};
pub(crate) use pen::{Anchor, ChartPoint, Drawn, Failed, Pen, moved};

use crate::disk::labels;

/// Height of letters, in pixels.
pub(crate) const LETTERS: f64 = 13.0;

/// Room between what is drawn and the rim of the picture, in pixels.
pub(crate) const RIM: f64 = 8.0;

/// How many units of plotters make a pixel.
const UNITS: f64 = 10.0;

/// A length or a place in pixels, in units of plotters.
pub(crate) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Width of a text in pixels, on the wide side.
pub(crate) fn width_of(text: &str) -> f64 {
    f64::from(labels::width_of(text)) * LETTERS
}
