//! `tuppum-lab corpus`: fits the weights of attested contexts, draws synthetic pairs, Old Assyrian texts with their
//! English from the clauses of the formulary, and converts transliterations to what the translator reads.

mod calibration;
mod fit;
mod known_signs;
mod sources;

use clap::{Args, Subcommand};
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::formulary::Formulary;
use tuppum_random::Random;

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
    Synthetic(SyntheticArguments),
    /// Write the transliterations of a table as the translator reads them.
    Sources(sources::SourcesArguments),
}

/// Fits, draws or converts.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &CorpusArguments) -> Result<()> {
    match &arguments.task {
        Task::Fit(arguments) => fit::run(arguments),
        Task::Synthetic(arguments) => draw(arguments),
        Task::Sources(arguments) => sources::run(arguments),
    }
}

/// The first line of the table. The last column says of every row that no scribe wrote it.
const HEADER: &str = "id\ttext_id\tproject\tperiod\tsource\ttarget\torigin\n";
/// Period and project of all rows.
const PERIOD: &str = "Old Assyrian";
const PROJECT: &str = "formulary";
/// Content of the column of the origin.
const ORIGIN: &str = "synthetic";

/// Arguments of `tuppum-lab corpus synthetic`.
#[derive(Args, Debug)]
pub struct SyntheticArguments {
    /// Number of pairs to draw.
    #[arg(long, default_value_t = 1000)]
    pairs: usize,
    /// Seed of the random numbers: the same seed gives the same pairs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The table that is written.
    out: PathBuf,
}

/// Draws the pairs and writes them.
///
/// # Errors
/// The formulary is damaged, or the table cannot be written.
fn draw(arguments: &SyntheticArguments) -> Result<()> {
    let formulary = Formulary::compiled_in()?;
    let mut table = HEADER.to_owned();
    for number in 0..arguments.pairs {
        // Each pair has a stream of its own, so that more pairs begin with the same ones.
        let mut random = Random::stream(arguments.seed, number as u64);
        let pair = formulary.draw(&mut random).ok_or("the formulary has too few clauses to draw texts from")?;
        let id = format!("{ORIGIN}-{}-{:06}", arguments.seed, number + 1);
        // Writing into a string never fails.
        let _ = writeln!(table, "{id}\t{id}\t{PROJECT}\t{PERIOD}\t{}\t{}\t{ORIGIN}", pair.source, pair.target);
    }
    std::fs::write(&arguments.out, table).cannot("be written", &arguments.out)?;
    println!(
        "{} pairs in {}, drawn from {} clauses",
        arguments.pairs,
        arguments.out.display(),
        formulary.clauses().len()
    );
    Ok(())
}
