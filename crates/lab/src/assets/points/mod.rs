//! `tuppum-lab assets points`: writes the points of bytes and of signs for the bias of the translator's attention.
//!
//! The taxonomy of `signs` and the embeddings of `geometry`, which do not know each other, come together here. The
//! points are shipped in f32 and not computed again: the last digits of `tanh` differ between machines, and a descent
//! carries the difference on.

mod figures;
mod names;
mod node_points;
mod tensor_file;

use figures::Figures;
use node_points::{DIMENSION, SIGNS, bare_tree, context_points, shipped};
use std::path::Path;
use tuppum_cli::failure::{About, Result};
use tuppum_cli::input;
use tuppum_geometry::points::{for_distances, for_tree};
use tuppum_geometry::{Ball, Distances, spectral, stress};
use tuppum_text::signs::taxonomy::bytes::{Associations, Mode, TOKENS};
use tuppum_text::signs::taxonomy::{ReadingCount, SignTree};

/// Writes the points and the table of names into a folder, and prints how well the points keep the distances.
///
/// # Errors
/// A sentence that names the table or the file.
pub fn write(data: &Path, out: &Path) -> Result<()> {
    let counts = input::read(&data.join("osl/signs/reading_counts.tsv"))?;
    let counts = ReadingCount::parse(&counts)?;
    println!("{}", Figures::HEADER);
    for (mode, name) in [(Mode::Hard, "hard"), (Mode::Soft, "soft")] {
        let table = bytes(&counts, mode, name);
        tensor_file::write(&out.join(format!("byte-points-{name}.safetensors")), &table)?;
    }
    let names = names::table(&counts);
    let path = out.join("sign-names.tsv");
    std::fs::write(&path, &names).cannot("be written", &path)?;
    let tree = SignTree::parse(names.leak())?;
    tensor_file::write(&out.join("sign-points.safetensors"), &signs(&tree)?)?;
    write_context(data, &tree, out)
}

/// Writes the points of signs with their company alone, for the tree that is compiled in.
///
/// # Errors
/// A sentence that names the table or the file.
pub fn write_context_alone(data: &Path, out: &Path) -> Result<()> {
    println!("{}", Figures::HEADER);
    write_context(data, SignTree::shared(), out)
}

fn write_context(data: &Path, tree: &SignTree, out: &Path) -> Result<()> {
    tensor_file::write(&out.join("context-points.safetensors"), &context_points(data, tree)?)
}

/// Returns a row for each of ByT5's tokens; those without an association lie at the centre, the root.
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

/// Returns a row for each node of the tree of signs.
fn signs(signs: &SignTree) -> Result<Vec<Vec<f32>>> {
    let made = for_tree(Ball::UNIT, &bare_tree(signs)?, &SIGNS);
    let wanted = |one: usize, other: usize| signs.distance(one as u32, other as u32);
    Ok(shipped(&made, |points| Figures::of(points, SIGNS.stress.scale, signs.len(), wanted), "signs"))
}
