//! Scenes: pictures as plain data, and their drawing to SVG. The page draws the same scenes on a canvas.
//!
//! Knows geometry only: what is drawn comes as numbers and labels, and leaves as positions in pixels. The same input gives
//! the same scene, so that a scene can be compared with one that was looked at.

pub mod attention;
pub mod curve;
pub mod disk;
pub mod growth;
pub mod known;
pub mod palette;
pub mod svg;
