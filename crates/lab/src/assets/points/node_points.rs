//! Parts that all points of signs share, whatever distances they keep: the tree, the settings, the rounding to f32.

use super::figures::Figures;
use tuppum_cli::failure::Result;
use tuppum_geometry::points::{Made, TreeSettings};
use tuppum_geometry::stress;
use tuppum_geometry::tree::Tree;
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
