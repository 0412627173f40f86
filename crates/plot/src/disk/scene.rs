//! Picture of a figure: nodes, edges, labels, rim; in pixels, without anything smaller than a pixel.

use super::complex::{Point, direction, dot, from_centre, length, minus, radius_at, scaled, squared, times, to_centre};
use super::edges::Edge;
use super::figure::Figure;
use super::labels::{self, Label, LabelCandidate};
use super::view::{Projection, View};

/// Size below which nothing is drawn, in pixels.
pub const PIXEL: f64 = 0.7;
/// Radius of a node in the middle, by kind, in pixels.
pub(super) const RADII: [f64; 5] = [7.0, 7.5, 6.0, 5.0, 4.5];
/// Smallest size of a node with a label, as a share of its size in the middle.
const LABELLED: f64 = 0.035;
/// Size below which a node counts as lying at the rim, as a share of its size in the middle.
const AT_RIM: f64 = 0.15;
/// Height of a label's letters, in pixels: the minimum, and the addition in the middle.
const LETTERS: [f64; 2] = [11.0, 4.0];
/// Distances from the middle at which circles are drawn.
const CIRCLES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
/// Distance, in pixels, by which a finger may miss a node.
pub const FINGER: f64 = 14.0;

/// Request for a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Width and height of the picture, in pixels.
    pub size: Point,
    pub view: View,
    pub chosen: usize,
    /// Second node, from which the geodesic to the chosen one starts.
    pub other: Option<usize>,
    /// Largest number of labels.
    pub labels: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub node: usize,
    /// Kind of the node, which gives colour and shape.
    pub kind: u8,
    /// Place, in pixels.
    pub at: Point,
    /// Radius, in pixels.
    pub radius: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Distance from the middle that the circle marks; infinite for the rim.
    pub distance: f64,
    /// Radius, in pixels.
    pub radius: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height, in pixels; the circles are around the middle.
    pub size: Point,
    /// Rim of the disk; the view of the hyperboloid has none.
    pub rim: Option<Circle>,
    /// Circles of equal distance from the middle.
    pub circles: Vec<Circle>,
    pub edges: Vec<Edge>,
    /// Geodesic between the two chosen nodes.
    pub geodesic: Option<Edge>,
    /// Nodes, parents before children.
    pub marks: Vec<Mark>,
    pub labels: Vec<Label>,
    /// Nodes to be ringed: the chosen one, and the other.
    pub chosen: Vec<Mark>,
    /// Number of nodes of the figure, visible or not.
    pub total: usize,
}

impl Scene {
    pub fn of(figure: &Figure, wanted: &Wanted) -> Self {
        let Wanted { size, view, .. } = *wanted;
        let radius = view.radius(size);
        let mut scene = Self {
            size,
            rim: (view.projection != Projection::Hyperboloid).then_some(Circle { distance: f64::INFINITY, radius }),
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

    /// Returns the opacity of the edges to nodes of a kind. Where edges are very many, opaque ones would fill an area.
    pub fn strength(&self, kind: u8) -> f64 {
        let many = self.edges.iter().filter(|edge| edge.kind == kind).count() > 400;
        if many { 0.3 } else { 0.45 }
    }

    /// Returns the node that a press at a point means: the nearest, if the press hits it or misses it by no more than a
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

/// Walks the tree and skips branches that are invisible.
fn walk(figure: &Figure, wanted: &Wanted, scene: &mut Scene, candidates: &mut Vec<LabelCandidate>) {
    let Wanted { size, view, chosen, .. } = *wanted;
    let reach = view.projection.reach(view.radius(size), length(size) / 2.0, PIXEL);
    let rim = radius_at(reach);
    // The same as `View::seen`, with the sine and cosine computed once.
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
                // Shorter edges are hidden by their nodes.
                if squared(minus(edge.from, edge.to)) > 1.0 {
                    scene.edges.push(edge);
                }
            }
            if is_inside(mark.at, mark.radius, size) {
                candidates.extend(candidate(figure, &mark, view.projection.scale(w), node == chosen));
                scene.marks.push(mark);
            }
            // A visible node is never the end: its children follow it in the order.
            continue;
        }
        // The view of the hyperboloid has no rim at which an edge could end.
        if view.projection == Projection::Hyperboloid && node > 0 && squared(seen[parent]) < rim * rim {
            let end = cut(seen[parent], w, 2.0 * reach + 1.0);
            scene.edges.push(Edge::between(&view, size, seen[parent], end, figure.kinds[node]));
        }
        if node > 0 && distance_to_branch(w, seen[parent]) > reach.sinh() {
            // Everything below the node lies in its half-plane, which is out of reach: continue behind its last
            // descendant.
            place = figure.ends.get(place - 1).map_or(place, |end| *end as usize);
        }
    }
}

/// Returns the end of a geodesic, or the point at distance `most` from its start, if that comes first.
fn cut(from: Point, to: Point, most: f64) -> Point {
    let way = to_centre(from, to);
    let share = radius_at(most) / length(way);
    if share < 1.0 { from_centre(from, scaled(share, way)) } else { to }
}

/// Returns the hyperbolic sine of the distance from the middle to the half-plane that holds everything below a node at
/// w; negative when the middle is inside it. In a right triangle sinh δ = sinh r · cos of the angle between the
/// directions to the middle and to the parent.
fn distance_to_branch(w: Point, parent: Point) -> f64 {
    let (middle, back) = ([-w[0], -w[1]], to_centre(w, parent));
    let cosine = dot(middle, back) / (length(middle) * length(back));
    2.0 * length(w) / (1.0 - squared(w)).max(f64::MIN_POSITIVE) * cosine
}

fn mark(figure: &Figure, wanted: &Wanted, node: usize, w: Point) -> Mark {
    let kind = figure.kinds.get(node).copied().unwrap_or(0);
    let large = RADII[usize::from(kind).min(4)] * wanted.view.zoom.sqrt().clamp(0.7, 2.0);
    // The square root of the true size: the true size would make nodes near the rim invisible.
    let radius = (large * wanted.view.projection.scale(w).max(0.0).sqrt()).max(0.5);
    Mark { node, kind, at: wanted.view.to_pixels(wanted.size, w), radius }
}

fn is_inside([x, y]: Point, radius: f64, size: Point) -> bool {
    x > -radius && y > -radius && x < size[0] + radius && y < size[1] + radius
}

/// Returns the candidate for a label of a node that is drawn at `scale` of its size in the middle; none where the node
/// is too small for one.
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
