//! Address of the sign tree: `#view=tree&node=AN/an&at=0.1,0.2&turn=0.3&zoom=2&map=klein&from=KA`. Nodes are named by
//! their labels from the root down, so that a link survives a new edition of the tree; the view is given by the place
//! of the chosen node.

use crate::frame::address::{decode, encode};
use tuppum_plot::disk::{Point, Projection, View};
use tuppum_text::signs::hierarchy::Hierarchy;

/// Contents of an address of the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeAddress {
    /// Labels from below the root down to the chosen node.
    pub node: Vec<String>,
    /// Place of the chosen node in the view; `None` for the middle.
    pub at: Option<Point>,
    /// Rotation of the picture, in radians.
    pub turn: f64,
    /// Zoom factor; `None` for 1.
    pub zoom: Option<f64>,
    /// Model of the hyperbolic plane.
    pub projection: Projection,
    /// Labels down to the node from which distances are measured.
    pub from: Option<Vec<String>>,
}

/// Returns `true` if a fragment opens the tree.
pub fn is_tree(fragment: &str) -> bool {
    fragment.trim_start_matches('#').split('&').any(|pair| pair == "view=tree")
}

impl TreeAddress {
    /// Reads a fragment; unknown pairs are ignored.
    pub fn read(fragment: &str) -> Self {
        let mut address = Self::default();
        for pair in fragment.trim_start_matches('#').split('&') {
            let Some((name, value)) = pair.split_once('=') else { continue };
            let number = || value.parse().ok().filter(|number: &f64| number.is_finite());
            match name {
                "node" => address.node = labels(value),
                "from" => address.from = Some(labels(value)),
                "at" => address.at = point(value),
                "turn" => address.turn = number().unwrap_or(0.0),
                "zoom" => address.zoom = number(),
                "map" => address.projection = Projection::named(value).unwrap_or_default(),
                _ => {}
            }
        }
        address
    }

    /// Returns the pairs of the fragment, `view=tree` first; values equal to the defaults are left out.
    pub fn write(&self) -> String {
        let mut pairs = vec!["view=tree".to_owned()];
        pairs.extend((!self.node.is_empty()).then(|| format!("node={}", path(&self.node))));
        pairs.extend(self.at.map(|[x, y]| format!("at={x:.5},{y:.5}")));
        pairs.extend((self.turn.abs() > 5e-5).then(|| format!("turn={:.4}", self.turn)));
        pairs.extend(self.zoom.map(|zoom| format!("zoom={zoom:.3}")));
        pairs.extend((self.projection != Projection::default()).then(|| format!("map={}", self.projection.name())));
        pairs.extend(self.from.as_ref().map(|from| format!("from={}", path(from))));
        pairs.join("&")
    }

    /// Returns the address of a view; `point` is the chosen node's point on the plane.
    pub fn of(tree: &Hierarchy, point: Point, view: &View, chosen: usize, from: Option<usize>) -> Self {
        let (at, turn) = view.place_of(point);
        let away = at[0].abs().max(at[1].abs()) > 5e-6;
        Self {
            node: tree.path(chosen),
            at: away.then_some(at),
            turn,
            zoom: ((view.zoom - 1.0).abs() > 5e-4).then_some(view.zoom),
            projection: view.projection,
            from: from.map(|from| tree.path(from)),
        }
    }

    /// Returns the view of this address; `point` is the chosen node's point on the plane.
    pub fn view(&self, point: Point) -> View {
        let start = View { projection: self.projection, ..View::default() };
        let at = self.at.unwrap_or_default();
        // Points of an address beyond the rim are replaced by the middle.
        let inside = at[0].hypot(at[1]) < 0.9999;
        start.zoomed(self.zoom.unwrap_or(1.0)).placed(point, if inside { at } else { [0.0, 0.0] }, self.turn)
    }
}

fn labels(value: &str) -> Vec<String> {
    value.split('/').filter(|label| !label.is_empty()).map(decode).collect()
}

fn path(labels: &[String]) -> String {
    labels.iter().map(|label| encode(label)).collect::<Vec<_>>().join("/")
}

fn point(value: &str) -> Option<Point> {
    let (x, y) = value.split_once(',')?;
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    Some([number(x)?, number(y)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back() {
        let full = TreeAddress {
            node: vec!["|A.AN|".into(), "1/2(diš)".into(), "a-na {d}UTU & co".into()],
            at: Some([0.25, -0.125]),
            turn: 0.5,
            zoom: Some(2.0),
            projection: Projection::Hyperboloid,
            from: Some(vec!["KA".into()]),
        };
        for address in [full, TreeAddress::default()] {
            let fragment = format!("#{}&device=cpu", address.write());
            assert!(is_tree(&fragment), "{fragment}");
            assert_eq!(TreeAddress::read(&fragment), address, "{fragment}");
        }
        assert_eq!(TreeAddress::default().write(), "view=tree");
    }

    #[test]
    fn nonsense_is_passed_over() {
        let address = TreeAddress::read("#view=tree&at=x&turn=inf&zoom=NaN&map=mercator&node=&from=&v");
        assert_eq!(address, TreeAddress { from: Some(Vec::new()), ..TreeAddress::default() });
        let beyond = TreeAddress { at: Some([3.0, 0.0]), zoom: Some(1e9), ..TreeAddress::default() };
        assert!(beyond.view([0.0, 0.0]).centre == [0.0, 0.0] && beyond.view([0.0, 0.0]).zoom < 100.0);
        assert!(!is_tree("#text=view%3Dtree") && !is_tree(""));
    }
}
