//! `tuppum-lab hybonet signs`: links of the sign tree that were held out, ranked in spaces of few and of many
//! dimensions.

use crate::document::{DocumentSection, deviation, mean, named_seeds};
use clap::Args;
use indicatif::ProgressBar;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::hierarchy::Hierarchy;
use tuppum_hyperbolic::graph::{GraphGeometry, GraphModel, GraphSettings};
use tuppum_hyperbolic::graph_training::adam::Adam;
use tuppum_hyperbolic::graph_training::triples::{GraphSplit, Triple};
use tuppum_hyperbolic::graph_training::{GraphTrainer, GraphTrainingPlan, KnowledgeGraph, signs};
use tuppum_hyperbolic::ranks::{Ranking, rank_of, ranks};

/// Epochs between measurements on the validation edges.
const MEASURED: u32 = 20;
/// The relations in the order of the table: from a reading to its sign, from a sign to its readings, from a reading to
/// words, from a word to its readings. Those over 1 are inverse.
const QUESTIONS: [u32; 4] = [2, 0, 1, 3];

#[derive(Args, Debug)]
pub struct SignsArguments {
    /// The tree, as `tuppum-lab assets hierarchy` writes it.
    #[arg(long, default_value = "assets/hierarchy/tree.tsv")]
    tree: PathBuf,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Dimensions to try.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16, 32])]
    dimensions: Vec<usize>,
    /// Number of words to keep, the commonest first [default: all].
    #[arg(long)]
    words: Option<usize>,
    /// Edges in a batch.
    #[arg(long, default_value_t = 1_000)]
    batch: usize,
    /// Passes over the edges, the same for every geometry and dimension.
    #[arg(long, default_value_t = 100)]
    epochs: u32,
    /// Learning rate.
    #[arg(long, default_value_t = 5e-3)]
    rate: f32,
    /// Seeds, each of other edges held out and of another run; the table gives means, and the spread of the first
    /// figure.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
    /// Threads; the outcome is the same for any number.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Trains a model for each geometry and dimension and writes the table.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &SignsArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "signs")?;
    let table = std::fs::read_to_string(&arguments.tree).at(&arguments.tree)?;
    let mut tree = Hierarchy::parse(&table).at(&arguments.tree)?;
    if let Some(words) = arguments.words {
        tree = signs::of_commonest_words(&tree, words);
    }
    let of_seed = |seed: &u64| Ok((*seed, signs::of(&tree, *seed)?));
    let graphs = arguments.seeds.iter().map(of_seed).collect::<Result<Vec<_>>>()?;
    place.fill(&tables(arguments, &graphs)?)
}

/// Returns the table, with a line on how it was made.
fn tables(arguments: &SignsArguments, graphs: &[(u64, KnowledgeGraph)]) -> Result<String> {
    let (_, graph) = graphs.first().ok_or("there is no seed; give at least one by --seeds")?;
    let mut out = format!(
        "{} signs, readings and words, {} edges to learn from, {} held out to choose the epoch by, {} to report; up to \
         {} epochs, batches of {}, learning rate {}, {}. Figures in percent, means over the seeds, with standard \
         deviations where there are several. \"Learnt\" is the MRR of the edges that were learnt, after the last \
         epoch; \"frequency\" ranks tails by how many edges of the relation they have.\n\n\
         | geometry | dimension | MRR | H@1 | H@10 | sign of a reading | readings of a sign | words of a reading | \
         readings in a word | learnt | minutes each |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
        graph.entities.len(),
        graph.train.len(),
        graph.valid.len(),
        graph.test.len(),
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        named_seeds(&arguments.seeds)
    );
    let frequency: Vec<Figures> = graphs.iter().map(|(_, graph)| by_frequency(graph)).collect();
    // Writing into a string never fails.
    let _ = writeln!(out, "| frequency | – | {} | – |", row(&frequency));
    let geometries = [GraphGeometry::Lorentz, GraphGeometry::Poincare, GraphGeometry::Euclidean];
    let models = arguments.dimensions.len() * geometries.len() * graphs.len();
    let bar = ProgressBar::new(u64::from(arguments.epochs) * models as u64);
    for dimension in &arguments.dimensions {
        for geometry in geometries {
            let begun = Instant::now();
            let mut found = Vec::new();
            for (seed, graph) in graphs {
                let figures = measured(arguments, &plan(arguments, geometry, *dimension, *seed), graph, &bar)?;
                let line = format!("{geometry}, {dimension} dimensions, seed {seed}: {}", row(&[figures]));
                // A hidden bar, as in the background, would swallow the line.
                bar.suspend(|| eprintln!("{line}"));
                found.push(figures);
            }
            let minutes = begun.elapsed().as_secs_f64() / 60.0 / found.len().max(1) as f64;
            let _ = writeln!(out, "| {geometry} | {dimension} | {} | {minutes:.1} |", row(&found));
        }
    }
    bar.finish_and_clear();
    Ok(out)
}

