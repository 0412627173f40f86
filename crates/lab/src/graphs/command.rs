//! `tuppum-lab hybonet graphs`: kinds of nodes and links of graphs, by the paper's networks and by graph convolution.

use super::disease::simulated;
use super::node_graph::NodeGraph;
use super::script;
use super::split::{LinkSplit, NodeSplit};
use super::training::{NodeTrainingPlan, NodesFound, learn_kinds, learn_links};
use crate::document::{DocumentSection, deviation, mean, named_seeds};
use burn::tensor::Device;
use clap::Args;
use futures_lite::future::block_on;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::hierarchy::Hierarchy;
use tuppum_corpus::signs_file::text_of;
use tuppum_corpus::treebank;
use tuppum_hyperbolic::graph_training::signs::of_commonest_words;
use tuppum_hyperbolic::nodes::networks::{FlatNodes, LorentzNodes, NodeNetwork, NodeNetworkSettings};

/// Number of nodes of the simulated tree, as Chami et al. have it for kinds, and the seed that draws it.
const DISEASE: (usize, u64) = (1_044, 1);
/// Number of words, the commonest first, in the graph of the signs, and number of sentences in the graph of the
/// treebank. The runs of a table were made with these numbers; other numbers need another table.
const WORDS: usize = 2_000;
const SENTENCES: usize = 300;
/// Shares of nodes to learn from and to stop by, as in Chami et al.
const AIRPORT_SHARES: [f64; 2] = [0.70, 0.15];
const DISEASE_SHARES: [f64; 2] = [0.30, 0.10];
/// Names that `--graphs` takes.
const GRAPHS: [&str; 5] = ["disease", "airport", "cora", "signs", "treebank"];
const HEADING: &str = "graph\ttask\tnetwork\tsettings\tseed\tstep\tvalid\ttest\tseconds\n";

#[derive(Args, Debug)]
pub struct GraphsArguments {
    /// Folder with the graphs cora and airport.
    #[arg(long, default_value = "../shared/data/graphs")]
    data: PathBuf,
    /// The tree of signs, as `tuppum-lab assets hierarchy` writes it.
    #[arg(long, default_value = "assets/hierarchy/tree.tsv")]
    tree: PathBuf,
    /// A treebank in CoNLL-U, plain or packed by xz.
    #[arg(long, default_value = "../shared/data/ud_akkadian/akk_riao-ud.conllu.xz")]
    treebank: PathBuf,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Table of single runs, to which each is added as it ends; runs that are in it are not repeated.
    #[arg(long)]
    runs: PathBuf,
    /// Coordinates of a layer's output.
    #[arg(long, default_value_t = 16)]
    width: usize,
    /// Layers.
    #[arg(long, default_value_t = 2)]
    layers: usize,
    /// Learning rate.
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Share by which matrices shrink in a step, over the learning rate.
    #[arg(long, default_value_t = 0.0)]
    decay: f64,
    /// Share of the coordinates of a layer's input that are left out while learning.
    #[arg(long, default_value_t = 0.0)]
    dropout: f64,
    /// Maximum number of steps.
    #[arg(long, default_value_t = 500)]
    steps: u32,
    /// Steps between two measurements.
    #[arg(long, default_value_t = 5)]
    every: u32,
    /// Measurements without a better one after which a run ends.
    #[arg(long, default_value_t = 20)]
    patience: u32,
    /// Only these graphs.
    #[arg(long, value_delimiter = ',', default_values_t = GRAPHS.map(str::to_owned))]
    graphs: Vec<String>,
    /// Only these tasks.
    #[arg(long, value_delimiter = ',', default_values_t = ["links", "kinds"].map(str::to_owned))]
    tasks: Vec<String>,
    /// Seeds, each of other first numbers and, but for cora's kinds, of another split.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 5])]
    seeds: Vec<u64>,
}

impl GraphsArguments {
    /// Returns the tasks of a graph. The tree has no task of kinds: its features tell signs, readings and words apart.
    fn tasks_of(&self, graph: &str) -> impl Iterator<Item = &String> {
        let is_tree = graph == "signs";
        self.tasks.iter().filter(move |task| !(is_tree && *task == "kinds"))
    }
}

/// Networks that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Network {
    Flat,
    Even,
    Attending,
}

impl Network {
    const ALL: [Self; 3] = [Self::Flat, Self::Even, Self::Attending];

    fn name(self) -> &'static str {
        match self {
            Self::Flat => "euclidean",
            Self::Even => "lorentz, even",
            Self::Attending => "lorentz, attention",
        }
    }
}

