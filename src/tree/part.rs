//! Part of the sign tree that is small enough to be learnt live, and the picture of its points.

use std::collections::BTreeSet;
use tuppum_plot::disk::{Figure, Item, Point, Scene, View, Wanted};
use tuppum_protocol::TreePart;
use tuppum_text::signs::hierarchy::{Hierarchy, Kind};

/// Numbers of words: the commonest below the chosen sign, and the commonest of the whole tree.
const WORD_COUNTS: [usize; 2] = [60, 240];
/// Passes over the links of the part.
pub const EPOCHS: u32 = 200;
/// Seed of a run, so that it is the same at every visit.
pub const SEED: u64 = 1;
/// Square pixels of the picture for each label.
const PIXELS_PER_LABEL: f64 = 6_000.0;

/// Part of the tree with its points.
#[derive(Clone, Debug)]
pub struct Part {
    /// Numbers of the nodes in the whole tree, parents first.
    pub nodes: Vec<usize>,
    /// Index of the chosen sign in `nodes`; 0 if none is chosen.
    pub chosen: usize,
    /// Figure of the part, with the learnt points.
    pub figure: Figure,
    began: Vec<Point>,
}

impl Part {
    /// Returns the chosen node's sign with its readings and commonest words, and the commonest words of the whole tree,
    /// all with their ancestors.
    ///
    /// # Errors
    /// The error in the order of the nodes; never for a tree that was read from its table.
    pub fn of(tree: &Hierarchy, chosen: usize) -> Result<Self, String> {
        let sign = tree.line(chosen).get(1).copied().unwrap_or(0);
        let below = |node: usize| tree.line(node).get(1) == Some(&sign);
        let mut words: Vec<usize> = (0..tree.len()).filter(|node| kind(tree, *node) == Some(Kind::Word)).collect();
        words.sort_by_key(|node| (std::cmp::Reverse(tree.node(*node).map_or(0, |node| node.count)), *node));
        let own = words.iter().filter(|word| sign > 0 && below(**word)).take(WORD_COUNTS[0]);
        // Without a chosen sign only the signs above the words are wanted, not all children of the root.
        let readings = if sign > 0 { tree.children(sign) } else { &[] };
        let ends = words.iter().take(WORD_COUNTS[1]).chain(own).chain(readings).copied();
        let nodes: BTreeSet<usize> = ends.flat_map(|node| tree.line(node)).collect();
        let nodes: Vec<usize> = nodes.into_iter().collect();
        let place = |node: usize| nodes.binary_search(&node).unwrap_or(0);
        let item = |&node: &usize| {
            let about = tree.node(node)?;
            let label =
                if about.glyph.is_empty() { about.label.clone() } else { format!("{} {}", about.label, about.glyph) };
            let (parent, kind) = (tree.parent(node).map_or(0, place), about.kind as u8);
            Some(Item { parent, kind, label, count: u32::try_from(about.count).unwrap_or(u32::MAX) })
        };
        let figure = Figure::new(nodes.iter().filter_map(item).collect()).map_err(|error| error.to_string())?;
        Ok(Self { chosen: place(sign), nodes, figure, began: Vec::new() })
    }

    /// Returns the name of the centre of the part: the chosen sign, or the commonest words.
    pub fn around(&self, tree: &Hierarchy) -> String {
        let sign = self.nodes.get(self.chosen).and_then(|node| tree.node(*node)).filter(|_| self.chosen > 0);
        sign.map_or_else(|| "the commonest words".to_owned(), |sign| sign.label.clone())
    }

    /// Returns the request to the engine.
    pub fn asked(&self, tree: &Hierarchy) -> TreePart {
        let labels = self.nodes.iter().filter_map(|node| Some(tree.node(*node)?.label.clone())).collect();
        let parents = (0..self.figure.len()).map(|node| self.figure.tree.parent(node) as u32).collect();
        TreePart {
            parents,
            kinds: self.figure.kinds.clone(),
            labels,
            chosen: self.chosen as u32,
            epochs: EPOCHS,
            seed: SEED,
        }
    }

