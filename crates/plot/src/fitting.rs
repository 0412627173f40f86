//! Fits distances on a plane step by step, on the hyperbolic plane and on the Euclidean one: points start near the
//! centre and move until they are as far apart as wanted.

use crate::chart::{
    Anchor, Axis, Content, Drawn, FOOT, Field, Frame, LETTERS, Pen, document, moved, number, units, width_of,
};
use crate::disk::labels::{self, LabelCandidate};
use crate::palette::Palette;
use std::f64::consts::TAU;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::stress::{DistancePair, StressSettings, descend};
use tuppum_geometry::{Ball, Distances, Random, flat};

/// Largest number of steps of a descent.
pub const STEPS: usize = 200;
/// Distance on the plane for a wanted distance of 1.
const SCALE: f64 = 4.0;
/// Size of a step of the descent.
const RATE: f64 = 0.04;
/// Initial distance of a group's points from the centre, and from one another. Points cannot pass one another on a
/// plane, so groups that start mixed would stay mixed.
const BEGIN: [f64; 2] = [0.6, 0.1];

/// Side of a picture, in pixels.
const SIDE: f64 = 300.0;
/// Radius of the disk in pixels, which leaves room for the names outside it.
const RADIUS: f64 = 106.0;
/// Distance from the middle up to which the Euclidean plane is shown.
const FAR: f64 = 6.5;
/// Left end of the field of distances, in pixels.
const LEFT: f64 = 34.0;
const RIGHT: f64 = 14.0;
/// Largest distance in the field.
const LARGEST: f64 = 3.0;
const MARK: f64 = 4.0;

/// Plane that the points lie on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// Hyperbolic plane of curvature -1, as Poincaré's disk.
    #[default]
    Hyperbolic,
    /// Euclidean plane.
    Euclid,
}

/// Points to be fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitting {
    pub names: Vec<String>,
    /// Group of each point, which gives its colour.
    pub groups: Vec<usize>,
    /// Wanted distances.
    pub wanted: Distances,
}

/// Points after some steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Places on the plane; on the hyperbolic one within the disk of radius 1.
    pub points: Vec<[f64; 2]>,
    /// Wanted and found distance of each pair, in the unit of the wanted ones.
    pub pairs: Vec<[f64; 2]>,
    /// Mean error of the found distances, as a share of the wanted ones.
    pub off: f64,
}

impl Fitting {
    /// Creates points with these names and groups; `wanted(i, j)` is called for every i < j.
    pub fn new(names: Vec<String>, groups: Vec<usize>, wanted: impl FnMut(usize, usize) -> f64) -> Self {
        let wanted = Distances::of(names.len(), wanted);
        Self { names, groups, wanted }
    }

    /// Returns the initial points as vectors at the centre: each group in a direction of its own, in an order and with
    /// rotations that the seed draws.
    fn start(&self, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed);
        let count = self.groups.iter().max().map_or(0, |most| most + 1);
        let mut order: Vec<usize> = (0..count).collect();
        random.shuffle(&mut order);
        let turns: Vec<f64> =
            order.iter().map(|place| TAU * (*place as f64 + 0.1 * random.normal()) / count as f64).collect();
        let [far, apart] = BEGIN;
        let place = |group: &usize| {
            let (sine, cosine) = turns.get(*group).copied().unwrap_or(0.0).sin_cos();
            [cosine, sine].map(|along| far * along + apart * random.normal()).to_vec()
        };
        self.groups.iter().map(place).collect()
    }

    /// Returns the points after `steps` steps of the descent, from a start that the seed draws.
    pub fn after(&self, steps: usize, plane: Plane, seed: u64) -> Fitted {
        let start = self.start(seed);
        let settings = StressSettings { scale: SCALE, steps: steps.min(STEPS), rate: RATE, last_rate: RATE };
        let weight = 1.0 / self.wanted.pairs().count().max(1) as f64;
        let all = |step: usize, pairs: &mut Vec<DistancePair>| {
            if step == 0 {
                let pair = |(one, other, wanted)| DistancePair { one, other, wanted, weight };
                pairs.extend(self.wanted.pairs().map(pair));
            }
        };
        let points = match plane {
            Plane::Hyperbolic => {
                let start: Vec<Vec<f64>> = start.iter().map(|vector| Ball::UNIT.exp_origin(vector)).collect();
                descend(Ball::UNIT, &start, &settings, all)
            }
            Plane::Euclid => flat::descend(&start, &settings, all),
        };
        let found = |one: usize, other: usize| match (points.get(one), points.get(other), plane) {
            (Some(one), Some(other), Plane::Hyperbolic) => Ball::UNIT.distance(one, other),
            (Some(one), Some(other), Plane::Euclid) => flat::distance(one, other),
            _ => 0.0,
        };
        let both: Vec<(f64, f64)> =
            self.wanted.pairs().map(|(one, other, wanted)| (wanted, found(one, other))).collect();
        Fitted {
            off: Distortion::of(SCALE, both.iter().copied()).average,
            pairs: both.into_iter().map(|(wanted, found)| [wanted, found / SCALE]).collect(),
            points: points.iter().map(|point| [point[0], point[1]]).collect(),
        }
    }
}

