//! `tuppum-lab hybonet kg`: knowledge-graph completion, trained in epochs and continued from its folder.
//!
//! A knowledge graph on disk is `train`, `valid` and `test` in a folder, each `.tsv` or `.tsv.xz`.

mod checkpoint;
pub mod signs;

use checkpoint::GraphProgress;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use thiserror::Error;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::error::CorpusError;
use tuppum_corpus::signs_file::text_of;
use tuppum_hyperbolic::graph::{GraphGeometry, GraphModel, GraphSettings};
use tuppum_hyperbolic::graph_training::triples::{Answers, GraphError, GraphSplit, Triple};
use tuppum_hyperbolic::graph_training::{GraphTrainer, GraphTrainingPlan, KnowledgeGraph};
use tuppum_hyperbolic::ranks::{Ranking, ranks, with_heads};

/// Minutes between checkpoints.
const CHECKPOINT_MINUTES: f32 = 3.0;

#[derive(Args, Debug)]
pub struct KgArguments {
    /// Folder of the graph: train, valid and test, each .tsv or .tsv.xz, a triple a line.
    #[arg(long)]
    data: PathBuf,
    /// Folder for the run: its plan, its checkpoint, its best model and its curve. A run in it continues.
    #[arg(long)]
    out: PathBuf,
    /// Data set of the paper whose settings hold where none are given.
    #[arg(long, value_enum, default_value_t = Paper::Wn18rr)]
    plan: Paper,
    /// Space of the points, and the way in which a relation moves them. All but the first are controls: as in MuRP,
    /// RotH, AttH and MuRE.
    #[arg(long, value_enum, default_value_t = Space::Lorentz)]
    geometry: Space,
    /// Space-like coordinates of a point.
    #[arg(long)]
    dimension: Option<usize>,
    /// Curvature, a negative number.
    #[arg(long, allow_hyphen_values = true)]
    curvature: Option<f32>,
    /// λ, how far queries reach.
    #[arg(long)]
    scale: Option<f32>,
    /// δ, the score of a tail on its query.
    #[arg(long)]
    margin: Option<f32>,
    /// Maximum length of the space-like part of a point; 0 for no bound.
    #[arg(long)]
    reach: Option<f32>,
    /// Learning rate.
    #[arg(long)]
    rate: Option<f32>,
    /// Share of the epochs at the end over which the learning rate falls to zero.
    #[arg(long)]
    decay: Option<f32>,
    /// Passes over the triples.
    #[arg(long)]
    epochs: Option<u32>,
    /// Triples in a batch.
    #[arg(long)]
    batch: Option<usize>,
    /// False tails for each triple.
    #[arg(long)]
    false_tails: Option<usize>,
    /// Draw any entity as a false tail, also one that is the tail of another triple to learn from.
    #[arg(long, conflicts_with = "leak")]
    any_tails: bool,
    /// Draw no false tail that is true by any triple, also by the triples to validate and to test by, as the published
    /// program does for WN18RR. The run then learns something of what it will be asked for, so its figures compare with
    /// those of that program only.
    #[arg(long)]
    leak: bool,
    /// Amount taken from the true tail's 1 and shared out among the false ones.
    #[arg(long)]
    smoothing: Option<f32>,
    /// Seed of the run.
    #[arg(long)]
    seed: Option<u64>,
    /// Stop after this many minutes, all sessions of the run together; it can continue later.
    #[arg(long)]
    budget_minutes: Option<f32>,
    /// Number of epochs between measurements on the validation triples.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Threads; the outcome is the same for any number.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// The graphs that the paper gives settings for.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Paper {
    Wn18rr,
    Fb15k237,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Space {
    Lorentz,
    Poincare,
    Roth,
    Atth,
    Euclidean,
}

impl KgArguments {
    fn plan(&self) -> GraphTrainingPlan {
        let mut plan = match self.plan {
            Paper::Wn18rr => GraphTrainingPlan::wn18rr(),
            Paper::Fb15k237 => GraphTrainingPlan::fb15k237(),
        };
        plan.model.geometry = match self.geometry {
            Space::Lorentz => GraphGeometry::Lorentz,
            Space::Poincare => GraphGeometry::Poincare,
            Space::Roth => GraphGeometry::RotH,
            Space::Atth => GraphGeometry::AttH,
            Space::Euclidean => GraphGeometry::Euclidean,
        };
        if plan.model.geometry != GraphGeometry::Lorentz {
            plan.model = GraphSettings::control(plan.model.geometry);
        }
        let model = &mut plan.model;
        set(&mut model.dimension, self.dimension);
        set(&mut model.curvature, self.curvature);
        set(&mut model.scale, self.scale);
        set(&mut model.margin, self.margin);
        set(&mut model.reach, self.reach);
        set(&mut plan.adam.rate, self.rate);
        set(&mut plan.decay, self.decay);
        set(&mut plan.epochs, self.epochs);
        set(&mut plan.batch, self.batch);
        set(&mut plan.false_tails, self.false_tails);
        set(&mut plan.smoothing, self.smoothing);
        set(&mut plan.seed, self.seed);
        plan.truly_false = (plan.truly_false || self.leak) && !self.any_tails;
        plan.leak = self.leak;
        plan
    }
}

fn set<T: Copy>(place: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *place = given;
    }
}