    /// Sets the points; returns `false` and changes nothing unless there is one for each node and all lie inside the
    /// disk.
    pub fn take(&mut self, points: &[f32]) -> bool {
        let points: Vec<Point> = points.chunks_exact(2).map(|at| [f64::from(at[0]), f64::from(at[1])]).collect();
        let inside = points.iter().all(|[x, y]| x.hypot(*y) < 1.0);
        if points.len() != self.figure.len() || !inside {
            return false;
        }
        if self.began.is_empty() {
            self.began.clone_from(&points);
        }
        self.figure.points = points;
        true
    }

    /// Returns the distance of the farthest point from the middle of the disk, as a share of its radius.
    pub fn farthest(&self) -> f64 {
        self.figure.points.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max)
    }

    /// Returns the mean movement of the points since they were first set, as a share of the disk's radius.
    pub fn moved(&self) -> f64 {
        let ways = self.began.iter().zip(&self.figure.points).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        ways.sum::<f64>() / self.began.len().max(1) as f64
    }

    /// Returns the picture of the points and their links, without the root, which is no point of the run.
    pub fn scene(&self, size: Point) -> Scene {
        let mut scene = Scene::of(&self.figure, &self.wanted(size));
        scene.marks.retain(|mark| mark.node > 0);
        scene.labels.retain(|label| label.node > 0);
        scene.chosen.retain(|mark| mark.node > 0);
        scene.edges.retain(|edge| edge.kind > Kind::Sign as u8);
        scene
    }

    /// Returns the contents of a picture of this size.
    pub fn wanted(&self, size: Point) -> Wanted {
        let labels = (size[0] * size[1] / PIXELS_PER_LABEL) as usize;
        Wanted { size, view: View::default(), chosen: self.chosen, other: None, labels }
    }
}

fn kind(tree: &Hierarchy, node: usize) -> Option<Kind> {
    tree.node(node).map(|node| node.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Hierarchy {
        Hierarchy::parse(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/hierarchy/tree.tsv"))).unwrap()
    }

    #[test]
    fn a_part_holds_the_sign_and_what_is_above_its_words() {
        let tree = tree();
        let ka = tree.at_path(["KA"]);
        let part = Part::of(&tree, tree.children(ka)[0]).unwrap();
        let asked = part.asked(&tree);
        assert_eq!((asked.labels.len(), part.nodes[part.chosen]), (part.nodes.len(), ka));
        assert_eq!(part.around(&tree), "KA");
        assert!((300..1_200).contains(&asked.labels.len()), "{}", asked.labels.len());
        for reading in tree.children(ka) {
            assert!(part.nodes.contains(reading));
        }
        let whole = Part::of(&tree, 0).unwrap();
        assert_eq!(whole.around(&tree), "the commonest words");
        assert!(whole.chosen == 0 && whole.nodes.len() < part.nodes.len());
        for (number, parent) in asked.parents.iter().enumerate().skip(1) {
            assert!((*parent as usize) < number && asked.kinds[*parent as usize] + 1 == asked.kinds[number]);
        }
    }

    #[test]
    fn points_are_taken_if_they_fit_and_lie_inside() {
        let tree = tree();
        let mut part = Part::of(&tree, 0).unwrap();
        let count = part.nodes.len();
        assert!(!part.take(&[0.5, 0.5]) && !part.take(&vec![0.8; 2 * count]) && !part.take(&vec![f32::NAN; 2 * count]));
        assert!(part.take(&vec![0.1; 2 * count]) && part.moved() == 0.0);
        assert!(part.take(&vec![0.4; 2 * count]));
        assert!((part.farthest() - 0.4 * 2f64.sqrt()).abs() < 1e-6 && (part.moved() - 0.3 * 2f64.sqrt()).abs() < 1e-6);
        let scene = part.scene([400.0, 400.0]);
        assert!(scene.marks.len() == count - 1 && scene.edges.iter().all(|edge| edge.kind > 1));
    }
}
