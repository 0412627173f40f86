//! `tuppum-lab corpus`: fits the weights of attested contexts, and draws synthetic pairs.

mod calibration;
mod cross_fit;
mod fit;
mod known_signs;
mod synthetic;

use clap::{Args, Subcommand};
use tuppum_cli::failure::Result;

/// Arguments of `tuppum-lab corpus`.
#[derive(Args, Debug)]
pub struct CorpusArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Fit the weights of attested contexts, on texts that no model and no pack has seen, and measure how well they
    /// restore.
    Fit(fit::FitArguments),
    /// Draw Old Assyrian texts with their English from the clauses of the formulary, to train on.
    Synthetic(synthetic::SyntheticArguments),
}

/// Fits or draws.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &CorpusArguments) -> Result<()> {
    match &arguments.task {
        Task::Fit(arguments) => fit::run(arguments),
        Task::Synthetic(arguments) => synthetic::run(arguments),
    }
}
