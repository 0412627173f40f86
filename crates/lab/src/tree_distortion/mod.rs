//! `tuppum-lab geometry`: measures how well the tree of signs fits into hyperbolic space and into Euclid's; writes the
//! tables of `docs/geometry.md`.

mod coarse;
mod cut;
mod embeddings;
mod measure;
mod part;

use clap::{Args, Subcommand};
use embeddings::Budget;
use part::Part;
use std::path::PathBuf;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::hierarchy::{Hierarchy, Kind};

/// Lines of the document between which the command writes.
const BEGIN: &str = "<!-- written by `tuppum-lab geometry distortion`: begin -->";
const END: &str = "<!-- end -->";

/// Arguments of `tuppum-lab geometry`.
#[derive(Args, Debug)]
pub struct GeometryArguments {
    /// Measurement to make.
    #[command(subcommand)]
    command: GeometryCommand,
}

#[derive(Subcommand, Debug)]
enum GeometryCommand {
    /// Measure how much of the tree each embedding loses; takes some minutes.
    Distortion(DistortionArguments),
}

#[derive(Args, Debug)]
struct DistortionArguments {
    /// The tree, as `tuppum-lab assets hierarchy` writes it.
    #[arg(long, default_value = "assets/hierarchy/tree.tsv")]
    tree: PathBuf,
    /// Document whose tables are replaced; without it they go to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Steps of every descent, hyperbolic and Euclidean alike.
    #[arg(long, default_value_t = Budget::default().steps)]
    steps: usize,
}

/// Runs the command.
///
/// # Errors
/// A sentence that names the file.
pub fn run(arguments: &GeometryArguments) -> Result<()> {
    let GeometryCommand::Distortion(arguments) = &arguments.command;
    let table = std::fs::read_to_string(&arguments.tree).at(&arguments.tree)?;
    let tree = Hierarchy::parse(&table).at(&arguments.tree)?;
    // The document is checked before the minutes are spent.
    let document = match &arguments.out {
        Some(path) => std::fs::read_to_string(path).at(path)?,
        None => format!("{BEGIN}\n{END}\n"),
    };
    parts(&document).ok_or_else(|| format!("the document must have the lines {BEGIN:?} and {END:?}, in this order"))?;
    let tables = tables(&tree, &Budget { steps: arguments.steps, ..Budget::default() })?;
    match &arguments.out {
        Some(path) => {
            let (before, after) = parts(&document).unwrap_or_default();
            std::fs::write(path, format!("{before}{BEGIN}\n\n{tables}\n{END}{after}")).at(path)
        }
        None => tuppum_cli::terminal::print(&tables),
    }
}

/// Returns the parts of the document before and after the tables.
fn parts(document: &str) -> Option<(&str, &str)> {
    let (before, rest) = document.split_once(BEGIN)?;
    Some((before, rest.split_once(END)?.1))
}

/// Returns all tables.
fn tables(tree: &Hierarchy, budget: &Budget) -> Result<String> {
    let mut text = cut::tables(tree)?;
    for (name, deepest) in [("Signs and readings", Kind::Reading), ("The whole tree", Kind::Phrase)] {
        let part = Part::of(tree, deepest)?;
        text.push_str(&embeddings::tables(name, &part, budget));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_go_between_the_marks() {
        let document = format!("# Title\n\n{BEGIN}\nold\n{END}\n\nMore.\n");
        assert_eq!(parts(&document), Some(("# Title\n\n", "\n\nMore.\n")));
        assert_eq!(parts("# Title\n"), None);
        assert_eq!(parts(&format!("{END}{BEGIN}")), None);
    }
}
