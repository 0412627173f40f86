//! The laboratory: `tuppum-lab hybonet`, `ablate`, `pretrain`, `geometry`, `corpus`, `assets`. Everything here trains
//! and measures on data sets in order to fill a document, or makes a file that is shipped; nothing here is needed to
//! read a tablet. One folder answers one question.

mod ablation;
mod assets;
mod corpus;
mod descent;
mod document;
mod graphs;
mod knowledge_graph;
mod names;
mod pretrain;
mod probes;
mod translation;
mod tree_distortion;

use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;
use tuppum_cli::failure::Result;

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
    Hybonet(HybonetArguments),
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
        Command::Hybonet(arguments) => run_hybonet(&arguments),
        Command::Ablate(arguments) => ablation::run(&arguments),
        Command::Pretrain(arguments) => pretrain::run(&arguments),
        Command::Geometry(arguments) => tree_distortion::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Assets(arguments) => assets::run(&arguments),
    })
}

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
fn run_hybonet(arguments: &HybonetArguments) -> Result<()> {
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