/// Draws the plane with its points.
pub fn plane_svg(fitting: &Fitting, fitted: &Fitted, plane: Plane, palette: &Palette, title: &str) -> String {
    let description = format!("{} points with their names.", fitted.points.len());
    document([SIDE, SIDE], Content { title, description: &description }, palette, |pen| {
        let middle = (units(SIDE / 2.0), units(SIDE / 2.0));
        if plane == Plane::Hyperbolic {
            pen.disc(middle, RADIUS + 0.5, pen.line, 1.0)?;
            pen.disc(middle, RADIUS - 0.5, pen.paper, 1.0)?;
        }
        let unit = if plane == Plane::Hyperbolic { RADIUS } else { RADIUS / FAR };
        let places: Vec<[f64; 2]> =
            fitted.points.iter().map(|[x, y]| [SIDE / 2.0 + x * unit, SIDE / 2.0 - y * unit]).collect();
        for (place, group) in places.iter().zip(&fitting.groups) {
            pen.disc(moved((0, 0), *place), MARK, pen.kind(1 + group), 0.85)?;
        }
        names(pen, fitting, &places)
    })
}

/// Writes the names beside their points, those at the rim first; a name without room is left out.
fn names(pen: &Pen, fitting: &Fitting, places: &[[f64; 2]]) -> Drawn {
    let candidate = |(node, (name, at)): (usize, (&String, &[f64; 2]))| LabelCandidate {
        node,
        at: *at,
        radius: MARK,
        width: width_of(name) / LETTERS,
        size: LETTERS,
        priority: (at[0] - SIDE / 2.0).hypot(at[1] - SIDE / 2.0),
        ..LabelCandidate::default()
    };
    let candidates = fitting.names.iter().zip(places).enumerate().map(candidate).collect();
    for label in labels::choose(candidates, fitting.names.len(), [SIDE, SIDE]) {
        let (Some(name), Some(point)) = (fitting.names.get(label.node), places.get(label.node)) else { continue };
        let [left, right] = [label.at[0], label.at[0] + label.width];
        // The estimated width is generous, so the letters are aligned to the side towards the point.
        let (x, anchor) = match point[0] {
            x if x <= left => (left, Anchor::Start),
            x if x >= right => (right, Anchor::End),
            _ => ((left + right) / 2.0, Anchor::Middle),
        };
        pen.text(moved((0, 0), [x, label.at[1] - 0.3 * LETTERS]), anchor, name)?;
    }
    Ok(())
}

/// Draws each pair's found distance against the wanted one: fitted points lie on the dashed line.
pub fn pairs_svg(fitted: &Fitted, palette: &Palette, title: &str) -> String {
    let frame = Frame {
        across: Some(Axis::up_to(LARGEST, true).every(1.0)),
        up: Axis::up_to(LARGEST, false),
        names: ["wanted distance", "distance on the plane"],
        left: LEFT,
        right: RIGHT,
        foot: FOOT,
    };
    let (pairs, off) = (fitted.pairs.len(), number(100.0 * fitted.off, 1));
    let description = format!("The distances of {pairs} pairs are {off} % off on average.");
    document([SIDE, SIDE], Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        pen.path(vec![field.at([0.0, 0.0]), field.at([LARGEST, LARGEST])], 2, pen.line, 1.5)?;
        let shown = |pair: &[f64; 2]| pair.map(|distance| distance.clamp(0.0, LARGEST));
        fitted.pairs.iter().try_for_each(|pair| pen.disc(field.at(shown(pair)), MARK * 0.8, pen.kind(2), 0.5))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes};

    /// Returns four signs with three readings each: 1 apart within a sign, 2 between signs.
    fn signs() -> Fitting {
        let names = (0..12).map(|number| format!("r{number}")).collect();
        let wanted = |one: usize, other: usize| if one / 3 == other / 3 { 1.0 } else { 2.0 };
        Fitting::new(names, (0..12).map(|number| number / 3).collect(), wanted)
    }

    #[test]
    fn hyperbolic_points_fit_better_than_those_of_euclid_whatever_the_start() {
        let signs = signs();
        for seed in 1..=5 {
            let off = |steps, plane| signs.after(steps, plane, seed).off;
            let [start, hyperbolic, euclid] =
                [off(0, Plane::Hyperbolic), off(STEPS, Plane::Hyperbolic), off(STEPS, Plane::Euclid)];
            println!("{seed}: {start:.3} {hyperbolic:.3} {euclid:.3}");
            assert!(start > 0.5 && hyperbolic < 0.08 && euclid > 0.2, "{seed}: {start} {hyperbolic} {euclid}");
        }
    }

    #[test]
    fn more_steps_go_on_from_fewer() {
        let signs = signs();
        let [before, after] = [40, 41].map(|steps| signs.after(steps, Plane::Hyperbolic, 1).points);
        for (before, after) in before.iter().zip(&after) {
            // A step of Adam is at most a few times its rate long, and the disk is smaller than the tangent plane.
            assert!((before[0] - after[0]).hypot(before[1] - after[1]) < 4.0 * RATE, "{before:?} {after:?}");
        }
        assert_eq!(signs.after(0, Plane::Euclid, 1), signs.after(0, Plane::Euclid, 1));
        assert_ne!(signs.after(0, Plane::Euclid, 1), signs.after(0, Plane::Euclid, 2));
    }

    #[test]
    fn the_pictures_have_every_point_with_its_name_and_every_pair() {
        let signs = signs();
        for plane in [Plane::Hyperbolic, Plane::Euclid] {
            let fitted = signs.after(STEPS, plane, 1);
            let draw = |palette: &Palette| plane_svg(&signs, &fitted, plane, palette, "A test");
            let scene = Scene::of(&draw(&Palette::light()));
            signs.names.iter().for_each(|name| assert_eq!(&scene.text(name).text, name));
            assert_eq!(scene.circles.len(), 12 + 2 * usize::from(plane == Plane::Hyperbolic));
            check_themes(draw);
            let draw = |palette: &Palette| pairs_svg(&fitted, palette, "A test");
            let scene = Scene::of(&draw(&Palette::light()));
            assert_eq!(scene.circles.len(), 66);
            assert!(scene.description.starts_with("The distances of 66 pairs are"), "{}", scene.description);
            check_themes(draw);
        }
    }
}
