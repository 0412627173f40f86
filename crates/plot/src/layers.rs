//! Figures layer by layer as SVG: a line per encoder and way of measuring, with the deviation as bars, beside controls that have
//! no layers.
//!
//! Lines are told apart by dashes and marks as well as by colour, so that the picture can be read in black and white.

use super::frame::{Frame, Scale, close};
use super::palette::Palette;
use super::svg::escaped;
use std::fmt::Write;

/// A figure with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the layer, or of the control.
    pub at: usize,
    /// The figure.
    pub mean: f64,
    /// Half the length of the bar through it; no bar where it is 0.
    pub deviation: f64,
}

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it shows; stands in the legend.
    pub name: String,
    /// Stands behind its last point; may be empty.
    pub tag: String,
    /// Which colour of the palette.
    pub colour: usize,
    /// Which of three kinds of dashes and marks.
    pub style: usize,
    /// Whether its points are those of controls, which are not joined.
    pub control: bool,
    /// Places in rising order.
    pub points: Vec<Point>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Names of the controls, in order.
    pub controls: Vec<String>,
    /// The lines.
    pub lines: Vec<Line>,
    /// Names of the axes, across and up.
    pub axes: [String; 2],
    /// For those who do not see it, and for the pointer.
    pub title: String,
    /// The same at length.
    pub description: String,
}

/// Without the legend, which stands at the right.
const SIZE: [f64; 2] = [598.0, 400.0];
/// Left, top, right, bottom.
const MARGIN: [f64; 4] = [52.0, 40.0, 0.0, 50.0];
/// Room of the legend: before its names, for a letter of one, and at least.
const LEGEND: [f64; 3] = [64.0, 7.2, 262.0];
/// Room for a control.
const CONTROL: f64 = 84.0;
/// Between the rim and the first or last layer.
const INDENT: f64 = 34.0;
/// Between lines at the same layer, so that bars do not cover each other; less where layers stand close.
const ASIDE: f64 = 6.0;
/// Share of the way to the next layer that all lines at one take at most.
const TAKEN: f64 = 0.75;
/// Between rows of the legend.
const ROW: f64 = 22.0;
/// Dashes of the three styles.
const DASHES: [&str; 3] = ["2 4", "none", "9 5"];
/// Half a mark.
const MARK: f64 = 4.5;

/// Where figures lie.
struct Places {
    frame: Frame,
    controls: usize,
    layers: Vec<usize>,
}

impl Places {
    fn of(picture: &Picture) -> Self {
        let points = picture.lines.iter().flat_map(|line| &line.points);
        let ends = points.flat_map(|point| [point.mean - point.deviation, point.mean + point.deviation]);
        let with_layers = picture.lines.iter().filter(|line| !line.control);
        let mut layers: Vec<usize> = with_layers.flat_map(|line| &line.points).map(|point| point.at).collect();
        layers.sort_unstable();
        layers.dedup();
        // The legend may be longer than the field.
        let height = SIZE[1].max(MARGIN[1] + ROW * (picture.lines.len() as f64 + 1.0));
        let letters = picture.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let legend = LEGEND[2].max(LEGEND[0] + LEGEND[1] * letters as f64);
        let [left, top, right, bottom] = MARGIN;
        let (size, margin) = ([SIZE[0] + legend, height], [left, top, right + legend, bottom]);
        let frame = Frame { size, margin, up: Scale::holding(ends.chain([0.0])) };
        Self { frame, controls: picture.controls.len(), layers }
    }

    /// Where the layers begin.
    fn border(&self) -> f64 {
        MARGIN[0] + CONTROL * self.controls as f64
    }

    fn control(&self, number: usize) -> f64 {
        MARGIN[0] + CONTROL * (number as f64 + 0.5)
    }

    /// The layers that are drawn stand at even distances, so that those of a shallow encoder do not crowd beside a deep one's.
    fn layer(&self, layer: usize) -> f64 {
        self.border() + INDENT + self.gap() * self.layers.partition_point(|own| *own < layer) as f64
    }