/// Trains until the plan or the budget is at its end, then ranks the test triples with the best model.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &KgArguments) -> Result<()> {
    let plan = arguments.plan();
    plan.check()?;
    let graph = read_graph(&arguments.data)?;
    let folder = Folder { path: arguments.out.clone() };
    let mut trainer = GraphTrainer::new(plan, &graph)?;
    let mut progress = folder.open(&mut trainer)?;
    eprintln!(
        "{} entities, {} relations, {} triples to learn from; {}.",
        graph.entities.len(),
        graph.relations.len(),
        graph.train.len(),
        if progress.epoch == 0 { "a new run".into() } else { format!("going on after epoch {}", progress.epoch) }
    );
    let answers = graph.answers();
    train(
        arguments,
        &folder,
        &mut trainer,
        &mut progress,
        &Judge::of(&graph, GraphSplit::Valid, &answers, arguments.threads),
    )?;
    if progress.best_epoch > 0 {
        folder.read_best(&mut trainer.model)?;
    }
    let measure = |answers| Judge::of(&graph, GraphSplit::Test, answers, arguments.threads).measure(&trainer.model);
    let (measured, published) = (measure(&answers), measure(&with_heads(&answers)));
    let whole = progress.epoch >= plan.epochs;
    folder.write_result(&plan, &progress, [&measured, &published])?;
    println!(
        "{} in {} dimensions, seed {}, {} of {} epochs, {:.0} minutes; best on the validation triples after epoch {}",
        plan.model.geometry,
        plan.model.dimension,
        plan.seed,
        progress.epoch,
        plan.epochs,
        progress.minutes,
        progress.best_epoch
    );
    if plan.leak {
        println!("What is asked for was never drawn as a false tail (--leak): the run knew more than it should.");
    }
    println!("test, filtered: {}", figures(&measured));
    println!("test, filtered, and a triple's own head never ranked, as the paper measures: {}", figures(&published));
    if !whole {
        println!("The plan is not at its end: the same command with a larger budget goes on.");
    }
    Ok(())
}

