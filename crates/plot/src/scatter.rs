//! Points with the line that fits them and its confidence band, as SVG.

use crate::chart::{Axis, Content, Drawn, FOOT, Field, Frame, Pen, document, number};
use crate::palette::Palette;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    pub points: Vec<[f64; 2]>,
    /// Line with its band: x, y, lower and upper end, in order of x.
    pub line: Vec<[f64; 4]>,
    /// Names of the horizontal and the vertical axis.
    pub axes: [String; 2],
}

const SIZE: [f64; 2] = [640.0, 360.0];
const RIGHT: f64 = 20.0;
/// Half the size of a point, in pixels.
const MARK: f64 = 2.5;

/// Draws the points, with the band and its line above them.
pub fn svg(scatter: &Scatter, palette: &Palette, title: &str) -> String {
    let points: Vec<[f64; 2]> = finite(&scatter.points);
    let line: Vec<[f64; 4]> = finite(&scatter.line);
    let ends = line.iter().flat_map(|[_, y, low, high]| [*y, *low, *high]);
    let xs = points.iter().map(|point| point[0]).chain(line.iter().map(|place| place[0]));
    let frame = Frame {
        across: Some(Axis::holding(xs)),
        up: Axis::holding(points.iter().map(|point| point[1]).chain(ends).chain([0.0])),
        names: scatter.axes.each_ref().map(String::as_str),
        left: 0.0,
        right: RIGHT,
        foot: FOOT,
    };
    let description = description(points.len(), &line, &scatter.axes);
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        points.iter().try_for_each(|point| pen.disc(field.at(*point), MARK, pen.kind(2), 0.45))?;
        if line.is_empty() { Ok(()) } else { fit(pen, &field, &line) }
    })
}

fn fit(pen: &Pen, field: &Field, line: &[[f64; 4]]) -> Drawn {
    let upper = line.iter().map(|[x, _, _, high]| field.at([*x, *high]));
    let lower = line.iter().rev().map(|[x, _, low, _]| field.at([*x, *low]));
    pen.area(upper.chain(lower).collect(), pen.kind(1), 0.22)?;
    pen.path(line.iter().map(|[x, y, ..]| field.at([*x, *y])).collect(), 1, pen.kind(1), 2.0)
}

fn finite<const N: usize>(places: &[[f64; N]]) -> Vec<[f64; N]> {
    places.iter().filter(|place| place.iter().all(|number| number.is_finite())).copied().collect()
}

/// Describes the number of points and the range of the line in words.
fn description(points: usize, line: &[[f64; 4]], [across, up]: &[String; 2]) -> String {
    let end = |[x, y, low, high]: &[f64; 4]| {
        let [x, y, low, high] = [(*x, 1), (*y, 4), (*low, 4), (*high, 4)].map(|(value, digits)| number(value, digits));
        format!("{y} ({low} to {high}) at {x}")
    };
    let fitted = match line {
        [first, .., last] => format!(" The line with its band runs from {} to {}.", end(first), end(last)),
        _ => String::new(),
    };
    format!("{points} points: {up} by {across}.{fitted}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    fn drawn(palette: &Palette) -> String {
        let y = |x: f64| 0.02 - 0.004 * x + 0.03 * (x * 12.9898).sin();
        let points = (0..60).map(|number| f64::from(number) / 6.0).map(|x| [x, y(x)]).collect();
        let line = (0..=10).map(f64::from).map(|x| {
            let (middle, spread) = (0.02 - 0.004 * x, 0.004 + 0.001 * (x - 5.0).abs());
            [x, middle, middle - spread, middle + spread]
        });
        let axes = ["determinatives".to_owned(), "bits per byte, difference".to_owned()];
        svg(&Scatter { points, line: line.collect(), axes }, palette, "A test")
    }

    #[test]
    fn points_line_and_band_lie_where_their_numbers_say() {
        let (scene, light) = (Scene::of(&drawn(&Palette::light())), Palette::light());
        assert_eq!(of_colour(&scene.circles, &light.kinds[2]).len(), 60);
        let (band, line) =
            (&of_colour(&scene.areas, &light.kinds[1])[0].points, of_colour(&scene.paths, &light.kinds[1]));
        assert_eq!((band.len(), line.len(), line[0].points.len()), (22, 1, 11));
        let height = |value: f64| scene.height(value, ["−0.04", "0.04"]);
        // At 0 the line is at 0.02, its band 0.009 around it; the lower end of the band comes back from the right.
        for (point, value) in [(line[0].points[0], 0.02), (band[0], 0.029), (band[21], 0.011), (band[11], -0.029)] {
            assert!((point[1] - height(value)).abs() < 0.2, "{point:?} {value}");
        }
        let five = scene.texts.iter().find(|text| text.text == "4" && text.anchor == "middle").unwrap();
        assert!((line[0].points[4][0] - five.at[0]).abs() < 0.2);
        scene.text("determinatives");
        scene.text("bits per byte, difference");
    }

    #[test]
    fn readers_hear_the_line() {
        let scene = Scene::of(&drawn(&Palette::light()));
        let told = "60 points: bits per byte, difference by determinatives. The line with its band runs from 0.0200 \
                    (0.0110 to 0.0290) at 0.0 to −0.0200 (−0.0290 to −0.0110) at 10.0.";
        assert_eq!((scene.title.as_str(), scene.description.as_str()), ("A test", told));
    }

    #[test]
    fn odd_numbers_are_left_out() {
        let odd =
            Scatter { points: vec![[f64::NAN, 1.0], [2.0, 1.0]], line: vec![[f64::INFINITY; 4]], ..Scatter::default() };
        for (scatter, points) in [(Scatter::default(), 0), (odd, 1)] {
            assert_eq!(Scene::of(&svg(&scatter, &Palette::dark(), "")).circles.len(), points);
        }
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(drawn);
    }
}
