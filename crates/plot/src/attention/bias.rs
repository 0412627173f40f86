//! The bias itself, computed from points alone, without a model: its factors as a matrix, and the weight of one place
//! as its point moves away.

use super::matrix::Matrix;
use crate::chart::{Anchor, Axis, Content, Drawn, FOOT, Field, Frame, Pen, document, moved, number, units};
use crate::palette::Palette;
use tuppum_geometry::Ball;

/// Largest distance that is drawn.
pub const FAR: f64 = 8.0;
/// Number of other places in the row, all at [`USUAL`] from the one that attends.
const OTHERS: f64 = 9.0;
/// Distance of the other places: that of most bytes in the points with which training starts.
pub const USUAL: f64 = 3.0;
/// Advantage of the place's logit over those of the others, before the bias.
pub const LOGITS: [f64; 3] = [2.0, 0.0, -2.0];

const SIZE: [f64; 2] = [460.0, 230.0];
const LEFT: f64 = 52.0;
/// Width for the names of the curves, in pixels.
const RIGHT: f64 = 74.0;
/// Number of points of a curve.
const POINTS: u32 = 80;
const MARK: f64 = 4.0;
/// Smallest distance between two names, in pixels.
const APART: f64 = 17.0;

/// Returns the factor by which the bias multiplies the weight of each pair before each row is scaled to sum to 1 again:
/// exp(-α·d) for the distance d of their points, which is a logit of -α·d. `numbers` gives the point of each place; a
/// place without a point is at the centre.
pub fn factors(points: &[Vec<f64>], numbers: &[usize], alpha: f64) -> Matrix {
    let centre = vec![0.0; points.first().map_or(0, Vec::len)];
    let own: Vec<&[f64]> = numbers.iter().map(|number| points.get(*number).unwrap_or(&centre).as_slice()).collect();
    let factor = |one: &[f64], other: &[f64]| (-alpha * Ball::UNIT.distance(one, other)).exp() as f32;
    let values = own.iter().flat_map(|one| own.iter().map(move |other| factor(one, other))).collect();
    Matrix { rows: own.len(), columns: own.len(), values }
}

/// Returns the weight of a place at a distance whose logit exceeds those of nine others, all at distance 3, by `logit`:
/// a softmax over logits minus α times the distance. It falls as the distance grows, for any α above 0 and any logits.
pub fn weight(alpha: f64, logit: f64, distance: f64) -> f64 {
    let own = logit - alpha * (distance - USUAL);
    1.0 / (1.0 + OTHERS * (-own).exp())
}

/// Draws the weights of three logits against the distance and marks the current distance.
pub fn svg(alpha: f64, distance: f64, palette: &Palette, title: &str) -> String {
    let distance = distance.clamp(0.0, FAR);
    let frame = Frame {
        across: Some(Axis::up_to(FAR, true).every(2.0)),
        up: Axis::up_to(1.0, false),
        names: ["distance of the point", "weight"],
        left: LEFT,
        right: RIGHT,
        foot: FOOT,
    };
    let at = |logit: f64| number(weight(alpha, logit, distance), 3);
    let [above, equal, below] = LOGITS.map(at);
    let description = format!(
        "At distance {distance:.1} the weight is {equal} where the logit equals those of the others, {above} where it \
         is 2 above them and {below} where it is 2 below. All three curves fall."
    );
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        for (style, logit) in LOGITS.into_iter().enumerate() {
            curve(pen, &field, style, [alpha, logit, distance])?;
        }
        names(pen, &field, alpha)
    })
}

fn curve(pen: &Pen, field: &Field, style: usize, [alpha, logit, distance]: [f64; 3]) -> Drawn {
    let places = (0..=POINTS).map(|step| f64::from(step) / f64::from(POINTS) * FAR);
    let at = |distance: f64| field.at([distance, weight(alpha, logit, distance)]);
    let colour = pen.kind(1 + style);
    pen.path(places.map(at).collect(), style, colour, 2.0)?;
    pen.disc(at(distance), MARK, colour, 1.0)
}

/// Writes the names at the ends of the curves, from the lowest up, without overlap.
fn names(pen: &Pen, field: &Field, alpha: f64) -> Drawn {
    let mut lowest = i32::MAX;
    for (logit, name) in LOGITS.into_iter().zip(["2 above", "equal", "2 below"]).rev() {
        let (x, y) = moved(field.at([FAR, weight(alpha, logit, FAR)]), [6.0, 0.0]);
        lowest = y.min(lowest.saturating_sub(units(APART)));
        pen.text((x, lowest), Anchor::Start, name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes};

    #[test]
    fn the_weight_falls_with_the_distance_and_rises_with_the_logit() {
        for alpha in [0.01, 0.1, 1.0, 3.0] {
            for logit in [-5.0, -1.0, 0.0, 0.5, 4.0] {
                for tenth in 0..80 {
                    let [near, far] = [tenth, tenth + 1].map(|tenth| weight(alpha, logit, f64::from(tenth) / 10.0));
                    assert!(near > far, "{alpha} {logit} {tenth}: {near} {far}");
                }
                assert!(weight(alpha, logit, 1.0) < weight(alpha, logit + 0.1, 1.0));
            }
        }
        // Ten equal places share the weight evenly; with α = 0 the distance has no effect.
        assert!((weight(0.7, 0.0, USUAL) - 0.1).abs() < 1e-12);
        assert_eq!(weight(0.0, 1.0, 0.0), weight(0.0, 1.0, 8.0));
    }

    #[test]
    fn three_curves_have_their_names_and_marks() {
        let drawn = svg(0.3, 3.0, &Palette::light(), "A test");
        let scene = Scene::of(&drawn);
        ["2 above", "equal", "2 below"].into_iter().for_each(|name| assert_eq!(scene.text(name).text, name));
        assert_eq!(scene.circles.len(), 3);
        assert!(scene.description.contains("the weight is 0.100 where"), "{}", scene.description);
        check_themes(|palette| svg(0.3, 3.0, palette, "A test"));
    }

    #[test]
    fn a_factor_is_the_exponential_of_the_distance() {
        // 0.5 on an axis is 2 artanh 0.5 = ln 3 from the centre.
        let points = vec![vec![0.0, 0.0], vec![0.5, 0.0]];
        let found = factors(&points, &[0, 1, 1, 9], 2.0);
        for (at, expected) in [((0, 0), 1.0), ((0, 1), 1.0 / 9.0), ((1, 2), 1.0), ((3, 1), 1.0 / 9.0), ((3, 0), 1.0)] {
            assert!((found.at(at.0, at.1) - expected).abs() < 1e-6, "{at:?}");
        }
        assert!(factors(&points, &[0, 1], 0.0).values.iter().all(|value| *value == 1.0));
    }
}
