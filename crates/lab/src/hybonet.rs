//! `tuppum-lab hybonet`: experiments with fully hyperbolic networks.

use crate::{graphs, knowledge_graph, names, probes, translation};
use clap::{Args, Subcommand};
use tuppum_cli::failure::Result;

/// Arguments of `tuppum-lab hybonet`.
#[derive(Args, Debug)]
pub struct HybonetArguments {
    #[command(subcommand)]
    command: HybonetCommand,
}

#[derive(Subcommand, Debug)]
enum HybonetCommand {
    /// Train a model of a knowledge graph and rank the tails of its test triples; an interrupted run continues.
    Kg(knowledge_graph::KgArguments),
    /// Rank links of the sign tree that were held out, in hyperbolic and in Euclid's spaces of 2 to 32 dimensions.
    Signs(knowledge_graph::signs::SignsArguments),
    /// Tell the kinds of nodes and the links of graphs, by networks on the hyperboloid and in Euclid's space.
    Graphs(graphs::command::GraphsArguments),
    /// Tell names of gods, persons and places apart without their determinatives, by distances.
    Names(names::by_determinative::NamesArguments),
    /// Tell all kinds of names and words that are none apart by spelling and company, and write the model for use.
    NameKinds(names::by_lexicon::NameKindsArguments),
    /// Probe the restorer's states, layer by layer, for the trees of a treebank, in Euclid's space and on the
    /// hyperboloid.
    Probe(probes::trees::ProbeArguments),
    /// Probe the states of the restorer and of translators, layer by layer, for the tree of signs and readings.
    SignProbe(probes::sign_tree::SignProbeArguments),
    /// Train Transformers to translate, on the hyperboloid and in Euclid's space, and compare them.
    Translate(translation::TransformerArguments),
}

/// Runs the command.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &HybonetArguments) -> Result<()> {
    match &arguments.command {
        HybonetCommand::Kg(arguments) => knowledge_graph::run(arguments),
        HybonetCommand::Signs(arguments) => knowledge_graph::signs::run(arguments),
        HybonetCommand::Graphs(arguments) => graphs::command::run(arguments),
        HybonetCommand::Names(arguments) => names::by_determinative::run(arguments),
        HybonetCommand::NameKinds(arguments) => names::by_lexicon::run(arguments),
        HybonetCommand::Probe(arguments) => probes::trees::run(arguments),
        HybonetCommand::SignProbe(arguments) => probes::sign_tree::run(arguments),
        HybonetCommand::Translate(arguments) => translation::run(arguments),
    }
}