/// Trains the remaining epochs.
fn train(
    arguments: &KgArguments,
    folder: &Folder,
    trainer: &mut GraphTrainer,
    progress: &mut GraphProgress,
    judge: &Judge,
) -> Result<()> {
    let (begun, before) = (Instant::now(), progress.minutes);
    let budget = arguments.budget_minutes.unwrap_or(f32::INFINITY);
    let epochs = trainer.plan.epochs;
    let bar = bar(u64::from(epochs) * trainer.triples() as u64, u64::from(progress.epoch) * trainer.triples() as u64);
    let mut saved = before;
    while trainer.epoch < epochs && progress.minutes < budget {
        let loss = trainer.run_epoch(arguments.threads, |triples| bar.inc(triples as u64))?;
        progress.epoch = trainer.epoch;
        let minutes = || before + begun.elapsed().as_secs_f32() / 60.0;
        let last = trainer.epoch == epochs || minutes() >= budget;
        if trainer.epoch.is_multiple_of(arguments.every) || last {
            let measured = judge.measure(&trainer.model);
            if measured.mrr as f32 > progress.best {
                (progress.best, progress.best_epoch) = (measured.mrr as f32, trainer.epoch);
                folder.write_best(&mut trainer.model)?;
            }
            progress.minutes = minutes();
            folder.add_to_curve(progress, loss, &measured)?;
            let (epoch, minutes) = (trainer.epoch, progress.minutes);
            let line =
                format!("epoch {epoch}, {minutes:.1} minutes: loss {loss:.5}, validation {}", figures(&measured));
            // A hidden bar, as in the background, would swallow the line.
            bar.suspend(|| eprintln!("{line}"));
        }
        progress.minutes = minutes();
        if last || progress.minutes - saved > CHECKPOINT_MINUTES {
            folder.write_checkpoint(trainer, progress)?;
            saved = progress.minutes;
        }
        bar.set_message(format!("epoch {}/{epochs}, loss {loss:.5}, best {:.2}", trainer.epoch, progress.best));
    }
    bar.finish_and_clear();
    Ok(())
}

fn bar(length: u64, position: u64) -> ProgressBar {
    let template = "{wide_bar} {msg}, {per_sec} triples, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(length).with_style(style).with_position(position);
    bar.reset_eta();
    bar
}

fn figures(ranking: &Ranking) -> String {
    format!(
        "MRR {:.2}, H@1 {:.2}, H@3 {:.2}, H@10 {:.2} ({} questions)",
        ranking.mrr, ranking.hits_1, ranking.hits_3, ranking.hits_10, ranking.questions
    )
}

/// Ranks the triples of one part, both ways.
struct Judge<'a> {
    triples: Vec<Triple>,
    answers: &'a Answers,
    threads: usize,
}

impl<'a> Judge<'a> {
    fn of(graph: &KnowledgeGraph, part: GraphSplit, answers: &'a Answers, threads: usize) -> Self {
        Self { triples: graph.both_ways(part), answers, threads }
    }

    fn measure(&self, model: &GraphModel) -> Ranking {
        Ranking::of(&ranks(model, &self.triples, self.answers, self.threads))
    }
}

