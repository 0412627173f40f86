//! What is to be seen of a figure: nodes, edges, labels, rim; in pixels, without what is below a pixel.

use super::complex::{Point, direction, dot, from_centre, length, minus, radius_at, scaled, squared, times, to_centre};
use super::edges::Edge;
use super::figure::Figure;
use super::labels::{self, Label, LabelCandidate};
use super::view::{Projection, View};

/// What would look smaller than this, in pixels, is left out.
pub const PIXEL: f64 = 0.7;
/// Radius of a node in the middle, by kind, in pixels.
pub(super) const RADII: [f64; 5] = [7.0, 7.5, 6.0, 5.0, 4.5];
/// Nodes that look smaller than this share of one in the middle have no label.
const LABELLED: f64 = 0.035;
/// Below this share a node counts as one at the rim.
const AT_RIM: f64 = 0.15;
/// Heights of a label's letters, in pixels: the least, and what is added in the middle.
const LETTERS: [f64; 2] = [11.0, 4.0];
/// Circles of equal distance from the middle are drawn at these.
const CIRCLES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
/// Which nodes a finger can find that misses by this many pixels.
pub const FINGER: f64 = 14.0;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Width and height of the picture, in pixels.
    pub size: Point,
    /// View of the plane.
    pub view: View,
    /// The chosen node.
    pub chosen: usize,
    /// Another node; the geodesic from it to the chosen one is drawn.
    pub other: Option<usize>,
    /// Most labels of the scene.
    pub labels: usize,
}

/// A node in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Number of the node.
    pub node: usize,
    /// Its kind, which is its colour and its shape.
    pub kind: u8,
    /// Where it lies, in pixels.
    pub at: Point,
    /// Its radius, in pixels.
    pub radius: f64,
}

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The distance from the middle that it marks; infinite for the rim.
    pub distance: f64,
    /// Its radius, in pixels.
    pub radius: f64,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height, in pixels; the circles are around the middle.
    pub size: Point,
    /// The rim of the disk; the sheet has none.
    pub rim: Option<Circle>,
    /// Circles of equal distance from the middle.
    pub circles: Vec<Circle>,
    /// Edges of the tree.
    pub edges: Vec<Edge>,
    /// The geodesic between the two chosen nodes.
    pub geodesic: Option<Edge>,
    /// Nodes, those deeper in the tree after those above.
    pub marks: Vec<Mark>,
    /// Labels.
    pub labels: Vec<Label>,
    /// Nodes to be ringed: the chosen one, and the other.
    pub chosen: Vec<Mark>,
    /// How many nodes the figure has, seen or not.
    pub total: usize,
}

impl Scene {
    /// What is to be seen of the figure.
    pub fn of(figure: &Figure, wanted: &Wanted) -> Self {
        let Wanted { size, view, .. } = *wanted;
        let radius = view.radius(size);
        let mut scene = Self {
            size,
            rim: (view.projection != Projection::Sheet).then_some(Circle { distance: f64::INFINITY, radius }),
            circles: circles(&view, radius, length(size) / 2.0),
            edges: Vec::new(),
            geodesic: None,
            marks: Vec::new(),
            labels: Vec::new(),
            chosen: Vec::new(),
            total: figure.len(),
        };
        let mut candidates = Vec::new();
        walk(figure, wanted, &mut scene, &mut candidates);
        scene.labels = labels::choose(candidates, wanted.labels, size);
        let ring = |node: usize| mark(figure, wanted, node, view.seen(figure.point(node)));
        scene.chosen.push(ring(wanted.chosen));
        if let Some(other) = wanted.other.filter(|other| *other != wanted.chosen) {
            let [from, to] = [other, wanted.chosen].map(|node| view.seen(figure.point(node)));
            scene.geodesic = Some(Edge::between(&view, size, from, to, 0));
            scene.chosen.push(ring(other));
        }
        scene
    }

    /// How opaque the edges to nodes of a kind are: where there are very many, they would otherwise become one area.
    pub fn strength(&self, kind: u8) -> f64 {
        let many = self.edges.iter().filter(|edge| edge.kind == kind).count() > 400;
        if many { 0.3 } else { 0.45 }
    }

    /// The node that a press at a point means: the nearest, if the press is on it or misses it by no more than a
    /// finger.
    pub fn hit(&self, at: Point) -> Option<usize> {
        let away = |mark: &Mark| squared(minus(mark.at, at));
        let nearest = self.marks.iter().min_by(|one, other| away(one).total_cmp(&away(other)))?;
        (away(nearest) <= nearest.radius.max(FINGER).powi(2)).then_some(nearest.node)
    }
}