/// A run and what it found.
#[derive(Clone, Debug, PartialEq)]
struct GraphRun {
    /// Graph, task, network, settings.
    of: [String; 4],
    seed: u64,
    found: NodesFound,
    seconds: f64,
}

/// Trains what the table of runs lacks, and writes the table of means.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &GraphsArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "graphs")?;
    let mut runs = known(&arguments.runs)?;
    for name in &arguments.graphs {
        let graph = graph(arguments, name)?;
        for task in arguments.tasks_of(name) {
            for network in Network::ALL {
                for seed in &arguments.seeds {
                    let of = [name.clone(), task.clone(), network.name().to_owned(), settings(arguments)];
                    if runs.iter().any(|run| run.of == of && run.seed == *seed) {
                        continue;
                    }
                    let begun = Instant::now();
                    let found = learnt(arguments, &graph, name, task, network, *seed)?;
                    let run = GraphRun { of, seed: *seed, found, seconds: begun.elapsed().as_secs_f64() };
                    eprint!("{}", row(&run));
                    runs.push(run);
                    let rows: String = runs.iter().map(row).collect();
                    std::fs::write(&arguments.runs, format!("{HEADING}{rows}")).at(&arguments.runs)?;
                }
            }
        }
    }
    place.fill(&table(arguments, &runs))
}

/// Describes, in one cell, everything that must be the same for two runs to be comparable.
fn settings(arguments: &GraphsArguments) -> String {
    let GraphsArguments { width, layers, rate, decay, dropout, steps, every, patience, .. } = arguments;
    format!(
        "{width} wide, {layers} layers, rate {rate}, decay {decay}, dropout {dropout}, {steps} steps, every {every}, \
         patience {patience}"
    )
}

fn graph(arguments: &GraphsArguments, name: &str) -> Result<NodeGraph> {
    match name {
        "disease" => return Ok(simulated(DISEASE.0, DISEASE.1)),
        "signs" => {
            let tree = Hierarchy::parse(&text_of(&arguments.tree)?).at(&arguments.tree)?;
            return Ok(script::of_tree(&of_commonest_words(&tree, WORDS)));
        }
        "treebank" => {
            let sentences = treebank::parse(&text_of(&arguments.treebank)?).at(&arguments.treebank)?;
            return Ok(script::of_treebank(&sentences[..sentences.len().min(SENTENCES)]));
        }
        _ => {}
    }
    let folder = arguments.data.join(name);
    let [edges, labels, features] = ["edges.tsv", "labels.tsv", "features.tsv.xz"].map(|file| folder.join(file));
    let graph = NodeGraph::parse(&text_of(&edges)?, &text_of(&labels)?, &text_of(&features)?).at(&folder)?;
    // The features of Cora are the words of a paper, as shares.
    Ok(if name == "cora" { graph.with_shares() } else { graph })
}

fn nodes(data: &Path, name: &str, graph: &NodeGraph, seed: u64) -> Result<NodeSplit> {
    let shares = match name {
        "cora" => {
            let path = data.join(name).join("test.tsv");
            let text = text_of(&path)?;
            let test: std::result::Result<Vec<usize>, _> = text.lines().skip(1).map(str::parse).collect();
            let test = test.map_err(|error| format!("a node to report is no number: {error}")).at(&path)?;
            let split = NodeSplit::planetoid(graph.kinds(), test);
            let far = split.valid.iter().chain(&split.test).copied().max().unwrap_or(0);
            return if far < graph.nodes() {
                Ok(split)
            } else {
                Err(format!("{}: the graph has no node {far}", path.display()).into())
            };
        }
        "disease" => DISEASE_SHARES,
        _ => AIRPORT_SHARES,
    };
    Ok(NodeSplit::of_shares(graph.nodes(), shares, seed))
}

fn learnt(
    arguments: &GraphsArguments,
    graph: &NodeGraph,
    name: &str,
    task: &str,
    network: Network,
    seed: u64,
) -> Result<NodesFound> {
    let GraphsArguments { width, layers, rate, decay, dropout, steps, every, patience, .. } = *arguments;
    let settings = NodeNetworkSettings { features: graph.width, width, layers, kinds: graph.kinds(), seed };
    let plan = NodeTrainingPlan { rate, decay, dropout, steps, every, patience, seed };
    let gradients = Device::flex().autodiff();
    let task = match task {
        "kinds" => Task::Kinds(nodes(&arguments.data, name, graph, seed)?),
        "links" => Task::Links(LinkSplit::of(graph, seed)),
        other => return Err(format!("there is no task {other:?}; there are links and kinds").into()),
    };
    match network {
        Network::Flat => task.learnt(FlatNodes::new(&settings, &gradients), graph, &plan),
        Network::Even => task.learnt(LorentzNodes::new(&settings, false, &gradients), graph, &plan),
        Network::Attending => task.learnt(LorentzNodes::new(&settings, true, &gradients), graph, &plan),
    }
}

