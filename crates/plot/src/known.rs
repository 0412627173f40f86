//! Knowledge of a model: points of many dimensions on Poincaré's disk, before training and now, as a scene and as SVG.

use super::disk::complex::{Point, length, minus, radius_at};
use super::disk::labels::{self, Label, LabelCandidate, width_of};
use super::palette::Palette;
use super::svg::{FONT, escaped};
use std::fmt::Write;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::planar::Plane;
pub use tuppum_geometry::stored::points as stored;
use tuppum_geometry::{Ball, Random};

/// Largest number of labels.
const LABELS: usize = 90;
/// Height of a label's letters, in pixels.
const LETTERS: f64 = 12.5;
/// Gap around the disk, in pixels.
const MARGIN: f64 = 10.0;
/// Place of the farthest point as a share of the radius; the disk is enlarged accordingly.
const FAR: f64 = 0.86;
/// Largest factor by which the disk is enlarged.
const LARGEST: f64 = 12.0;
/// Distances from the centre at which circles are drawn.
pub const CIRCLES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];
/// Length, in pixels, below which a move is not drawn.
const SHORTEST: f64 = 0.6;

/// Points to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Name of each point; an empty name has no label and no title.
    pub names: Vec<String>,
    /// Places before training.
    pub before: Vec<Vec<f64>>,
    /// Current places of all points, if anything has been learnt.
    pub after: Option<Vec<Vec<f64>>>,
    /// The c of the ball's curvature -c.
    pub curvature: f64,
}

/// Point in the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub number: usize,
    /// Place before training, in pixels.
    pub before: Point,
    /// Current place, in pixels.
    pub after: Option<Point>,
    /// Distance moved in the original space.
    pub moved: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height, in pixels.
    pub side: f64,
    /// Radius of the disk, in pixels; where the disk is enlarged, its rim lies outside the picture.
    pub radius: f64,
    /// Points with a name.
    pub marks: Vec<Mark>,
    pub labels: Vec<Label>,
    /// Share of the variance that the plane shows.
    pub share: f64,
    /// Mean ratio of distances on the plane to those in the original space.
    pub scale: f64,
    /// Distortion of distances on the plane, at that scale.
    pub distortion: Distortion,
    /// Mean distance moved in the original space.
    pub moved: f64,
}

impl Scene {
    /// Draws a square picture. Both sets of points share one plane, so that moves keep their directions.
    pub fn of(known: &Known, side: f64) -> Self {
        let ball = Ball::new(known.curvature).unwrap_or(Ball::UNIT);
        let after = known.after.as_ref().filter(|after| after.len() == known.before.len());
        let all: Vec<Vec<f64>> = known.before.iter().chain(after.into_iter().flatten()).cloned().collect();
        let plane = Plane::through(ball, &all);
        let (scale, distortion) = plane.distortion(&all);
        let far = all.iter().map(|point| length(plane.nearest(point))).fold(0.0, f64::max);
        let radius = (side / 2.0 - MARGIN) * (FAR / far.max(f64::MIN_POSITIVE)).clamp(1.0, LARGEST);
        let seen = |point: &[f64]| {
            let [x, y] = plane.nearest(point);
            [side / 2.0 + radius * x, side / 2.0 - radius * y]
        };
        let mark = |(number, before): (usize, &Vec<f64>)| {
            let now = after.and_then(|after| after.get(number));
            let moved = now.map_or(0.0, |now| ball.distance(before, now));
            Mark { number, before: seen(before), after: now.map(|now| seen(now)), moved }
        };
        let named = |mark: &Mark| known.names.get(mark.number).is_some_and(|name| !name.is_empty());
        let marks: Vec<Mark> = known.before.iter().enumerate().map(mark).filter(named).collect();
        let moved = marks.iter().map(|mark| mark.moved).sum::<f64>() / marks.len().max(1) as f64;
        let labels = labels::choose(candidates(known, &marks, side), LABELS, [side, side]);
        Self { side, radius, marks, labels, share: plane.share, scale, distortion, moved }
    }
}

/// Returns the label candidates: the points that moved most first, the others in random order, so that no part of the
/// disk is preferred.
fn candidates(known: &Known, marks: &[Mark], side: f64) -> Vec<LabelCandidate> {
    let mut random = Random::new(7);
    let candidate = |mark: &Mark| {
        let at = mark.after.unwrap_or(mark.before);
        let name = known.names.get(mark.number).map_or("", String::as_str);
        LabelCandidate {
            node: mark.number,
            at,
            radius: 3.0,
            width: f64::from(width_of(name)),
            size: LETTERS,
            priority: 10.0 * mark.moved + random.uniform() + length(minus(at, [side / 2.0, side / 2.0])) / side,
            at_rim: false,
            chosen: false,
        }
    };
    marks.iter().map(candidate).collect()
}

