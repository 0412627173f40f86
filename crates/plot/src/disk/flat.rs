//! Tree on the Euclidean plane, as a scene: edges are straight, and a node has one size wherever it lies.

use super::complex::{Point, length, minus, plus, scaled, squared};
use super::edges::{Edge, EdgeShape};
use super::figure::Figure;
use super::labels;
use super::scene::{Mark, RADII, Scene, Wanted, candidate};

/// Size of a node and of its letters, as a share of their size in the middle of a disk.
const SIZE: f64 = 0.45;

impl Scene {
    /// Draws the figure with its nodes at these places and the root in the middle of the picture. Half of the frame
    /// shows a length of `reach`, or more where a node lies farther out.
    pub fn flat(figure: &Figure, points: &[Point], reach: f64, wanted: &Wanted) -> Self {
        let size = wanted.size;
        let middle = points.first().copied().unwrap_or_default();
        let far = points.iter().map(|point| length(minus(*point, middle))).fold(reach, f64::max);
        let unit = wanted.view.radius(size) / far.max(f64::EPSILON);
        // As in the disk, whose second axis points down too.
        let at = |node: usize| {
            let point = points.get(node).copied().unwrap_or(middle);
            plus(scaled(0.5, size), scaled(unit, minus(point, middle)))
        };
        let mark = |node: usize| {
            let kind = figure.kinds.get(node).copied().unwrap_or(0);
            Mark { node, kind, at: at(node), radius: SIZE * RADII[usize::from(kind).min(4)] }
        };
        let edge = |node: usize| {
            let [from, to] = [at(figure.tree.parent(node)), at(node)];
            let long = squared(minus(from, to)) > 1.0;
            long.then(|| Edge { from, to, shape: EdgeShape::Line, kind: figure.kinds[node] })
        };
        let marks: Vec<Mark> = (0..figure.len()).map(mark).collect();
        let named = marks.iter().filter_map(|mark| candidate(figure, mark, SIZE, mark.node == wanted.chosen)).collect();
        Self {
            size,
            rim: None,
            circles: Vec::new(),
            edges: (1..figure.len()).filter_map(edge).collect(),
            geodesic: None,
            labels: labels::choose(named, wanted.labels, size),
            chosen: vec![mark(wanted.chosen)],
            marks,
            total: figure.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{Item, View};

    fn figure() -> Figure {
        let item = |(parent, kind): (usize, u8)| Item { parent, kind, label: format!("n{kind}"), count: 1 };
        Figure::new([(0, 0), (0, 1), (1, 2), (1, 2)].map(item).to_vec()).unwrap()
    }

    #[test]
    fn the_root_is_in_the_middle_and_the_farthest_at_the_edge() {
        let wanted = Wanted { size: [200.0, 200.0], view: View::default(), chosen: 1, other: None, labels: 9 };
        let points = [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [2.0, 2.0]];
        let scene = Scene::flat(&figure(), &points, 1.0, &wanted);
        let radius = wanted.view.radius(wanted.size);
        assert_eq!(scene.marks[0].at, [100.0, 100.0]);
        assert_eq!(scene.marks[2].at, [100.0 + radius, 100.0]);
        assert_eq!(scene.marks[1].at, [100.0 + radius / 2.0, 100.0]);
        assert_eq!((scene.edges.len(), scene.chosen[0].node, scene.rim), (3, 1, None));
        assert!(scene.edges.iter().all(|edge| edge.shape == EdgeShape::Line));
        let wide = Scene::flat(&figure(), &points, 4.0, &wanted);
        assert_eq!(wide.marks[2].at, [100.0 + radius / 2.0, 100.0], "as much of the plane as was asked for");
    }

    #[test]
    fn places_that_are_missing_are_the_root_s() {
        let wanted = Wanted { size: [90.0, 60.0], view: View::default(), chosen: 0, other: None, labels: 9 };
        let scene = Scene::flat(&figure(), &[], 0.0, &wanted);
        assert!(scene.marks.iter().all(|mark| mark.at == [45.0, 30.0]) && scene.edges.is_empty());
    }
}