    /// Between two layers.
    fn gap(&self) -> f64 {
        let room = self.frame.x(1.0) - self.border() - 2.0 * INDENT;
        room / self.layers.len().saturating_sub(1).max(1) as f64
    }

    /// Between `count` lines at the same layer, or at the same control.
    fn aside(&self, count: usize, control: bool) -> f64 {
        let gap = if control { CONTROL } else { self.gap() };
        ASIDE.min(TAKEN * gap / count.max(1) as f64)
    }
}

/// The picture as an SVG document.
pub fn svg(picture: &Picture, palette: &Palette) -> String {
    let places = Places::of(picture);
    let mut svg = places.frame.open_described(&picture.axes[1], palette, &picture.title, &picture.description);
    across(&mut svg, picture, &places, palette);
    let kinds = [true, false].map(|control| picture.lines.iter().filter(|line| line.control == control).count());
    let mut drawn = [0, 0];
    for (number, line) in picture.lines.iter().enumerate() {
        let kind = usize::from(!line.control);
        let aside =
            (f64::from(drawn[kind]) - (kinds[kind] as f64 - 1.0) / 2.0) * places.aside(kinds[kind], line.control);
        drawn[kind] += 1;
        draw(&mut svg, line, &places, aside, palette);
        legend(&mut svg, line, [SIZE[0] + 16.0, MARGIN[1] + ROW * (number as f64 + 0.5)], palette);
    }
    close(&mut svg);
    svg
}

/// What stands below the field, and the line between controls and layers.
fn across(svg: &mut String, picture: &Picture, places: &Places, palette: &Palette) {
    let (frame, border) = (&places.frame, places.border());
    let (top, floor) = (MARGIN[1], frame.size[1] - MARGIN[3]);
    if places.controls > 0 {
        let _ = writeln!(svg, "<path d=\"M{border:.1} {top}V{floor:.1}\" stroke=\"{}\"/>", palette.ink);
    }
    for (number, name) in picture.controls.iter().enumerate() {
        frame.below(svg, places.control(number), name);
    }
    for layer in &places.layers {
        frame.below(svg, places.layer(*layer), &layer.to_string());
    }
    let (middle, below) = ((border + frame.x(1.0)) / 2.0, frame.size[1] - 10.0);
    let name = escaped(&picture.axes[0]);
    let _ = writeln!(svg, "<text x=\"{middle:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{name}</text>");
}

fn draw(svg: &mut String, line: &Line, places: &Places, aside: f64, palette: &Palette) {
    let colour = &palette.kinds[line.colour % 5];
    let place = |point: &Point| {
        let across = if line.control { places.control(point.at) } else { places.layer(point.at) };
        [across + aside, places.frame.y(point.mean)]
    };
    let points: Vec<&Point> = line.points.iter().filter(|point| point.mean.is_finite()).collect();
    for point in points.iter().filter(|point| point.deviation > 0.0) {
        let [x, _] = place(point);
        let [low, high] =
            [point.mean - point.deviation, point.mean + point.deviation].map(|value| places.frame.y(value));
        let (from, to) = (x - 3.0, x + 3.0);
        let path = format!("M{from:.1} {low:.1}H{to:.1}M{x:.1} {low:.1}V{high:.1}M{from:.1} {high:.1}H{to:.1}");
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"/>");
    }
    if !line.control && points.len() > 1 {
        let path: String = points
            .iter()
            .enumerate()
            .map(|(number, point)| {
                let [x, y] = place(point);
                format!("{}{x:.1} {y:.1}", if number == 0 { "M" } else { "L" })
            })
            .collect();
        stroke(svg, &path, line, colour);
    }
    for point in &points {
        mark(svg, place(point), line.style, colour, palette);
    }
    if let Some(last) = points.last().filter(|_| !line.tag.is_empty()) {
        let [x, y] = place(last);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 8.0, y + 4.5, escaped(&line.tag));
    }
}

