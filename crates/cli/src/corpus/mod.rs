//! `tuppum corpus`: builds the pack of attested texts, and fits what agreement of contexts weighs.

mod build;
mod fit;

use crate::failure::{About, Result};
use clap::{Args, Subcommand};
use std::path::Path;
use tuppum_corpus::attested::{AttestedTexts, read};

/// The pack in its folder.
const PACK: &str = "corpus.pack";

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
}

/// Builds or fits.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &CorpusArguments) -> Result<()> {
    match &arguments.task {
        Task::Build(arguments) => build::run(arguments),
        Task::Fit(arguments) => fit::run(arguments),
    }
}

/// The attested texts of a pack, or of the pack in a folder.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn opened(pack: &Path) -> Result<AttestedTexts> {
    let pack = if pack.is_dir() { pack.join(PACK) } else { pack.to_path_buf() };
    read(&std::fs::read(&pack).at(&pack)?).at(&pack)
}
