//! `tuppum corpus`: builds the pack of attested texts, fits what agreement of contexts weighs, and draws synthetic
//! pairs.

mod build;
mod fit;
mod pack;
mod synthetic;

pub use pack::{opened, opened_glosses, opened_names, own, own_names};

use crate::failure::Result;
use clap::{Args, Subcommand};

/// Arguments of `tuppum corpus`.
#[derive(Args, Debug)]
pub struct CorpusArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Put corpora of signs into one pack that page and commands look contexts up in.
    Build(build::BuildArguments),
    /// Fit what agreement weighs, on texts that no model and no pack has seen, and say how well it restores them.
    Fit(fit::FitArguments),
    /// Draw Old Assyrian texts with their English from the clauses of the formulary, to train on.
    Synthetic(synthetic::SyntheticArguments),
}

/// Builds or fits.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &CorpusArguments) -> Result<()> {
    match &arguments.task {
        Task::Build(arguments) => build::run(arguments),
        Task::Fit(arguments) => fit::run(arguments),
        Task::Synthetic(arguments) => synthetic::run(arguments),
    }
}
