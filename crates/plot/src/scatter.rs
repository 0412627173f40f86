//! Points with the line that fits them and the band of its chance, as SVG.

use super::frame::{Frame, Scale, close};
use super::palette::Palette;
use super::svg::escaped;
use std::fmt::Write;

/// What is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// The points.
    pub points: Vec<[f64; 2]>,
    /// The line with its band: x, y, lower and upper end, in order of x.
    pub line: Vec<[f64; 4]>,
    /// Names of the two axes.
    pub axes: [String; 2],
}

const SIZE: [f64; 2] = [640.0, 360.0];
const MARGIN: [f64; 4] = [64.0, 34.0, 20.0, 52.0];

/// The picture.
pub fn svg(scatter: &Scatter, palette: &Palette, title: &str) -> String {
    let Scatter { points, line, axes } = scatter;
    let ends = line.iter().flat_map(|[_, y, low, high]| [*y, *low, *high]);
    let up = Scale::holding(points.iter().map(|point| point[1]).chain(ends).chain([0.0]));
    let across = Scale::holding(points.iter().map(|point| point[0]));
    let frame = Frame { size: SIZE, margin: MARGIN, up };
    let mut svg = frame.open(&axes[1], palette, title);
    let x = |value: f64| frame.x(across.share(value));
    for (value, text) in across.numbers() {
        frame.below(&mut svg, x(value), &text);
    }
    let (right, below) = (frame.x(1.0), SIZE[1] - 12.0);
    let _ = writeln!(svg, "<text x=\"{right:.1}\" y=\"{below:.1}\" text-anchor=\"end\">{}</text>", escaped(&axes[0]));
    for [at, value] in points.iter().filter(|point| point.iter().all(|number| number.is_finite())) {
        let (at, value, colour) = (x(*at), frame.y(*value), &palette.kinds[2]);
        let _ = writeln!(
            svg,
            "<circle cx=\"{at:.1}\" cy=\"{value:.1}\" r=\"2.5\" fill=\"{colour}\" fill-opacity=\"0.45\"/>"
        );
    }
    if !line.is_empty() {
        let upper = line.iter().map(|[at, _, _, high]| [x(*at), frame.y(*high)]);
        let lower = line.iter().rev().map(|[at, _, low, _]| [x(*at), frame.y(*low)]);
        let (band, own) = (path(upper.chain(lower)), path(line.iter().map(|[at, y, ..]| [x(*at), frame.y(*y)])));
        let colour = &palette.kinds[1];
        let _ = writeln!(svg, "<path d=\"{band}z\" fill=\"{colour}\" fill-opacity=\"0.22\"/>");
        let _ = writeln!(svg, "<path d=\"{own}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
    }
    close(&mut svg);
    svg
}

fn path(points: impl Iterator<Item = [f64; 2]>) -> String {
    let step = |(number, [x, y]): (usize, [f64; 2])| format!("{}{x:.1} {y:.1}", if number == 0 { "M" } else { "L" });
    points.enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_picture;

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        let y = |x: f64| 0.02 - 0.004 * x + 0.03 * (x * 12.9898).sin();
        let points = (0..60).map(|number| f64::from(number) / 6.0).map(|x| [x, y(x)]).collect();
        let line = (0..=10).map(f64::from).map(|x| {
            let (middle, spread) = (0.02 - 0.004 * x, 0.004 + 0.001 * (x - 5.0).abs());
            [x, middle, middle - spread, middle + spread]
        });
        let axes = ["determinatives".to_owned(), "bits per byte, difference".to_owned()];
        let drawn = svg(&Scatter { points, line: line.collect(), axes }, &Palette::light(), "A test");
        known_picture("scatter", &drawn);
    }

    #[test]
    fn nothing_makes_no_odd_numbers() {
        let odd = Scatter { points: vec![[f64::NAN, 1.0], [2.0, 1.0]], ..Scatter::default() };
        for scatter in [Scatter::default(), odd] {
            let drawn = svg(&scatter, &Palette::dark(), "");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }
}
