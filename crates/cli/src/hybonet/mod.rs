//! `tuppum hybonet`: experiments with fully hyperbolic networks.

mod document;
mod drawn;
mod encoders;
mod graphs;
mod kg;
mod name_kinds;
mod name_tables;
mod names;
mod probe;
mod sign_probe;
mod signs;
mod spread;
mod stopwatch;
mod translate;
mod trial;

use crate::failure::Result;
use clap::{Args, Subcommand};

/// Arguments of `tuppum hybonet`.
#[derive(Args, Debug)]
pub struct HybonetArguments {
    #[command(subcommand)]
    command: HybonetCommand,
}

#[derive(Subcommand, Debug)]
enum HybonetCommand {
    /// Train a model of a knowledge graph and rank the tails of its test triples; stopped, it goes on where it was.
    Kg(kg::KgArguments),
    /// Rank links of the sign tree that were held out, in hyperbolic and in Euclid's spaces of 2 to 32 dimensions.
    Signs(signs::SignsArguments),
    /// Tell the kinds of nodes and the links of graphs, by networks on the hyperboloid and in Euclid's space.
    Graphs(graphs::GraphsArguments),
    /// Tell names of gods, persons and places apart without their determinatives, by distances.
    Names(names::NamesArguments),
    /// Tell all kinds of names and words that are none apart by spelling and company, and write the model for use.
    NameKinds(name_kinds::NameKindsArguments),
    /// Probe the restorer's states, layer by layer, for the trees of a treebank, in Euclid's space and on the
    /// hyperboloid.
    Probe(probe::ProbeArguments),
    /// Probe the states of the restorer and of translators, layer by layer, for the tree of signs and readings.
    SignProbe(sign_probe::SignProbeArguments),
    /// Train Transformers to translate, on the hyperboloid and in Euclid's space, and compare them.
    Translate(translate::TransformerArguments),
}

/// Runs the command.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &HybonetArguments) -> Result<()> {
    match &arguments.command {
        HybonetCommand::Kg(arguments) => kg::run(arguments),
        HybonetCommand::Signs(arguments) => signs::run(arguments),
        HybonetCommand::Graphs(arguments) => graphs::run(arguments),
        HybonetCommand::Names(arguments) => names::run(arguments),
        HybonetCommand::NameKinds(arguments) => name_kinds::run(arguments),
        HybonetCommand::Probe(arguments) => probe::run(arguments),
        HybonetCommand::SignProbe(arguments) => sign_probe::run(arguments),
        HybonetCommand::Translate(arguments) => translate::run(arguments),
    }
}
