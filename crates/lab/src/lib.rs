//! The laboratory: `tuppum-lab hybonet`, `ablate`, `pretrain`, `geometry`, `corpus`, `assets`. Everything here trains
//! and measures on data sets in order to fill a document, or makes a file that is shipped; nothing here is needed to
//! read a tablet. One folder answers one question.

mod ablation;
mod assets;
mod corpus;
mod descent;
mod document;
mod graphs;
mod hybonet;
mod knowledge_graph;
mod names;
mod pretrain;
mod probes;
mod translation;
mod tree_distortion;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Train and measure on data sets what the documents of Tuppum say.
#[derive(Parser, Debug)]
#[command(name = "tuppum-lab", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Train and measure fully hyperbolic networks.
    Hybonet(hybonet::HybonetArguments),
    /// Train the same model in several ways with several seeds, and measure the gain of each way.
    Ablate(ablation::AblateArguments),
    /// Make a translator from nothing, by span corruption over the lines of both languages.
    Pretrain(pretrain::PretrainArguments),
    /// Measure how well the tree of signs fits into hyperbolic space, and into Euclid's.
    Geometry(tree_distortion::GeometryArguments),
    /// Fit the weights of attested contexts, or draw synthetic pairs.
    Corpus(corpus::CorpusArguments),
    /// Write the tables of signs, counts and priors from the sign list and the corpora, the points for the translator,
    /// or the tree of the script.
    Assets(assets::AssetsArguments),
}

/// Runs the command that the process was started with; an error goes to the error output as one paragraph.
pub fn main() -> ExitCode {
    tuppum_cli::exit_code(match Arguments::parse().command {
        Command::Hybonet(arguments) => hybonet::run(&arguments),
        Command::Ablate(arguments) => ablation::run(&arguments),
        Command::Pretrain(arguments) => pretrain::run(&arguments),
        Command::Geometry(arguments) => tree_distortion::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Assets(arguments) => assets::run(&arguments),
    })
}
