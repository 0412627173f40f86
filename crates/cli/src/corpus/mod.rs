//! `tuppum corpus`: builds the pack of attested texts.

mod pack;

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
    Build(pack::BuildArguments),
}

/// Builds the pack.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &CorpusArguments) -> Result<()> {
    match &arguments.task {
        Task::Build(arguments) => pack::run(arguments),
    }
}
