//! Field of a chart: the places of values, with the axes around it.

use super::pen::{Anchor, ChartPoint, Drawn, Failed, Pen, moved};
use super::{Axis, LETTERS, RIM, units, width_of};
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;
use plotters::prelude::SVGBackend;
use plotters::style::RGBColor;

/// Gap between a number and the axis left of the field or below it, in pixels; the ticks at the axes are half as long.
const ASIDE: f64 = 6.0;
const BELOW: f64 = 8.0;

/// Height of a line of text, in pixels.
pub const ROW: f64 = 16.0;

/// Height above the field for the name of the axis, in pixels.
pub const HEAD: f64 = 34.0;

/// Height below the field for numbers and the name of the axis, in pixels.
pub const FOOT: f64 = 48.0;

/// Length of the line before a name in the legend, and the gap around it, in pixels.
const SAMPLE: [f64; 2] = [18.0, 8.0];

/// Half the size of the mark at a point of a curve, in pixels.
pub const POINT: f64 = 3.5;

/// Axes of a chart and the room around its field.
pub struct Frame<'a> {
    /// Horizontal axis. Without one, values are pixels from the left of the field, and no numbers are written below it.
    pub across: Option<Axis>,
    /// Vertical axis.
    pub up: Axis,
    pub names: [&'a str; 2],
    /// Room left of the field, in pixels; at least as much as the numbers there need.
    pub left: f64,
    /// Room right of the field, in pixels; at least as much as half a number needs.
    pub right: f64,
    /// Room below the field, in pixels.
    pub foot: f64,
}

impl Frame<'_> {
    /// Returns the left end of the field, in pixels.
    pub fn start(&self) -> f64 {
        self.left.max(RIM + self.up.width() + ASIDE)
    }

    /// Returns the room right of the field, in pixels.
    fn end(&self) -> f64 {
        self.right.max(RIM / 2.0 + self.across.map_or(0.0, |axis| axis.width() / 2.0))
    }
}

pub struct Field<'a> {
    area: DrawingArea<SVGBackend<'a>, Cartesian2d<Axis, Axis>>,
    across: Axis,
    up: Axis,
}

impl<'a> Field<'a> {
    /// Draws the axes, their numbers and names; the line at zero is stronger.
    pub fn draw(pen: &Pen<'a>, frame: &Frame) -> Result<Self, Failed> {
        let (width, height) = pen.canvas.dim_in_pixel();
        let [width, height] = [width, height].map(|units| f64::from(units) / super::UNITS);
        let [start, end] = [frame.start(), width - frame.end()];
        let across = frame.across.unwrap_or(Axis::of_pixels(end - start));
        let places = (units(start)..units(end), units(height - frame.foot)..units(HEAD));
        let area = pen.canvas.clone().apply_coord_spec(Cartesian2d::new(across, frame.up, places));
        let field = Self { area, across, up: frame.up };
        field.draw_numbers(pen, frame.across)?;
        let below = height - RIM - LETTERS / 2.0;
        pen.text((units(RIM), units(HEAD / 2.0)), Anchor::Start, frame.names[1])?;
        pen.text((units(end), units(below)), Anchor::End, frame.names[0])?;
        Ok(field)
    }

    /// Draws numbers left of the field, each with a line through it, and below it where the axis has any.
    fn draw_numbers(&self, pen: &Pen, below: Option<Axis>) -> Drawn {
        let Self { across, up, .. } = self;
        for value in up.numbers() {
            let [from, to] = [across.low, across.high].map(|x| self.at([x, value]));
            let colour = if value == 0.0 { pen.ink } else { pen.line };
            pen.path(vec![moved(from, [-ASIDE / 2.0, 0.0]), to], 1, colour, 1.0)?;
            pen.text(moved(from, [-ASIDE, 0.0]), Anchor::End, &up.text(value))?;
        }
        pen.path([up.low, up.high].map(|y| self.at([across.low, y])).to_vec(), 1, pen.line, 1.0)?;
        for value in below.iter().flat_map(Axis::numbers) {
            let floor = self.at([value, up.low]);
            pen.path(vec![floor, moved(floor, [0.0, BELOW / 2.0])], 1, pen.line, 1.0)?;
            pen.text(moved(floor, [0.0, BELOW + LETTERS / 2.0]), Anchor::Middle, &across.text(value))?;
        }
        Ok(())
    }

    /// Returns the place of values; values beyond an end of an axis lie at that end.
    pub fn at(&self, [x, y]: [f64; 2]) -> ChartPoint {
        let inside = |value: f64, axis: Axis| value.clamp(axis.low, axis.high);
        self.area.map_coordinate(&(inside(x, self.across), inside(y, self.up)))
    }

    /// Writes a name below the field, centred at `x`, in the first line (0) or a later one.
    pub fn below(&self, pen: &Pen, x: f64, line: usize, name: &str) -> Drawn {
        let floor = self.at([x, self.up.low]);
        pen.text_inside(moved(floor, [0.0, BELOW + LETTERS / 2.0 + ROW * line as f64]), name)
    }
}

/// Name in a legend.
pub struct Named<'a> {
    pub name: &'a str,
    pub colour: RGBColor,
    /// `true` if a disc stands on its line, as on the points of the curve.
    pub marked: bool,
}

/// Writes names in one row above the field, each after a line of its colour. The row ends at `end`, in pixels.
pub fn legend(pen: &Pen, end: f64, names: &[Named]) -> Drawn {
    let [sample, room] = SAMPLE;
    let mut x = end;
    for Named { name, colour, marked } in names.iter().rev() {
        x -= width_of(name);
        let place = (units(x), units(HEAD / 2.0));
        pen.text(place, Anchor::Start, name)?;
        let [from, middle, to] = [sample, sample / 2.0, 0.0].map(|left| moved(place, [-left - room, 0.0]));
        pen.path(vec![from, to], 1, *colour, 2.5)?;
        if *marked {
            pen.disc(middle, POINT, *colour, 1.0)?;
        }
        x -= sample + 3.0 * room;
    }
    Ok(())
}
