//! Points of signs and readings that also keep the bonds of determinatives and nouns, of logograms and syllables.

use super::figures::Figures;
use super::node_points::{SIGNS, bare_tree, shipped};
use crate::assets::hierarchy;
use std::path::Path;
use tuppum_cli::failure::Result;
use tuppum_corpus::bonds::ways::Ways;
use tuppum_corpus::bonds::{Bond, determinatives, logograms};
use tuppum_corpus::signs_file::text_of;
use tuppum_geometry::points::for_near_tree;
use tuppum_geometry::{Ball, Distances};
use tuppum_text::signs::taxonomy::SignTree;

/// Difference of distances below which two points count as being as far apart as along the tree.
const SAME: f64 = 1e-9;

/// Returns a row for each node of the tree; prints the figures and the number of bonds.
///
/// # Errors
/// A sentence that names the file.
pub fn points(data: &Path, tree: &SignTree) -> Result<Vec<Vec<f32>>> {
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
