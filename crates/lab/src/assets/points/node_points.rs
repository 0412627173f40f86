//! Points of the nodes of the tree of signs: parts that all of them share, whatever distances they keep (the tree, the
//! settings, the rounding to f32), and the points that also keep the bonds of determinatives and nouns, of logograms
//! and syllables.

use super::figures::Figures;
use crate::assets::hierarchy;
use std::path::Path;
use tuppum_cli::failure::Result;
use tuppum_corpus::bonds::ways::Ways;
use tuppum_corpus::bonds::{Bond, determinatives, logograms};
use tuppum_corpus::signs_file::text_of;
use tuppum_geometry::points::{Made, TreeSettings, for_near_tree};
use tuppum_geometry::tree::Tree;
use tuppum_geometry::{Ball, Distances, stress};
use tuppum_text::signs::taxonomy::SignTree;

/// Coordinates of a point.
pub const DIMENSION: usize = 32;

/// Settings for the points of signs. At the scale of the bytes, 1.5, four thousand nodes do not fit: a nearer node is
/// found farther in one case of 3,000, and the correlation is 0.93. A scale of 3 has room, and is to this ball what 1.5
/// is to curvature -4.
pub const SIGNS: TreeSettings = TreeSettings {
    dimension: DIMENSION,
    edge: 0.5,
    stress: stress::StressSettings { scale: 3.0, steps: 1_000, rate: 0.03, last_rate: 0.001 },
    drawn: 60_000,
    seed: 1,
};

/// Returns the tree without names.
///
/// # Errors
/// Never for a tree of signs: no parent follows its child.
pub fn bare_tree(signs: &SignTree) -> Result<Tree> {
    let parents: Vec<usize> = (1..signs.len() as u32).map(|node| signs.parent(node) as usize).collect();
    Ok(Tree::new(&parents)?)
}

/// Returns the points in f32, as they are shipped and measured.
pub fn shipped(made: &Made, measure: impl Fn(&[Vec<f64>]) -> Figures, name: &str) -> Vec<Vec<f32>> {
    let rounded: Vec<Vec<f32>> = made.points.iter().map(|row| row.iter().map(|one| *one as f32).collect()).collect();
    let as_read: Vec<Vec<f64>> = rounded.iter().map(|row| row.iter().map(|one| f64::from(*one)).collect()).collect();
    println!("{}", measure(&made.start).row(&format!("{name}, start")));
    println!("{}", measure(&as_read).row(&format!("{name}, shipped")));
    rounded
}

/// Difference of distances below which two points count as being as far apart as along the tree.
const SAME: f64 = 1e-9;

/// Returns a row for each node of the tree; prints the figures and the number of bonds.
///
/// # Errors
/// A sentence that names the file.
pub fn context_points(data: &Path, tree: &SignTree) -> Result<Vec<Vec<f32>>> {
    let bonds = bonds(data, tree)?;
    let ways = Ways::of(tree, &bonds);
    let rows: Vec<Vec<f64>> = (0..tree.len() as u32).map(|node| ways.from(node)).collect();
    let of_rows = |one: usize, other: usize| rows.get(one).and_then(|row| row.get(other)).copied().unwrap_or(0.0);
    let wanted = Distances::of(tree.len(), of_rows);
    let is_nearer = |(one, other, wanted): (usize, usize, f64)| {
        (wanted < tree.distance(one as u32, other as u32) - SAME).then_some((one, other))
    };
    let nearer: Vec<(usize, usize)> = wanted.pairs().filter_map(is_nearer).collect();
    eprintln!("{} pairs are nearer than in the tree", nearer.len());
    let at = |one, other| wanted.at(one, other);
    let made = for_near_tree(Ball::UNIT, &bare_tree(tree)?, at, nearer, &SIGNS);
    Ok(shipped(&made, |points| Figures::of(points, SIGNS.stress.scale, tree.len(), at), "context"))
}

/// Returns the bonds of the corpora and the lexicon.
fn bonds(data: &Path, tree: &SignTree) -> Result<Vec<Bond>> {
    let words = hierarchy::count(data)?;
    let mut bonds = determinatives::bonds(words.words.iter().map(|(word, count)| (word.as_str(), *count)), tree);
    let determined = bonds.len();
    let forms = text_of(&data.join(hierarchy::LEXICON))?;
    bonds.extend(logograms::bonds(forms.lines().skip(1).filter_map(form), tree));
    eprintln!("{determined} bonds of determinatives, {} of logograms", bonds.len() - determined);
    Ok(bonds)
}

/// Spelling, lemma and occurrences of a row of the lexicon of forms; `None` where it has no count.
fn form(row: &str) -> Option<(&str, &str, u64)> {
    let mut cells = row.split('\t');
    let (spelling, lemma) = (cells.next()?, cells.next()?);
    Some((spelling, lemma, cells.next_back()?.parse().ok()?))
}
