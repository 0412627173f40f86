//! Tree on the hyperbolic plane, as a scene: the places of its nodes ([`layout`]), the view ([`view`]), and the
//! resulting picture ([`scene`], with [`edges`] and [`labels`]). For comparison, a tree on the Euclidean plane
//! ([`flat`]).
//!
//! Positions are complex numbers in Poincaré's disk of curvature -1 ([`complex`]); a scene is in pixels.

pub mod complex;
pub mod edges;
pub mod figure;
pub mod flat;
pub mod labels;
pub mod layout;
pub mod scene;
pub mod view;

pub use complex::Point;
pub use edges::{Edge, EdgeShape};
pub use figure::{Figure, Item};
pub use labels::Label;
pub use scene::{Mark, Scene, Wanted};
pub use view::{Projection, View};

#[cfg(test)]
mod tests {
    use super::complex::{distance_from_centre, length, minus, squared};
    use super::*;
    use crate::chart::scene::{check_themes, elements};
    use crate::known_picture;
    use crate::palette::Palette;
    use crate::svg;
    use proptest::prelude::*;
    use tuppum_geometry::{Ball, Random};

    const SIZE: Point = [700.0, 600.0];

    /// Returns a tree of four levels with labels of every kind.
    fn figure() -> Figure {
        let mut items = vec![Item { parent: 0, kind: 0, label: "signs".into(), count: 5_000 }];
        let mut random = Random::new(11);
        let add = |items: &mut Vec<Item>, parent: usize, kind: u8, label: String, count: u32| {
            items.push(Item { parent, kind, label, count });
            items.len() - 1
        };
        for sign in 0..14u32 {
            let count = 2_000 / (sign + 1);
            let at = add(&mut items, 0, 1, format!("SIGN{} 𒀀", sign + 1), count);
            for reading in 0..(16u32 / (sign + 1)).max(1) {
                let below = add(&mut items, at, 2, format!("ša{}", reading + 2), count / (reading + 2));
                for word in 0..random.below(6) {
                    let last =
                        add(&mut items, below, 3, format!("ša{}-na-{word}", reading + 2), 20 / (word as u32 + 1));
                    if word == 0 {
                        add(&mut items, last, 4, "a-na LUGAL & <x>".into(), 3);
                    }
                }
            }
        }
        Figure::new(items).unwrap()
    }

    fn wanted(view: View) -> Wanted {
        Wanted { size: SIZE, view, chosen: 0, other: None, labels: 40 }
    }

    /// Returns random views of any projection, up to distance 6 from the root.
    fn views() -> impl Strategy<Value = View> {
        (0.0..6.0f64, -3.0..3.0f64, -3.0..3.0f64, 0.5..6.0f64, 0..3usize).prop_map(
            |(far, way, turn, zoom, projection)| {
                let centre = complex::scaled(complex::radius_at(far), complex::direction(way));
                View { centre, turn, zoom, projection: Projection::ALL[projection] }
            },
        )
    }

    fn inside() -> impl Strategy<Value = Point> {
        (0.0..0.95f64, -3.0..3.0f64).prop_map(|(far, way)| complex::scaled(far, complex::direction(way)))
    }

    proptest! {
        #[test]
        fn nodes_lie_inside_the_rim(view in views()) {
            let scene = Scene::of(&figure(), &wanted(view));
            if let Some(rim) = scene.rim {
                for mark in &scene.marks {
                    let away = length(minus(mark.at, complex::scaled(0.5, SIZE)));
                    prop_assert!(away < rim.radius, "{mark:?}");
                }
            }
        }

        #[test]
        fn pressing_a_node_hits_it(view in views()) {
            let scene = Scene::of(&figure(), &wanted(view));
            for mark in &scene.marks {
                let hit = scene.hit(mark.at).unwrap();
                let found = scene.marks.iter().find(|other| other.node == hit).unwrap();
                // Of two nodes at the same place either may be hit.
                prop_assert!(hit == mark.node || found.at == mark.at, "{hit} instead of {}", mark.node);
            }
        }

        #[test]
        fn a_translation_and_its_inverse_give_the_scene_back(view in views(), from in inside(), to in inside()) {
            let there = view.dragged(from, to);
            let back = there.dragged(to, from);
            // Points at 6 from the root have lost three of sixteen digits, and twice two more at the rim.
            prop_assert!(squared(minus(back.centre, view.centre)).sqrt() < 1e-9);
            let (one, other) = (Scene::of(&figure(), &wanted(view)), Scene::of(&figure(), &wanted(back)));
            for (one, other) in one.marks.iter().zip(&other.marks) {
                prop_assert_eq!(one.node, other.node);
                prop_assert!(length(minus(one.at, other.at)) < 1e-3, "{:?} {:?}", one, other);
            }
        }

        #[test]
        fn a_drag_takes_what_is_held_along(view in views(), from in inside(), to in inside()) {
            let held_out = view.unseen(from);
            let seen = view.dragged(from, to).seen(held_out);
            prop_assert!(length(minus(seen, to)) < 1e-9, "{seen:?} {to:?}");
        }

        #[test]
        fn views_keep_distances(view in views(), one in inside(), other in inside()) {
            let before = Ball::UNIT.distance(&one, &other);
            let after = Ball::UNIT.distance(&view.seen(one), &view.seen(other));
            // At 10 from the middle of the view a distance has lost a factor e^10 of its precision.
            prop_assert!((before - after).abs() < 1e-6 * (1.0 + before), "{before} {after}");
        }

        #[test]
        fn places_in_addresses_lead_back(view in views(), node in 0..60usize) {
            let point = figure().point(node);
            let (at, turn) = view.place_of(point);
            let back = View::default().placed(point, at, turn);
            let probe = view.unseen([0.1, 0.2]);
            // Digits are lost with the distance of the node from the middle, and of the middle from the root.
            prop_assert!(length(minus(back.seen(probe), [0.1, 0.2])) < 1e-4, "{back:?} {view:?}");
        }

        #[test]
        fn projections_lead_back(p in inside(), which in 0..3usize) {
            let projection = Projection::ALL[which];
            let back = projection.unproject(projection.project(p));
            let beyond = length(projection.project(p)) > 0.985 && projection != Projection::Hyperboloid;
            prop_assert!(beyond || length(minus(back, p)) < 1e-9, "{p:?} {back:?}");
        }
    }