fn circles(view: &View, radius: f64, corner: f64) -> Vec<Circle> {
    let share = |distance: f64| length(view.projection.project([radius_at(distance), 0.0]));
    let circle = |distance: f64| Circle { distance, radius: radius * share(distance) };
    CIRCLES.map(circle).into_iter().filter(|circle| circle.radius < corner).collect()
}

/// Goes through the tree, past branches of which nothing can be seen.
fn walk(figure: &Figure, wanted: &Wanted, scene: &mut Scene, candidates: &mut Vec<LabelCandidate>) {
    let Wanted { size, view, chosen, .. } = *wanted;
    let reach = view.projection.reach(view.radius(size), length(size) / 2.0, PIXEL);
    let rim = radius_at(reach);
    // As `View::seen`, with the sine and cosine taken once.
    let turned = direction(view.turn);
    let mut seen = vec![Point::default(); figure.len()];
    let mut place = 0;
    while let Some(&node) = figure.order.get(place) {
        let node = node as usize;
        let parent = figure.tree.parent(node);
        let w = times(turned, to_centre(view.centre, figure.point(node)));
        seen[node] = w;
        place += 1;
        if squared(w) < rim * rim {
            let mark = mark(figure, wanted, node, w);
            if node > 0 {
                let edge = Edge::between(&view, size, seen[parent], w, mark.kind);
                // What is shorter lies under its nodes.
                if squared(minus(edge.from, edge.to)) > 1.0 {
                    scene.edges.push(edge);
                }
            }
            if is_inside(mark.at, mark.radius, size) {
                candidates.extend(candidate(figure, &mark, view.projection.scale(w), node == chosen));
                scene.marks.push(mark);
            }
            continue;
        }
        // The sheet has no rim under which an edge could end.
        if view.projection == Projection::Sheet && node > 0 && squared(seen[parent]) < rim * rim {
            let end = cut(seen[parent], w, 2.0 * reach + 1.0);
            scene.edges.push(Edge::between(&view, size, seen[parent], end, figure.kinds[node]));
        }
        if node > 0 && distance_to_branch(w, seen[parent]) > reach.sinh() {
            place = figure.ends.get(place - 1).map_or(place, |end| *end as usize);
        }
    }
}

/// The end of a geodesic, or the point on it at `most` from its beginning, if that comes first.
fn cut(from: Point, to: Point, most: f64) -> Point {
    let way = to_centre(from, to);
    let share = radius_at(most) / length(way);
    if share < 1.0 { from_centre(from, scaled(share, way)) } else { to }
}

/// The hyperbolic sine of the distance from the middle to the half-plane in which all below a node at w lies; negative
/// when the middle is in it. In a right triangle sinh δ = sinh r · cos of the angle between the ways to middle and
/// parent.
fn distance_to_branch(w: Point, parent: Point) -> f64 {
    let (middle, back) = ([-w[0], -w[1]], to_centre(w, parent));
    let cosine = dot(middle, back) / (length(middle) * length(back));
    2.0 * length(w) / (1.0 - squared(w)).max(f64::MIN_POSITIVE) * cosine
}

fn mark(figure: &Figure, wanted: &Wanted, node: usize, w: Point) -> Mark {
    let kind = figure.kinds.get(node).copied().unwrap_or(0);
    let large = RADII[usize::from(kind).min(4)] * wanted.view.zoom.sqrt().clamp(0.7, 2.0);
    // By the root: true sizes would leave nothing of the nodes near the rim.
    let radius = (large * wanted.view.projection.scale(w).max(0.0).sqrt()).max(0.5);
    Mark { node, kind, at: wanted.view.to_pixels(wanted.size, w), radius }
}

fn is_inside([x, y]: Point, radius: f64, size: Point) -> bool {
    x > -radius && y > -radius && x < size[0] + radius && y < size[1] + radius
}

/// A label for a node that looks so much smaller than in the middle; none where it is too small for one.
pub(super) fn candidate(figure: &Figure, mark: &Mark, scale: f64, chosen: bool) -> Option<LabelCandidate> {
    let weight = f64::from(figure.weights[mark.node]);
    (chosen || scale > LABELLED).then(|| LabelCandidate {
        node: mark.node,
        at: mark.at,
        radius: mark.radius,
        width: f64::from(figure.widths[mark.node]),
        size: LETTERS[0] + LETTERS[1] * scale.min(1.0),
        priority: if chosen { f64::INFINITY } else { scale * (0.4 + weight) },
        at_rim: scale < AT_RIM,
        chosen,
    })
}