enum Task {
    Kinds(NodeSplit),
    Links(LinkSplit),
}

impl Task {
    fn learnt(&self, network: impl NodeNetwork, graph: &NodeGraph, plan: &NodeTrainingPlan) -> Result<NodesFound> {
        let device = Device::flex();
        let found = match self {
            Self::Kinds(split) => block_on(learn_kinds(network, graph, split, plan, &device)),
            Self::Links(split) => block_on(learn_links(network, graph, split, plan, &device)),
        };
        Ok(found.map_err(|error| error.to_string())?)
    }
}

/// Returns the runs of a table, or none if there is no such file.
fn known(path: &Path) -> Result<Vec<GraphRun>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = text_of(path)?;
    let parsed = |line: &str| -> Option<GraphRun> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [graph, task, network, settings, seed, step, valid, test, seconds] = cells[..] else { return None };
        Some(GraphRun {
            of: [graph, task, network, settings].map(str::to_owned),
            seed: seed.parse().ok()?,
            found: NodesFound { step: step.parse().ok()?, valid: valid.parse().ok()?, test: test.parse().ok()? },
            seconds: seconds.parse().ok()?,
        })
    };
    let row = |(number, line): (usize, &str)| {
        parsed(line).ok_or_else(|| format!("{}: line {} is no run", path.display(), number + 1).into())
    };
    text.lines().enumerate().skip(1).map(row).collect()
}

/// Returns a run as a line of the table of runs.
fn row(run: &GraphRun) -> String {
    let GraphRun { of, seed, found, seconds } = run;
    format!("{}\t{seed}\t{}\t{:.4}\t{:.4}\t{seconds:.0}\n", of.join("\t"), found.step, found.valid, found.test)
}

/// Returns the means over the seeds.
fn table(arguments: &GraphsArguments, runs: &[GraphRun]) -> String {
    let settings = settings(arguments);
    let mut out = format!(
        "{}, at most; {}. Percent, means over the seeds with standard deviations: of links the area under the curve, \
         of kinds F1 (of the ill for disease, else the share that is right).\n\n\
         | graph | task | network | held out to stop by | reported | steps | seconds each |\n\
         |---|---|---|---|---|---|---|\n",
        settings,
        named_seeds(&arguments.seeds)
    );
    for graph in &arguments.graphs {
        for task in arguments.tasks_of(graph) {
            for network in Network::ALL {
                let of = [graph.as_str(), task, network.name(), &settings];
                let own: Vec<&GraphRun> =
                    runs.iter().filter(|run| run.of == of && arguments.seeds.contains(&run.seed)).collect();
                let values = |value: &dyn Fn(&GraphRun) -> f64| own.iter().map(|run| value(run)).collect::<Vec<_>>();
                let spread = |value: &dyn Fn(&GraphRun) -> f64| {
                    let values = values(value);
                    format!("{:.1} ± {:.1}", 100.0 * mean(&values), 100.0 * deviation(&values))
                };
                // Writing into a string never fails.
                let _ = writeln!(
                    out,
                    "| {graph} | {task} | {} | {} | {} | {:.0} | {:.0} |",
                    network.name(),
                    spread(&|run| run.found.valid),
                    spread(&|run| run.found.test),
                    mean(&values(&|run| f64::from(run.found.step))),
                    mean(&values(&|run| run.seconds))
                );
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_as_they_were_written() {
        let run = GraphRun {
            of: ["airport", "links", "lorentz, even", "16 wide"].map(str::to_owned),
            seed: 3,
            found: NodesFound { step: 45, valid: 0.9125, test: 0.875 },
            seconds: 12.0,
        };
        let folder = tuppum_testing::TemporaryFolder::new("graphs");
        let path = folder.join("runs.tsv");
        assert_eq!(known(&path).unwrap(), []);
        std::fs::write(&path, format!("{HEADING}{}", row(&run))).unwrap();
        assert_eq!(known(&path).unwrap(), [run]);
        std::fs::write(&path, format!("{HEADING}airport\n")).unwrap();
        assert!(known(&path).is_err_and(|error| error.to_string().contains("line 2 is no run")));
    }
}