/// The folder of a run.
struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Continues the run in the folder, or begins one.
    fn open(&self, trainer: &mut GraphTrainer) -> Result<GraphProgress> {
        std::fs::create_dir_all(&self.path).cannot("be made", &self.path)?;
        let (plan, checkpoint) = (self.path.join("plan.json"), self.path.join("checkpoint.safetensors"));
        let own = serde_json::to_string_pretty(&trainer.plan)?;
        if !checkpoint.is_file() {
            std::fs::write(&plan, own + "\n").cannot("be written", &plan)?;
            return Ok(GraphProgress::default());
        }
        let text = std::fs::read_to_string(&plan).cannot("be read", &plan)?;
        let found: GraphTrainingPlan = serde_json::from_str(&text).cannot("be read", &plan)?;
        // More or fewer epochs make the same run, unless the learning rate falls towards the last of them.
        let epochs = if found.decay == 0.0 { trainer.plan.epochs } else { found.epochs };
        if (GraphTrainingPlan { epochs, ..found }) != trainer.plan {
            return Err(format!(
                "{} holds a run with other settings: {}. Give the same ones to go on with it, or another folder by \
                 --out.",
                self.path.display(),
                difference(&serde_json::to_string_pretty(&found)?, &own)
            )
            .into());
        }
        let progress = checkpoint::read(&checkpoint, trainer)?;
        std::fs::write(&plan, own + "\n").cannot("be written", &plan)?;
        Ok(progress)
    }

    fn write_checkpoint(&self, trainer: &mut GraphTrainer, progress: &GraphProgress) -> Result<()> {
        Ok(checkpoint::write(&self.path.join("checkpoint.safetensors"), trainer, progress)?)
    }

    fn write_best(&self, model: &mut GraphModel) -> Result<()> {
        Ok(checkpoint::write_model(&self.path.join("best.safetensors"), model)?)
    }

    fn read_best(&self, model: &mut GraphModel) -> Result<()> {
        Ok(checkpoint::read_model(&self.path.join("best.safetensors"), model)?)
    }

    fn add_to_curve(&self, progress: &GraphProgress, loss: f64, ranking: &Ranking) -> Result<()> {
        let path = self.path.join("curve.tsv");
        let new = !path.is_file();
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).cannot("be written", &path)?;
        if new {
            writeln!(file, "epoch\tminutes\tloss\tmrr\thits_1\thits_3\thits_10").cannot("be written", &path)?;
        }
        let Ranking { mrr, hits_1, hits_3, hits_10, .. } = ranking;
        let (epoch, minutes) = (progress.epoch, progress.minutes);
        writeln!(file, "{epoch}\t{minutes:.2}\t{loss:.6}\t{mrr:.3}\t{hits_1:.3}\t{hits_3:.3}\t{hits_10:.3}")
            .cannot("be written", &path)
    }

    fn write_result(
        &self,
        plan: &GraphTrainingPlan,
        progress: &GraphProgress,
        [test, published]: [&Ranking; 2],
    ) -> Result<()> {
        let path = self.path.join("result.json");
        let result = serde_json::json!({
            "plan": plan, "epochs": progress.epoch, "minutes": progress.minutes, "best_epoch": progress.best_epoch,
            "valid_mrr": progress.best, "test": test,
            "test_without_heads": published,
        });
        let text = serde_json::to_string_pretty(&result)?;
        std::fs::write(&path, text + "\n").cannot("be written", &path)
    }
}

/// Returns the first line in which two plans differ.
fn difference(there: &str, here: &str) -> String {
    let lines = there.lines().zip(here.lines()).find(|(there, here)| there.trim() != here.trim());
    lines.map_or_else(String::new, |(there, here)| {
        format!("{} there, {} here", there.trim().trim_end_matches(','), here.trim().trim_end_matches(','))
    })
}

/// Reason why a folder has no graph.
#[derive(Debug, Error)]
enum GraphFilesError {
    /// A table is missing.
    #[error(
        "{} has no file {part}.tsv or {part}.tsv.xz. A knowledge graph is a folder with the tables train, valid and \
         test.",
        .folder.display()
    )]
    NoTable {
        /// The folder.
        folder: PathBuf,
        /// The part whose table is missing.
        part: GraphSplit,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] CorpusError),
    /// The tables are no graph.
    #[error("{}: {error}", .folder.display())]
    Graph {
        /// The folder.
        folder: PathBuf,
        /// Problem of the tables.
        error: GraphError,
    },
}

/// Reads a folder.
///
/// # Errors
/// [`GraphFilesError`] names folder or file, and the line that is wrong, if any.
fn read_graph(folder: &Path) -> Result<KnowledgeGraph, GraphFilesError> {
    let mut texts = Vec::new();
    for part in [GraphSplit::Train, GraphSplit::Valid, GraphSplit::Test] {
        let plain = folder.join(format!("{part}.tsv"));
        let packed = folder.join(format!("{part}.tsv.xz"));
        let path = if plain.is_file() { plain } else { packed };
        if !path.is_file() {
            return Err(GraphFilesError::NoTable { folder: folder.to_owned(), part });
        }
        texts.push(text_of(&path)?);
    }
    let table = |at: usize| texts.get(at).map_or("", String::as_str);
    KnowledgeGraph::parse([(GraphSplit::Train, table(0)), (GraphSplit::Valid, table(1)), (GraphSplit::Test, table(2))])
        .map_err(|error| GraphFilesError::Graph { folder: folder.to_owned(), error })
}
