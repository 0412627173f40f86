//! Growth of a circle with its radius on the Euclidean and on the hyperbolic plane, as SVG: the reason for hyperbolic
//! embeddings.

use crate::chart::{Anchor, Axis, Content, Drawn, FOOT, Field, Frame, Pen, document, moved, number, units};
use crate::palette::Palette;
use std::f64::consts::TAU;

/// Returns the circumference of a circle of this radius on the Euclidean plane.
pub fn euclid(radius: f64) -> f64 {
    TAU * radius
}

/// Returns the circumference of a circle of this radius on the hyperbolic plane of curvature -1.
pub fn hyperbolic(radius: f64) -> f64 {
    TAU * radius.sinh()
}

/// Largest radius that is drawn.
pub const FAR: f64 = 6.0;
const SIZE: [f64; 2] = [460.0, 260.0];
/// Left end of the field at every radius, in pixels: the picture does not move while the radius changes.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
/// Number of points of a curve.
const POINTS: u32 = 120;
/// Half the size of the mark at the end of a curve, in pixels.
const MARK: f64 = 4.0;
/// Smallest distance between two names, in pixels.
const APART: f64 = 17.0;
/// Height of the field as a multiple of the highest value.
const OVER: f64 = 1.08;

/// Draws both circumferences up to [`FAR`], with the current radius marked. The heights are scaled to the hyperbolic
/// circle at this radius, so that the Euclidean curve sinks as the radius grows.
pub fn svg(radius: f64, palette: &Palette, title: &str) -> String {
    let radius = if radius.is_nan() { FAR } else { radius.clamp(0.1, FAR) };
    let frame = Frame {
        across: Some(Axis::up_to(FAR, true).every(1.0)),
        up: Axis::up_to(hyperbolic(radius) * OVER, false),
        names: ["radius", "circumference"],
        left: LEFT,
        right: RIGHT,
        foot: FOOT,
    };
    let [flat, curved] = [euclid(radius), hyperbolic(radius)].map(|circle| number(circle, 1));
    let description = format!(
        "At radius {radius:.1} a circle is {flat} long on the Euclidean plane and {curved} on the hyperbolic one."
    );
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        curve(pen, &field, radius, euclid, 2)?;
        curve(pen, &field, radius, hyperbolic, 1)?;
        names(pen, &field, radius)
    })
}

/// Draws a circumference up to a radius; the Euclidean one in dash style 2 and the first colour.
fn curve(pen: &Pen, field: &Field, radius: f64, circle: fn(f64) -> f64, dashes: usize) -> Drawn {
    let places = (0..=POINTS).map(|step| f64::from(step) / f64::from(POINTS) * radius);
    let colour = pen.kind(3 - dashes);
    pen.path(places.map(|at| field.at([at, circle(at)])).collect(), dashes, colour, 2.5)?;
    pen.disc(field.at([radius, circle(radius)]), MARK, colour, 1.0)
}

/// Writes the names after the ends of the curves, or before them where there is no room.
fn names(pen: &Pen, field: &Field, radius: f64) -> Drawn {
    let [flat, curved] = [euclid, hyperbolic].map(|circle| field.at([radius, circle(radius)]));
    let near_the_end = radius > FAR * 0.6;
    let (aside, anchor) = if near_the_end { (-9.0, Anchor::End) } else { (9.0, Anchor::Start) };
    pen.text(moved(curved, [aside, 0.0]), anchor, "hyperbolic")?;
    // The Euclidean curve runs through the place of its name.
    let (x, y) = moved(flat, [aside, if near_the_end { -13.0 } else { 0.0 }]);
    let y = if near_the_end { y } else { y.max(curved.1 + units(APART)) };
    pen.text((x, y), anchor, "Euclid")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    #[test]
    fn circles_agree_where_they_are_small_and_part_where_they_grow() {
        assert!((hyperbolic(1e-4) / euclid(1e-4) - 1.0).abs() < 1e-8);
        // For large radii a step of ln 3 trebles the circle: (e^{r + ln 3} - e^{-r - ln 3}) / (e^r - e^{-r}).
        assert!((hyperbolic(6.0 + 3f64.ln()) / hyperbolic(6.0) - 3.0).abs() < 1e-4);
    }

    #[test]
    fn curves_end_at_the_radius() {
        let (scene, light) = (Scene::of(&svg(3.0, &Palette::light(), "A test")), Palette::light());
        let x = scene.texts.iter().find(|text| text.text == "3" && text.anchor == "middle").unwrap().at[0];
        for (kind, circle) in [(1, euclid(3.0)), (2, hyperbolic(3.0))] {
            let end = of_colour(&scene.circles, &light.kinds[kind])[0].points[0];
            assert!((end[0] - x).abs() < 0.2 && (end[1] - scene.height(circle, ["0", "60"])).abs() < 0.2, "{end:?}");
        }
        // Only the Euclidean curve is dashed.
        let [flat, curved] = [1, 2].map(|kind| of_colour(&scene.paths, &light.kinds[kind]));
        assert!(flat.len() > 5 && curved.len() == 1 && curved[0].points.len() == POINTS as usize + 1);
        assert_eq!(
            scene.description,
            "At radius 3.0 a circle is 18.8 long on the Euclidean plane and 62.9 on the hyperbolic one."
        );
    }

    #[test]
    fn names_never_touch_and_the_field_stands_still() {
        let widest = (1..=60).map(|tenth| f64::from(tenth) / 10.0).map(|radius| {
            let scene = Scene::of(&svg(radius, &Palette::light(), ""));
            scene.text("Euclid");
            scene.text("hyperbolic");
            scene.texts.iter().find(|text| text.text == "0" && text.anchor == "middle").unwrap().at[0]
        });
        let places: Vec<f64> = widest.collect();
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]), "{places:?}");
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(|palette| svg(2.0, palette, "A test"));
    }
}