fn plan(arguments: &SignsArguments, geometry: GraphGeometry, dimension: usize, seed: u64) -> GraphTrainingPlan {
    let model =
        if geometry == GraphGeometry::Lorentz { GraphSettings::default() } else { GraphSettings::control(geometry) };
    GraphTrainingPlan {
        model: GraphSettings { dimension, ..model },
        adam: Adam { rate: arguments.rate, ..Adam::default() },
        epochs: arguments.epochs,
        batch: arguments.batch,
        seed,
        ..GraphTrainingPlan::default()
    }
}

/// MRR, H@1, H@10 over all held-out edges, the MRR of each kind of question, and the MRR of the learnt edges.
type Figures = [f64; 8];

/// Returns the figures of a run, at the epoch that was best on the validation edges.
fn measured(
    arguments: &SignsArguments,
    plan: &GraphTrainingPlan,
    graph: &KnowledgeGraph,
    bar: &ProgressBar,
) -> Result<Figures> {
    let mut trainer = GraphTrainer::new(*plan, graph)?;
    let (valid, test, answers) =
        (graph.both_ways(GraphSplit::Valid), graph.both_ways(GraphSplit::Test), graph.answers());
    let ranked = |model: &GraphModel, triples: &[Triple]| ranks(model, triples, &answers, arguments.threads);
    let (mut best, mut figures) = (f64::NEG_INFINITY, [f64::NAN; 8]);
    for epoch in 1..=plan.epochs {
        trainer.run_epoch(arguments.threads, |_| ())?;
        bar.inc(1);
        if epoch % MEASURED == 0 || epoch == plan.epochs {
            let mrr = Ranking::of(&ranked(&trainer.model, &valid)).mrr;
            if mrr > best {
                (best, figures) = (mrr, of_ranks(&test, &ranked(&trainer.model, &test)));
            }
        }
    }
    figures[7] = Ranking::of(&ranked(&trainer.model, &graph.both_ways(GraphSplit::Train))).mrr;
    Ok(figures)
}

fn of_ranks(triples: &[Triple], ranks: &[f64]) -> Figures {
    let all = Ranking::of(ranks);
    let [a, b, c, d] = QUESTIONS.map(|relation| {
        let own = triples.iter().zip(ranks).filter(|(triple, _)| triple.relation == relation);
        let own: Vec<f64> = own.map(|(_, rank)| *rank).collect();
        if own.is_empty() { f64::NAN } else { Ranking::of(&own).mrr }
    });
    [all.mrr, all.hits_1, all.hits_10, a, b, c, d, f64::NAN]
}

/// Returns the figures of ranking tails by the number of their edges of the relation.
fn by_frequency(graph: &KnowledgeGraph) -> Figures {
    let (test, train, answers) =
        (graph.both_ways(GraphSplit::Test), graph.both_ways(GraphSplit::Train), graph.answers());
    let mut counts = vec![vec![0.0; graph.entities.len()]; 2 * graph.relations.len()];
    train.iter().for_each(|triple| counts[triple.relation as usize][triple.tail as usize] += 1.0);
    let rank = |triple: &Triple| rank_of(triple, &counts[triple.relation as usize], &answers);
    let mut figures = of_ranks(&test, &test.iter().map(rank).collect::<Vec<_>>());
    figures[7] = Ranking::of(&train.iter().map(rank).collect::<Vec<_>>()).mrr;
    figures
}

/// Returns the means of some runs' figures as cells.
fn row(runs: &[Figures]) -> String {
    let cell = |at: usize| {
        let own: Vec<f64> = runs.iter().map(|run| run[at]).collect();
        let mean = mean(&own);
        let spread = [0, 7].contains(&at) && runs.len() > 1;
        match spread {
            _ if mean.is_nan() => "–".to_string(),
            true => format!("{mean:.1} ± {:.1}", deviation(&own)),
            false => format!("{mean:.1}"),
        }
    };
    (0..8).map(cell).collect::<Vec<_>>().join(" | ")
}
