//! `tuppum hybonet signs`: links of the sign tree that were held out, ranked in spaces of few and of many dimensions.

use crate::eval::graph::{Answers, Ranking, ranks};
use crate::model::hybonet::graph::{Geometry, GraphSettings};
use crate::train::graph::adam::Adam;
use crate::train::graph::triples::{Part, Triple};
use crate::train::graph::{Graph, Plan, Trainer, signs};
use crate::train::hierarchy::Hierarchy;
use clap::Args;
use indicatif::ProgressBar;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Between these two lines of the document the command writes.
const BEGIN: &str = "<!-- written by `tuppum hybonet signs`: begin -->";
const END: &str = "<!-- end -->";

#[derive(Args, Debug)]
pub struct SignsArguments {
    /// The tree, as `tuppum assets hierarchy` writes it.
    #[arg(long, default_value = "assets/hierarchy/tree.tsv")]
    tree: PathBuf,
    /// The document whose table is written anew; without it it goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Dimensions to try.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32])]
    dimensions: Vec<usize>,
    /// Passes over the edges, the same for every geometry and dimension.
    #[arg(long, default_value_t = 100)]
    epochs: u32,
    /// Learning rate.
    #[arg(long, default_value_t = 5e-3)]
    rate: f32,
    /// Seed of the edges held out and of the runs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the outcome is the same for any number.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Trains a model for each geometry and dimension and writes the table.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &SignsArguments) -> Result<(), String> {
    let named = |path: &Path, error: String| format!("{}: {error}", path.display());
    let table = std::fs::read_to_string(&arguments.tree).map_err(|error| named(&arguments.tree, error.to_string()))?;
    let tree = Hierarchy::parse(&table).map_err(|error| named(&arguments.tree, error))?;
    let graph = signs::of(&tree, arguments.seed)?;
    // The document is looked at before the minutes are spent.
    let document = match &arguments.out {
        Some(path) => std::fs::read_to_string(path).map_err(|error| named(path, error.to_string()))?,
        None => format!("{BEGIN}\n{END}\n"),
    };
    let (before, rest) =
        document.split_once(BEGIN).ok_or_else(|| format!("the document must have the line {BEGIN:?}"))?;
    let (_, after) =
        rest.split_once(END).ok_or_else(|| format!("the document must have the line {END:?} after {BEGIN:?}"))?;
    let written = tables(arguments, &graph)?;
    match &arguments.out {
        Some(path) => std::fs::write(path, format!("{before}{BEGIN}\n\n{written}\n{END}{after}"))
            .map_err(|error| named(path, error.to_string())),
        None => crate::cli::restore::print(&written),
    }
}

/// The table, with a line on how it was made.
fn tables(arguments: &SignsArguments, graph: &Graph) -> Result<String, String> {
    let (answers, test) = (graph.answers(), graph.both_ways(Part::Test));
    let mut out = format!(
        "{} signs, readings and words, {} edges to learn from, {} held out to report; {} epochs, learning rate {}, seed {}.\n\n\
         | geometry | dimension | MRR | H@1 | H@10 | sign of a reading | readings of a sign | words of a reading | readings in a word | minutes |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        graph.entities.len(),
        graph.train.len(),
        graph.test.len(),
        arguments.epochs,
        arguments.rate,
        arguments.seed
    );
    let geometries = [Geometry::Lorentz, Geometry::Poincare, Geometry::Euclidean];
    let length = u64::from(arguments.epochs) * (arguments.dimensions.len() * geometries.len()) as u64;
    let bar = ProgressBar::new(length);
    for geometry in geometries {
        for dimension in &arguments.dimensions {
            let begun = Instant::now();
            let mut trainer = Trainer::new(plan(arguments, geometry, *dimension), graph)?;
            for _ in 0..arguments.epochs {
                trainer.run_epoch(arguments.threads, |_| ())?;
                bar.inc(1);
            }
            let row = row(&trainer, &test, &answers, arguments.threads);
            let minutes = begun.elapsed().as_secs_f64() / 60.0;
            // Writing into a string never fails.
            let _ = writeln!(out, "| {geometry} | {dimension} | {row} | {minutes:.1} |");
        }
    }
    bar.finish_and_clear();
    Ok(out)
}

fn plan(arguments: &SignsArguments, geometry: Geometry, dimension: usize) -> Plan {
    let model = if geometry == Geometry::Lorentz { GraphSettings::default() } else { GraphSettings::control(geometry) };
    Plan {
        model: GraphSettings { dimension, ..model },
        adam: Adam { rate: arguments.rate, ..Adam::default() },
        epochs: arguments.epochs,
        seed: arguments.seed,
        ..Plan::default()
    }
}

/// Figures over all edges held out, and the mean reciprocal rank of each kind of question.
fn row(trainer: &Trainer, test: &[Triple], answers: &Answers, threads: usize) -> String {
    let ranks = ranks(&trainer.model, test, answers, threads);
    let all = Ranking::of(&ranks);
    // Relations: has the reading, stands in the word, and the inverses of both.
    let kind = |relation: u32| {
        let own: Vec<f64> =
            test.iter().zip(&ranks).filter(|(triple, _)| triple.relation == relation).map(|(_, rank)| *rank).collect();
        if own.is_empty() { "–".to_string() } else { format!("{:.1}", Ranking::of(&own).mrr) }
    };
    let kinds = [2, 0, 1, 3].map(kind).join(" | ");
    format!("{:.1} | {:.1} | {:.1} | {kinds}", all.mrr, all.hits_1, all.hits_10)
}
