//! The one theme of all charts: elements of plotters in the colours and letters of a palette.

use super::{LETTERS, RIM, units, width_of};
use crate::palette::{Palette, parse_colour};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, ErrorBar, PathElement, Polygon, Rectangle};
use plotters::prelude::{IntoFont, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, RGBColor, ShapeStyle};

/// Place in the picture, in [`units`] from its upper left corner.
pub type ChartPoint = (i32, i32);

/// Error of a drawing. Writing SVG to memory never fails.
pub type Failed = DrawingAreaErrorKind<std::io::Error>;

/// Result of a drawing.
pub type Drawn = Result<(), Failed>;

/// Divisor that plotters applies to the height of letters.
const LETTERS_OF_PLOTTERS: f64 = 1.24;

/// Dashes and gaps of the line styles, in pixels; the second style is solid.
const DASHES: [[f64; 2]; 3] = [[2.0, 4.0], [0.0, 0.0], [9.0, 5.0]];

/// Half the size of a mark, in pixels.
const MARK: f64 = 4.5;

/// Part of a text that stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Draws on a picture in the colours of a theme.
pub struct Pen<'a> {
    pub canvas: DrawingArea<SVGBackend<'a>, Shift>,
    pub paper: RGBColor,
    pub ink: RGBColor,
    pub line: RGBColor,
    kinds: [RGBColor; 5],
}

impl<'a> Pen<'a> {
    /// Uses the colours of a palette; a colour that cannot be parsed is replaced by the light one.
    pub fn new(canvas: DrawingArea<SVGBackend<'a>, Shift>, palette: &Palette) -> Self {
        let light = Palette::light();
        let read = |css: &str, otherwise: &str| {
            parse_colour(css).or_else(|| parse_colour(otherwise)).unwrap_or(RGBColor(0, 0, 0))
        };
        Self {
            canvas,
            paper: read(&palette.paper, &light.paper),
            ink: read(&palette.ink, &light.ink),
            line: read(&palette.line, &light.line),
            kinds: std::array::from_fn(|kind| read(&palette.kinds[kind], &light.kinds[kind])),
        }
    }

    /// Returns the colour of a kind. After the last colour the first comes again.
    pub fn kind(&self, kind: usize) -> RGBColor {
        self.kinds[kind % self.kinds.len()]
    }

    /// Writes a text; its place is at half its height.
    pub fn text(&self, place: ChartPoint, anchor: Anchor, text: &str) -> Drawn {
        if text.is_empty() {
            return Ok(());
        }
        let across = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        // The document names the typefaces once, so none is named here.
        let letters = (FontFamily::Name(""), f64::from(units(LETTERS)) * LETTERS_OF_PLOTTERS).into_font();
        self.canvas.draw_text(text, &letters.color(&self.ink).pos(Pos::new(across, VPos::Center)), place)
    }

    /// Writes a text centred at a place, or as near to it as the picture's width allows.
    pub fn text_inside(&self, (x, y): ChartPoint, text: &str) -> Drawn {
        let half = units(width_of(text) / 2.0 + RIM / 2.0);
        let (width, _) = self.canvas.dim_in_pixel();
        let farthest = (i32::try_from(width).unwrap_or(i32::MAX) - half).max(half);
        self.text((x.clamp(half, farthest), y), Anchor::Middle, text)
    }

    /// Draws a line in one of three dash styles; style 1 is solid.
    pub fn path(&self, places: Vec<ChartPoint>, style: usize, colour: RGBColor, width: f64) -> Drawn {
        let stroke = stroke(colour, width);
        match DASHES[style % 3].map(units) {
            [0, _] => self.canvas.draw(&PathElement::new(places, stroke)),
            [dash, gap] => self.canvas.draw(&DashedPathElement::new(places, dash, gap, stroke)),
        }
    }

    /// Fills an outline; opacity 1 is opaque.
    pub fn area(&self, places: Vec<ChartPoint>, colour: RGBColor, opacity: f64) -> Drawn {
        self.canvas.draw(&Polygon::new(places, colour.mix(opacity).filled()))
    }

    /// Fills the rectangle between two corners; opacity 1 is opaque.
    pub fn rectangle(&self, corners: [ChartPoint; 2], colour: RGBColor, opacity: f64) -> Drawn {
        self.canvas.draw(&Rectangle::new(corners, colour.mix(opacity).filled()))
    }

    /// Draws a disc of a radius in pixels; opacity 1 is opaque.
    pub fn disc(&self, place: ChartPoint, radius: f64, colour: RGBColor, opacity: f64) -> Drawn {
        self.canvas.draw(&Circle::new(place, units(radius), colour.mix(opacity).filled()))
    }

    /// Draws a vertical interval with ends of a width in pixels, and a mark at the value.
    pub fn interval(&self, [low, value, high]: [ChartPoint; 3], width: f64, colour: RGBColor, stroke: f64) -> Drawn {
        let style = ShapeStyle { filled: true, ..self::stroke(colour, stroke) };
        let width = units(width).unsigned_abs();
        self.canvas.draw(&ErrorBar::new_vertical(value.0, low.1, value.1, high.1, style, width))
    }

    /// Draws a ring, a square or a triangle.
    pub fn mark(&self, place: ChartPoint, style: usize, colour: RGBColor) -> Drawn {
        let half = MARK * 0.9;
        let corners = match style % 3 {
            0 => {
                self.disc(place, MARK, self.paper, 1.0)?;
                return self.canvas.draw(&Circle::new(place, units(MARK), stroke(colour, 1.5)));
            }
            1 => vec![[-half, -half], [half, -half], [half, half], [-half, half]],
            _ => vec![[-MARK * 1.1, half], [MARK * 1.1, half], [0.0, -MARK * 1.1]],
        };
        let mut outline: Vec<ChartPoint> = corners.into_iter().map(|by| moved(place, by)).collect();
        self.area(outline.clone(), if style % 3 == 1 { colour } else { self.paper }, 1.0)?;
        outline.extend_from_within(..1);
        self.path(outline, 1, colour, 1.5)
    }
}

/// Returns the style of a line of a width in pixels.
fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width(units(width).unsigned_abs())
}

/// Moves a place to the right and down, in pixels.
pub fn moved((x, y): ChartPoint, [right, down]: [f64; 2]) -> ChartPoint {
    (x + units(right), y + units(down))
}
