//! Training curves as SVG: loss by step, with a fitting scale.

use crate::chart::{Axis, Content, Drawn, FOOT, Field, Frame, Named, POINT, Pen, document, legend, number};
use crate::palette::Palette;

/// Line through points, or marks at them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotCurve {
    /// Name in the legend.
    pub name: String,
    /// Points in order of their x.
    pub points: Vec<[f64; 2]>,
    /// Number of the colour in the palette.
    pub colour: usize,
    /// `true` if each point is marked, as suits few and exact points.
    pub marked: bool,
}

const SIZE: [f64; 2] = [640.0, 300.0];
const RIGHT: f64 = 18.0;
/// Number of points above which neighbours are averaged: a chart has no more pixels.
const MOST_POINTS: usize = 400;

/// Draws curves from 0 to `far`, with the names of the horizontal and the vertical axis.
pub fn svg(curves: &[PlotCurve], far: f64, axes: [&str; 2], palette: &Palette, title: &str) -> String {
    let far = if far.is_finite() { far.max(1.0) } else { 1.0 };
    let frame = Frame {
        across: Some(Axis::up_to(far, true)),
        up: Axis::holding([0.0, highest_of(curves)]),
        names: axes,
        left: 0.0,
        right: RIGHT,
        foot: FOOT,
    };
    let description = description(curves, axes);
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        let names: Vec<Named> = curves.iter().map(|curve| named(pen, curve)).collect();
        legend(pen, SIZE[0] - RIGHT, &names)?;
        curves.iter().rev().try_for_each(|curve| draw(pen, &field, curve))
    })
}

/// Returns the curve's entry in the legend.
pub(crate) fn named<'a>(pen: &Pen, PlotCurve { name, colour, marked, .. }: &'a PlotCurve) -> Named<'a> {
    Named { name, colour: pen.kind(*colour), marked: *marked }
}

/// Draws the line of a curve, and its marks.
pub(crate) fn draw(pen: &Pen, field: &Field, curve: &PlotCurve) -> Drawn {
    let points: Vec<_> = thinned(&curve.points).into_iter().map(|point| field.at(point)).collect();
    let (marked, colour) = (curve.marked || points.len() == 1, pen.kind(curve.colour));
    if points.len() > 1 {
        pen.path(points.clone(), 1, colour, 2.0)?;
    }
    points.into_iter().filter(|_| marked).try_for_each(|point| pen.disc(point, POINT, colour, 1.0))
}

/// Describes the start and the end of each curve in words.
pub(crate) fn description(curves: &[PlotCurve], [across, up]: [&str; 2]) -> String {
    let end = |[at, value]: &[f64; 2]| format!("{} at {}", number(*value, 3), number(*at, 0));
    let told = |curve: &PlotCurve| {
        let sound: Vec<_> = sound(&curve.points).collect();
        match sound.as_slice() {
            [] => format!("{}: nothing yet.", curve.name),
            [one] => format!("{}: {}.", curve.name, end(one)),
            [first, .., last] => format!("{}: from {} to {}.", curve.name, end(first), end(last)),
        }
    };
    let curves: Vec<String> = curves.iter().map(told).collect();
    format!("Curves of {up} by {across}. {}", curves.join(" "))
}

fn highest_of(curves: &[PlotCurve]) -> f64 {
    curves.iter().flat_map(|curve| sound(&curve.points)).map(|point| point[1]).fold(1e-3, f64::max)
}

/// Returns the points whose numbers are finite.
pub(crate) fn sound(points: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    points.iter().copied().filter(|point| point.iter().all(|number| number.is_finite()))
}

/// Returns at most [`MOST_POINTS`] points, each the mean of neighbours. Points with numbers that are not finite are
/// dropped.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let sound: Vec<[f64; 2]> = sound(points).collect();
    let together = sound.len().div_ceil(MOST_POINTS).max(1);
    let mean =
        |some: &[[f64; 2]]| [0, 1].map(|axis| some.iter().map(|point| point[axis]).sum::<f64>() / some.len() as f64);
    sound.chunks(together).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};
    use crate::known_picture;

    fn falling(count: u32) -> Vec<[f64; 2]> {
        (1..=count)
            .map(|step| [f64::from(step), 6.0 / (1.0 + f64::from(step) / 20.0) + f64::from(step % 3) * 0.1])
            .collect()
    }

    fn drawn(palette: &Palette) -> String {
        let measured = [[0.0, 7.0], [20.0, 4.1], [40.0, 2.9], [60.0, 2.6]];
        let curves = [
            PlotCurve { name: "training".into(), points: falling(60), colour: 2, marked: false },
            PlotCurve { name: "set <aside> 𒀀".into(), points: measured.to_vec(), colour: 1, marked: true },
        ];
        svg(&curves, 80.0, ["step", "bits per byte"], palette, "A test & more")
    }

    #[test]
    fn curves_lie_where_their_numbers_say() {
        let (scene, light) = (Scene::of(&drawn(&Palette::light())), Palette::light());
        assert_eq!(scene.words()[..10], ["0", "2", "4", "6", "8", "0", "20", "40", "60", "80"]);
        for words in ["step", "bits per byte", "training", "set <aside> 𒀀"] {
            scene.text(words);
        }
        let [training, measured] = [2, 1].map(|kind| of_colour(&scene.paths, &light.kinds[kind]));
        // The last shape belongs to the legend, the first is the curve.
        let points = |shapes: &[&crate::chart::scene::Shape]| shapes.iter().map(|shape| shape.points.len()).max();
        assert_eq!((points(&training), points(&measured)), (Some(60), Some(4)));
        let marks = of_colour(&scene.circles, &light.kinds[1]);
        assert_eq!((marks.len(), scene.circles.len()), (5, 5), "at each point of one curve, and in the legend");
        let third = marks.iter().map(|mark| mark.points[0]).find(|at| (at[0] - scene.text("40").at[0]).abs() < 0.2);
        assert!((third.unwrap()[1] - scene.height(2.9, ["0", "8"])).abs() < 0.2);
    }

    #[test]
    fn readers_hear_where_curves_begin_and_end() {
        let scene = Scene::of(&drawn(&Palette::dark()));
        assert_eq!(scene.title, "A test & more");
        assert!(scene.description.ends_with("set <aside> 𒀀: from 7.000 at 0 to 2.600 at 60."), "{scene:?}");
    }

    #[test]
    fn long_curves_are_thinned_and_odd_numbers_left_out() {
        let points = thinned(&falling(4_001));
        assert!(points.len() <= MOST_POINTS && points.len() > MOST_POINTS / 2);
        assert_eq!(thinned(&[[1.0, f64::NAN], [2.0, 3.0]]), [[2.0, 3.0]]);
        let curve =
            |points: &[[f64; 2]]| PlotCurve { name: "a".into(), points: points.into(), colour: 1, marked: false };
        for far in [0.0, f64::NAN, 1e7] {
            let curves = [curve(&[]), curve(&[[1.0, 2.0], [f64::NAN, 2.0]])];
            let scene = Scene::of(&svg(&curves, far, ["", ""], &Palette::light(), ""));
            assert_eq!(scene.circles.len(), 1, "a single point is marked");
        }
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(drawn);
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        known_picture("curve", &drawn(&Palette::light()));
    }
}