/// Writes the picture as SVG; every point has its name as a title, which browsers show at the pointer.
pub fn svg(scene: &Scene, known: &Known, palette: &Palette, title: &str) -> String {
    let (side, middle, radius) = (scene.side, scene.side / 2.0, scene.radius);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side:.0} {side:.0}\" \
         role=\"img\">\n<title>{}</title>\n<circle cx=\"{middle:.1}\" cy=\"{middle:.1}\" r=\"{radius:.1}\" \
         fill=\"{}\" stroke=\"{}\"/>\n",
        escaped(title),
        palette.paper,
        palette.line,
    );
    for distance in CIRCLES {
        let ring = radius * radius_at(distance);
        if ring > middle {
            continue;
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{middle:.1}\" cy=\"{middle:.1}\" r=\"{ring:.1}\" fill=\"none\" stroke=\"{}\" \
             stroke-dasharray=\"2 4\"/>",
            palette.line
        );
    }
    let moves: String = scene.marks.iter().filter_map(line).collect();
    let _ = writeln!(svg, "<path d=\"{moves}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.75\"/>", palette.chosen);
    let small = if scene.marks.len() > 600 { 1.6 } else { 2.8 };
    for mark in &scene.marks {
        let name = escaped(known.names.get(mark.number).map_or("", String::as_str));
        let circle = |[x, y]: Point, paint: &str, said: String| {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{small}\" {paint}><title>{name}{said}</title></circle>\n")
        };
        let ring = format!("fill=\"none\" stroke=\"{}\"", palette.kinds[1]);
        let disc = format!("fill=\"{}\"", palette.kinds[2]);
        match mark.after {
            None => svg.push_str(&circle(mark.before, &disc, String::new())),
            Some(after) => {
                svg.push_str(&circle(mark.before, &ring, " before".into()));
                svg.push_str(&circle(after, &disc, format!(", moved by {:.2}", mark.moved)));
            }
        }
    }
    let _ = writeln!(
        svg,
        "<g font-family=\"{FONT}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" paint-order=\"stroke\">",
        palette.ink, palette.paper
    );
    for label in &scene.labels {
        let ([x, y], text) = (label.at, escaped(known.names.get(label.node).map_or("", String::as_str)));
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{LETTERS}\">{text}</text>");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn line(mark: &Mark) -> Option<String> {
    let ([x, y], [to_x, to_y]) = (mark.before, mark.after?);
    ((to_x - x).hypot(to_y - y) > SHORTEST).then(|| format!("M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{check_themes, elements};

    fn known(learnt: bool) -> Known {
        let mut random = Random::new(5);
        let mut point = |far: f64| -> Vec<f64> { random.direction(8).into_iter().map(|x| x * far).collect() };
        let before: Vec<Vec<f64>> = (0..40).map(|number| point(0.5 + f64::from(number) / 100.0)).collect();
        let after = learnt.then(|| before.iter().map(|point| point.iter().map(|x| x * 0.9).collect()).collect());
        let names = (0..40).map(|number| if number < 3 { String::new() } else { format!("<{number}>") }).collect();
        Known { names, before, after, curvature: 1.0 }
    }

    #[test]
    fn moves_are_measured_in_the_points_own_space() {
        let (still, moved) = (Scene::of(&known(false), 500.0), Scene::of(&known(true), 500.0));
        assert_eq!((still.marks.len(), still.moved), (37, 0.0));
        // Along a ray from the centre, from tanh(d/2) = r to 0.9 r.
        let own = |number: usize| {
            2.0 * ((0.5 + number as f64 / 100.0).atanh() - (0.9 * (0.5 + number as f64 / 100.0)).atanh())
        };
        for mark in &moved.marks {
            assert!((mark.moved - own(mark.number)).abs() < 1e-9, "{mark:?}");
            let away = |at: Point| length(minus(at, [250.0, 250.0]));
            assert!(mark.after.is_some_and(|after| away(after) < away(mark.before) && away(after) < 250.0));
        }
        assert!(moved.scale > 0.2 && moved.scale < 1.0 && moved.distortion.average > 0.0, "{moved:?}");
        assert!(moved.labels.len() > 10);
    }

    #[test]
    fn pictures_hold_the_whole_scene() {
        for (learnt, of_each) in [(false, 1), (true, 2)] {
            let (known, scene) = (known(learnt), Scene::of(&known(learnt), 500.0));
            let drawn = svg(&scene, &known, &Palette::light(), "A <test>");
            let elements = elements(&drawn);
            let circles = CIRCLES.iter().filter(|distance| scene.radius * radius_at(**distance) <= 250.0);
            // Every point has a title, and so has the picture.
            assert_eq!(elements["title"], 1 + of_each * scene.marks.len());
            assert_eq!(elements["circle"], 1 + circles.count() + of_each * scene.marks.len());
            assert_eq!(elements["text"], scene.labels.len());
            assert!(drawn.contains("<title>A &lt;test&gt;</title>") && drawn.contains("<title>&lt;7&gt;"));
            assert_eq!(drawn.contains(", moved by 0."), learnt);
            check_themes(|palette| svg(&scene, &known, palette, "A test"));
        }
    }
}