fn legend(svg: &mut String, line: &Line, [x, y]: [f64; 2], palette: &Palette) {
    let colour = &palette.kinds[line.colour % 5];
    if !line.control {
        stroke(svg, &format!("M{x:.1} {y:.1}h36"), line, colour);
    }
    mark(svg, [x + 18.0, y], line.style, colour, palette);
    let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 44.0, y + 4.5, escaped(&line.name));
}

fn stroke(svg: &mut String, path: &str, line: &Line, colour: &str) {
    let dashes = DASHES[line.style % 3];
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\" stroke-linejoin=\"round\"/>"
    );
}

/// A ring, a square or a triangle.
fn mark(svg: &mut String, [x, y]: [f64; 2], style: usize, colour: &str, palette: &Palette) {
    let (path, fill) = match style % 3 {
        0 => (format!("M{:.1} {y:.1}a{MARK} {MARK} 0 1 1 0 .01z", x - MARK), palette.sheet.as_str()),
        1 => (format!("M{:.1} {:.1}h{2:.1}v{2:.1}h-{2:.1}z", x - MARK * 0.9, y - MARK * 0.9, MARK * 1.8), colour),
        _ => {
            let (left, low) = (x - MARK * 1.1, y + MARK * 0.9);
            (format!("M{left:.1} {low:.1}h{:.1}L{x:.1} {:.1}z", MARK * 2.2, y - MARK * 1.1), palette.sheet.as_str())
        }
    };
    let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_picture;

    fn line(name: &str, style: usize, control: bool, means: &[f64]) -> Line {
        let places = if control { vec![0, 1] } else { vec![0, 4, 8, 12] };
        let point = |(at, mean): (usize, &f64)| Point { at, mean: *mean, deviation: 3.0 + mean.abs() / 9.0 };
        let points = places.into_iter().zip(means).map(point).collect();
        let (tag, colour) = if control { (String::new(), 0) } else { (name[..1].into(), 1 + style % 2) };
        Line { name: name.into(), tag, colour, style, control, points }
    }

    fn picture() -> Picture {
        Picture {
            controls: vec!["random".into(), "spelling".into()],
            lines: vec![
                line("controls, plain", 0, true, &[1.0, -12.0]),
                line("controls, Lorentz", 1, true, &[-2.0, 8.0]),
                line("1 one, plain", 0, false, &[2.0, 9.0, 20.0, 31.0]),
                line("1 one, Lorentz", 1, false, &[6.0, 20.0, 34.0, 45.0]),
                line("2 <two>, Euclidean", 2, false, &[5.0, 18.0, 36.0, 41.0]),
            ],
            axes: ["layer".into(), "correlation, %".into()],
            title: "A test".into(),
            description: "Figures & words".into(),
        }
    }

    #[test]
    fn layers_stand_evenly_behind_the_controls() {
        let picture = picture();
        let places = Places::of(&picture);
        let up = places.frame.up;
        assert_eq!((up.low, up.high, up.step), (-20.0, 60.0, 20.0));
        assert_eq!(places.layers, [0, 4, 8, 12]);
        assert!(places.control(1) < places.border() && places.border() < places.layer(0));
        assert!(places.layer(12) < SIZE[0] - MARGIN[2]);
        let even = places.layer(8) - places.layer(4);
        assert!((places.layer(4) - places.layer(0) - even).abs() < 1e-9);
        let many = Picture { lines: vec![picture.lines[2].clone(); 30], ..picture };
        assert!(Places::of(&many).frame.size[1] > MARGIN[1] + 30.0 * ROW, "the legend has room");
    }

    #[test]
    fn odd_figures_are_left_out_and_texts_are_escaped() {
        let mut picture = picture();
        picture.lines[3].points[1].mean = f64::NAN;
        picture.lines[4].points.clear();
        let drawn = svg(&picture, &Palette::light());
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        assert!(drawn.contains("&lt;two&gt;") && drawn.contains("Figures &amp; words"));
        let bare = Picture { controls: vec![], lines: vec![], ..picture };
        assert!(!svg(&bare, &Palette::light()).contains("NaN"));
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        known_picture("layers", &svg(&picture(), &Palette::light()));
    }
}
