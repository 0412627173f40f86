//! Two trees over the words of a line as SVG: the words in a column, the links of one tree as arcs on the left, those
//! of the other on the right.

use crate::chart::{Anchor, ChartPoint, Content, Drawn, Pen, RIM, document, units, width_of};
use crate::palette::Palette;
use std::f64::consts::PI;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arcs {
    pub words: Vec<String>,
    pub left: ArcTree,
    /// Tree on the right. Links that the left tree has too are solid, the others dashed.
    pub right: ArcTree,
}

/// Dependency tree over the words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArcTree {
    pub name: String,
    /// Links as pairs of word numbers, the lower first.
    pub links: Vec<[usize; 2]>,
    /// Number of the root word, which gets a square; `None` if the root is not among the words.
    pub root: Option<usize>,
}

impl ArcTree {
    /// Returns the number of links that the other tree has too.
    pub fn shared_with(&self, other: &Self) -> usize {
        self.links.iter().filter(|link| other.links.contains(link)).count()
    }
}

const WIDTH: f64 = 640.0;
/// Height of a word's row, in pixels.
const ROW: f64 = 30.0;
/// Height above the words for the names of the trees.
const HEAD: f64 = 40.0;
/// Gap between a word and the arcs beside it.
const GAP: f64 = 16.0;
/// Bulge of an arc between neighbours, and its growth for each word farther on.
const BULGE: [f64; 2] = [14.0, 13.0];
/// Number of straight pieces of an arc.
const PIECES: u32 = 24;

pub fn svg(arcs: &Arcs, palette: &Palette, title: &str) -> String {
    let height = HEAD + ROW * arcs.words.len() as f64 + RIM;
    document([WIDTH, height], Content { title, description: &description(arcs) }, palette, |pen| {
        let half = arcs.words.iter().map(|word| width_of(word)).fold(0.0, f64::max) / 2.0 + GAP;
        for (place, word) in arcs.words.iter().enumerate() {
            pen.text((units(WIDTH / 2.0), units(height_of(place))), Anchor::Middle, word)?;
        }
        side(pen, &arcs.left, &arcs.right, (half, -1.0))?;
        side(pen, &arcs.right, &arcs.left, (half, 1.0))
    })
}

/// Draws one tree at a distance from the middle, on the side that the sign gives.
fn side(pen: &Pen, tree: &ArcTree, other: &ArcTree, (distance, sign): (f64, f64)) -> Drawn {
    let at = |away: f64, down: f64| -> ChartPoint { (units(WIDTH / 2.0 + sign * (distance + away)), units(down)) };
    let anchor = if sign < 0.0 { Anchor::End } else { Anchor::Start };
    pen.text(at(0.0, HEAD / 2.0), anchor, &tree.name)?;
    let room = WIDTH / 2.0 - distance - RIM;
    for link in &tree.links {
        let [upper, lower] = link.map(height_of);
        let bulge = (BULGE[0] + BULGE[1] * (link[0].abs_diff(link[1]) as f64 - 1.0)).min(room);
        let arc = (0..=PIECES).map(|piece| PI * f64::from(piece) / f64::from(PIECES));
        let arc = arc.map(|angle| at(bulge * angle.sin(), (upper + lower) / 2.0 - (lower - upper) / 2.0 * angle.cos()));
        let is_shared = sign < 0.0 || other.links.contains(link);
        let (style, kind) = if is_shared { (1, 1) } else { (2, 2) };
        pen.path(arc.collect(), style, pen.kind(kind), 1.5)?;
    }
    match tree.root {
        Some(root) => pen.mark(at(-GAP / 4.0, height_of(root)), 1, pen.kind(1)),
        None => Ok(()),
    }
}

/// Returns the distance of a word from the upper edge.
fn height_of(place: usize) -> f64 {
    HEAD + ROW * (place as f64 + 0.5)
}

fn description(arcs: &Arcs) -> String {
    let Arcs { words, left, right } = arcs;
    let told = |tree: &ArcTree| {
        let word = |place: usize| words.get(place).map_or("", String::as_str);
        let links: Vec<String> =
            tree.links.iter().map(|[one, other]| format!("{} – {}", word(*one), word(*other))).collect();
        let root = tree.root.map(|root| format!("; root: {}", word(root))).unwrap_or_default();
        format!("{}: {}{root}.", tree.name, links.join(", "))
    };
    format!("{} {} {} of {} links are the same.", told(left), told(right), right.shared_with(left), left.links.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    fn sentence() -> Arcs {
        let words = ["a-na", "LUGAL", "be-li₂-ia", "šup-ra"].map(str::to_owned).to_vec();
        let left = ArcTree { name: "Editors".to_owned(), links: vec![[0, 1], [1, 2], [1, 3]], root: Some(3) };
        let right = ArcTree { name: "Found".to_owned(), links: vec![[0, 1], [1, 2], [2, 3]], root: Some(1) };
        Arcs { words, left, right }
    }

    #[test]
    fn each_tree_has_its_side_and_only_what_differs_is_dashed() {
        let (arcs, light) = (sentence(), Palette::light());
        let scene = Scene::of(&svg(&arcs, &light, "A test"));
        let shared = of_colour(&scene.paths, &light.kinds[1]);
        let whole: Vec<_> = shared.iter().filter(|path| path.points.len() == PIECES as usize + 1).collect();
        let is_left = |points: &[[f64; 2]]| points.iter().all(|point| point[0] < WIDTH / 2.0);
        assert_eq!(whole.iter().filter(|path| is_left(&path.points)).count(), 3);
        assert_eq!(whole.iter().filter(|path| !is_left(&path.points)).count(), 2);
        let dashed = of_colour(&scene.paths, &light.kinds[2]);
        assert!(dashed.len() > 3 && dashed.iter().all(|path| !is_left(&path.points)), "{}", dashed.len());
        // An arc starts and ends beside its words.
        let ends = [whole[2].points[0][1], whole[2].points[PIECES as usize][1]];
        assert_eq!(ends, [height_of(1), height_of(3)]);
    }

    #[test]
    fn the_description_says_all_that_is_drawn() {
        let told = description(&sentence());
        assert!(told.starts_with("Editors: a-na – LUGAL, LUGAL – be-li₂-ia, LUGAL – šup-ra; root: šup-ra."), "{told}");
        assert!(told.ends_with("2 of 3 links are the same."), "{told}");
    }

    #[test]
    fn long_arcs_stay_in_the_picture_and_nothing_is_drawn_of_nothing() {
        let words = vec!["a".repeat(40); 30];
        let left = ArcTree { links: vec![[0, 29]], ..ArcTree::default() };
        let scene = Scene::of(&svg(&Arcs { words, left, right: ArcTree::default() }, &Palette::light(), "A test"));
        let xs = scene.paths.iter().flat_map(|path| path.points.iter().map(|point| point[0]));
        assert!(xs.clone().count() > 20 && xs.into_iter().all(|x| x >= 0.0));
        assert_eq!(Scene::of(&svg(&Arcs::default(), &Palette::light(), "A test")).words().len(), 0);
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(|palette| svg(&sentence(), palette, "A test"));
    }
}