    #[test]
    fn a_node_comes_to_the_middle_along_a_geodesic() {
        let figure = figure();
        let start = View { centre: [0.3, -0.2], turn: 0.7, ..View::default() };
        for node in 0..figure.len() {
            let point = figure.point(node);
            let whole = distance_from_centre(start.seen(point));
            for share in [0.25, 0.5, 0.75] {
                let left = distance_from_centre(start.towards(point, share).seen(point));
                assert!((left - (1.0 - share) * whole).abs() < 1e-6 * (1.0 + whole));
            }
            assert_eq!(start.towards(point, 1.0).seen(point), [0.0, 0.0]);
        }
    }

    #[test]
    fn labels_keep_to_the_budget_and_apart() {
        let figure = figure();
        for labels in [0, 5, 200] {
            let scene = Scene::of(&figure, &Wanted { labels, ..wanted(View::default()) });
            assert!(scene.labels.len() <= labels);
            for (place, one) in scene.labels.iter().enumerate() {
                assert!(one.at[0] >= 0.0 && one.at[0] + one.width <= SIZE[0]);
                for other in &scene.labels[place + 1..] {
                    let apart = one.at[0] + one.width <= other.at[0]
                        || other.at[0] + other.width <= one.at[0]
                        || (one.at[1] - other.at[1]).abs() >= one.size.min(other.size);
                    assert!(apart, "{one:?} {other:?}");
                }
            }
            assert_eq!(scene.labels.iter().any(|label| label.chosen), labels > 0, "the chosen node has its label");
        }
    }

    #[test]
    fn what_is_below_a_pixel_is_left_out() {
        let items = (0..20_000).map(|node: usize| Item {
            parent: node.saturating_sub(1) / 8,
            kind: (node > 0).into(),
            label: node.to_string(),
            count: 1,
        });
        let figure = Figure::new(items.collect()).unwrap();
        let scene = Scene::of(&figure, &wanted(View::default()));
        assert!(scene.marks.len() < 15_000 && scene.total == 20_000, "{} of {}", scene.marks.len(), scene.total);
        // The smaller picture shows everything that a larger one shows near the middle: no branch was cut off with
        // something visible in it.
        let rim = complex::radius_at(Projection::Poincare.reach(286.0, 0.0, scene::PIXEL));
        let expected = figure.points.iter().filter(|point| length(**point) < rim).count();
        assert_eq!(scene.marks.len(), expected);
    }

    #[test]
    fn arcs_meet_the_rim_at_right_angles() {
        let scene = Scene::of(&figure(), &wanted(View { centre: [0.4, 0.1], ..View::default() }));
        let rim = scene.rim.unwrap().radius;
        let mut arcs = 0;
        for edge in &scene.edges {
            if let EdgeShape::Arc { centre, radius, .. } = edge.shape {
                arcs += 1;
                let away = squared(minus(centre, complex::scaled(0.5, SIZE)));
                assert!((away - radius * radius - rim * rim).abs() < 1e-6 * away);
                assert!((length(minus(edge.from, centre)) - radius).abs() < 1e-6 * radius);
                assert!((length(minus(edge.to, centre)) - radius).abs() < 1e-6 * radius);
            }
        }
        assert!(arcs > 20, "{arcs} arcs");
    }

    /// Returns a view of a sign in a projection, with a geodesic to another node.
    fn near_a_sign(figure: &Figure, projection: Projection) -> Scene {
        let view = View { projection, ..View::default() }.towards(figure.point(1), 0.8);
        Scene::of(figure, &Wanted { chosen: 1, other: Some(60), ..wanted(view) })
    }

    #[test]
    fn pictures_hold_the_whole_scene() {
        let figure = figure();
        for projection in Projection::ALL {
            let scene = near_a_sign(&figure, projection);
            let drawn = svg::disk(&scene, &figure, &Palette::light(), "A <test>");
            let elements = elements(&drawn);
            let circles = usize::from(scene.rim.is_some()) + scene.circles.len() + scene.chosen.len();
            assert_eq!((elements["text"], elements["circle"]), (scene.labels.len(), circles));
            // Only outlines of nodes are closed paths.
            let paths = drawn.replace("font-size", "");
            assert_eq!(paths.matches('z').count(), scene.marks.len(), "{projection:?}");
            assert_eq!(drawn.matches("stroke-width=\"2.5\"").count(), usize::from(scene.geodesic.is_some()));
            assert!(drawn.contains("<title>A &lt;test&gt;</title>") && drawn.contains(" 𒀀</text>"));
            check_themes(|palette| svg::disk(&scene, &figure, palette, "A test"));
        }
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        let figure = figure();
        let scene = near_a_sign(&figure, Projection::Poincare);
        known_picture("disk", &svg::disk(&scene, &figure, &Palette::light(), "A test"));
    }
}
