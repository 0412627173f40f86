//! `tuppum assets points`: the points of bytes and of signs that the translator's attention is biased by.
//!
//! Here the taxonomy of `signs` and the embeddings of `geometry`, which do not know each other, come together. The
//! points are an asset to ship in f32, not to recompute: the last digits of `tanh` differ between machines, and a
//! descent carries them on.

mod figures;
mod names;
mod tensor_file;

use crate::failure::{About, Result};
use figures::Figures;
use std::path::Path;
use tuppum_geometry::points::{Made, TreeSettings, for_distances, for_tree};
use tuppum_geometry::tree::Tree;
use tuppum_geometry::{Ball, Distances, spectral, stress};
use tuppum_text::signs::taxonomy::bytes::{Associations, Mode, TOKENS};
use tuppum_text::signs::taxonomy::{ReadingCount, SignTree};

/// Coordinates of a point.
const DIMENSION: usize = 32;

/// How the points of signs are made. At the scale of the bytes, 1.5, four thousand nodes do not fit: a nearer node is
/// found farther in one case of 3,000, and the correlation is 0.93. A scale of 3 has room, and is to this ball what 1.5
/// is to curvature -4.
const SIGNS: TreeSettings = TreeSettings {
    dimension: DIMENSION,
    edge: 0.5,
    stress: stress::StressSettings { scale: 3.0, steps: 1_000, rate: 0.03, last_rate: 0.001 },
    drawn: 60_000,
    seed: 1,
};

/// Writes the points and the table of names into a folder, and prints how well the points keep the distances.
///
/// # Errors
/// A sentence that names the table or the file.
pub fn write(reading_counts: &str, out: &Path) -> Result<()> {
    let counts = ReadingCount::parse(reading_counts)?;
    println!("{}", Figures::HEADER);
    for (mode, name) in [(Mode::Hard, "hard"), (Mode::Soft, "soft")] {
        let table = bytes(&counts, mode, name);
        tensor_file::write(&out.join(format!("byte-points-{name}.safetensors")), &table)?;
    }
    let names = names::table(&counts);
    let path = out.join("sign-names.tsv");
    std::fs::write(&path, &names).cannot("be written", &path)?;
    tensor_file::write(&out.join("sign-points.safetensors"), &signs(&SignTree::parse(names.leak())?)?)
}

/// A row for each of ByT5's tokens; those without an association lie at the centre, the root.
fn bytes(counts: &[ReadingCount], mode: Mode, name: &str) -> Vec<Vec<f32>> {
    let associations = Associations::of(counts);
    let (known, table) = (associations.known(), associations.distances(mode));
    let at = |one: usize, other: usize| table.get(one * TOKENS + other).copied().unwrap_or(0.0);
    let token = |place: usize| known.get(place).copied().unwrap_or(0);
    let wanted = Distances::of(known.len(), |one, other| at(token(one), token(other)));
    let (spectral, stress) = (spectral::SpectralSettings::default(), stress::StressSettings::default());
    let made = for_distances(Ball::UNIT, &wanted, &spectral, &stress);
    let rows = shipped(
        &made,
        |points| Figures::of(points, stress.scale, known.len(), |one, other| wanted.at(one, other)),
        name,
    );
    let mut all = vec![vec![0.0; DIMENSION]; TOKENS];
    for (token, row) in known.into_iter().zip(rows) {
        if let Some(slot) = all.get_mut(token) {
            *slot = row;
        }
    }
    all
}

/// A row for each node of the tree of signs.
fn signs(signs: &SignTree) -> Result<Vec<Vec<f32>>> {
    let nodes = signs.len() as u32;
    let parents: Vec<usize> = (1..nodes).map(|node| signs.parent(node) as usize).collect();
    let made = for_tree(Ball::UNIT, &Tree::new(&parents)?, &SIGNS);
    let wanted = |one: usize, other: usize| signs.distance(one as u32, other as u32);
    Ok(shipped(&made, |points| Figures::of(points, SIGNS.stress.scale, signs.len(), wanted), "signs"))
}

/// The points in f32, as they are shipped and measured.
fn shipped(made: &Made, measure: impl Fn(&[Vec<f64>]) -> Figures, name: &str) -> Vec<Vec<f32>> {
    let rounded: Vec<Vec<f32>> = made.points.iter().map(|row| row.iter().map(|one| *one as f32).collect()).collect();
    let as_read: Vec<Vec<f64>> = rounded.iter().map(|row| row.iter().map(|one| f64::from(*one)).collect()).collect();
    println!("{}", measure(&made.start).row(&format!("{name}, start")));
    println!("{}", measure(&as_read).row(&format!("{name}, shipped")));
    rounded
}
