//! `tuppum ablate`: the same model trained in several ways with several seeds, run by run, and how much each way brings.
//!
//! Every run has a folder; a run whose result is there is not made again, one that was cut goes on.

mod gain;
mod plan;
mod report;
mod table;

use super::run_folder::RunFolder;
use super::train::{folder, points_of, said, to_the_end, translations};
use super::translate;
use crate::eval::translation::{Counts, Scores};
use crate::model::byt5::{BALL_DIMENSIONS, ByT5, Geometry, GeometryLevel};
use crate::model::pace::Unpaced;
use crate::model::translation::training::Validation;
use crate::train::translator::{Trainer, validation};
use crate::weights::Checksum;
use burn::tensor::Device;
use clap::Args;
use futures_lite::future::block_on;
use plan::{AblationPlan, Arm, Data};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Strength of a bias at the start.
const STRENGTH: f32 = 0.1;
/// How often a run is kept.
const EVERY: Duration = Duration::from_secs(300);

/// Arguments of `tuppum ablate`.
#[derive(Args, Debug)]
pub struct AblateArguments {
    /// The plan, a TOML file.
    plan: PathBuf,
    /// Stop after this many minutes; the same command goes on.
    #[arg(long)]
    budget_minutes: Option<f64>,
    /// Only write the tables of the runs that are there.
    #[arg(long)]
    tables_only: bool,
    /// Write a page about the results too.
    #[arg(long)]
    report: Option<PathBuf>,
}

/// What one run came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// How it was trained.
    pub arm: Arm,
    /// With which seed.
    pub seed: u64,
    /// Checksum of pairs and settings.
    pub fingerprint: String,
    /// Pairs that it trained with.
    pub pairs: usize,
    /// Steps.
    pub steps: u32,
    /// Loss of the last step.
    pub last_loss: f32,
    /// Strength of the bias in the last step.
    pub alpha: Option<f32>,
    /// Seconds of the sitting that ended it.
    pub seconds: f64,
    /// What it foretells of the validation pairs.
    pub validation: Validation,
    /// How well it translates some of them, where that was asked for.
    pub scores: Option<Scores>,
}

/// Makes the runs that are missing, then the tables.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &AblateArguments) -> Result<(), String> {
    let plan = AblationPlan::read(&arguments.plan)?;
    let data = plan.data()?;
    let base = translate::open(&plan.base, true)?;
    eprintln!(
        "{} drawn pairs, {} supplementary, {} to measure with; {} runs",
        data.drawn.len(),
        data.supplementary.len(),
        data.validation.len(),
        plan.arms.len() * plan.seeds.len()
    );
    let deadline = arguments.budget_minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
    let mut results = Vec::new();
    for seed in &plan.seeds {
        for arm in &plan.arms {
            let late = arguments.tables_only || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            results.extend(one(&plan, arm, *seed, &data, &base, deadline.filter(|_| !late), late)?);
        }
    }
    let begun = block_on(validation(&base, &texts(&data), plan.settings.batch_bytes, &Unpaced))
        .map_err(|error| said(&error))?;
    let tables = table::Tables::of(&results, &begun)?;
    let out = RunFolder::open(&plan.out)?;
    out.write("results.tsv", tables.runs.as_bytes())?;
    out.write("comparisons.tsv", tables.comparisons.as_bytes())?;
    out.write("ablation.json", tables.json.as_bytes())?;
    if let Some(path) = &arguments.report {
        report::write(path, &arguments.plan, &plan, &data, &results, &tables)?;
    }
    let of = plan.arms.len() * plan.seeds.len();
    println!(
        "{}\n{}\n{} of {of} runs are done; tables in {}",
        tables.runs,
        tables.comparisons,
        results.len(),
        plan.out.display()
    );
    Ok(())
}

/// One run: its result where it is there, or made now; `None` when there is no time left for it.
fn one(
    plan: &AblationPlan,
    arm: &Arm,
    seed: u64,
    data: &Data,
    base: &ByT5,
    deadline: Option<Instant>,
    late: bool,
) -> Result<Option<RunResult>, String> {
    let run = plan.run(arm, seed, data);
    let mut checksum = Checksum::default();
    let described = serde_json::to_vec(&(arm, &run, &data.validation)).map_err(|error| error.to_string())?;
    checksum.add(&described);
    let fingerprint = checksum.digits();
    let path = plan.out.join(format!("{}-{seed}", arm.name));
    if let Ok(json) = std::fs::read(path.join("result.json")) {
        let found: RunResult = serde_json::from_slice(&json).map_err(|error| {
            format!("{}/result.json: {error}; delete the folder to make the run again", path.display())
        })?;
        return if found.fingerprint == fingerprint {
            Ok(Some(found))
        } else {
            Err(format!(
                "{} holds a run with other data or settings; delete it, or give another folder as out",
                path.display()
            ))
        };
    }
    if late {
        return Ok(None);
    }
    eprintln!("{}-{seed}", arm.name);
    let (out, start) = (RunFolder::open(&path)?, Instant::now());
    let mut trainer = match folder::resume(&out, &Device::flex(), Some(base))? {
        Some(trainer) if *trainer.plan() == run => trainer,
        Some(_) => return Err(format!("{} holds a run with other data or settings; delete it", path.display())),
        None => {
            let mut model = base.clone();
            if arm.bias {
                bias(&mut model, plan, arm)?;
            }
            Trainer::new(&model, run).map_err(|error| said(&error))?
        }
    };
    to_the_end(&mut trainer, &out, EVERY, deadline)?;
    if !trainer.is_finished() {
        return Ok(None);
    }
    let result = measure(plan, arm, seed, fingerprint, data, &trainer, start)?;
    let json = serde_json::to_vec(&result).map_err(|error| error.to_string())?;
    out.write("result.json", &json)?;
    out.forget();
    Ok(Some(result))
}

fn measure(
    plan: &AblationPlan,
    arm: &Arm,
    seed: u64,
    fingerprint: String,
    data: &Data,
    trainer: &Trainer,
    start: Instant,
) -> Result<RunResult, String> {
    let (model, texts) = (trainer.model(), texts(data));
    let found =
        block_on(validation(&model, &texts, plan.settings.batch_bytes, &Unpaced)).map_err(|error| said(&error))?;
    let scores = match &texts[..texts.len().min(plan.translate)] {
        [] => None,
        some => {
            let own = translations(&model, some, 1)?;
            let counts = own.iter().zip(some).map(|(own, (_, reference))| Counts::of(own, reference));
            Some(counts.collect::<Vec<_>>().iter().collect::<Counts>().scores())
        }
    };
    let last = trainer.curve().last().copied().unwrap_or_default();
    Ok(RunResult {
        arm: arm.clone(),
        seed,
        fingerprint,
        pairs: trainer.plan().split()[0].len(),
        steps: trainer.done(),
        last_loss: last.loss,
        alpha: last.alpha,
        seconds: start.elapsed().as_secs_f64(),
        validation: found,
        scores,
    })
}

/// Gives a model the bias of an arm.
fn bias(model: &mut ByT5, plan: &AblationPlan, arm: &Arm) -> Result<(), String> {
    let path = arm.points.as_ref().unwrap_or(&plan.points);
    let mut points = points_of(path)?;
    let curvature = arm.curvature.unwrap_or(1.0);
    if arm.points.is_none() && curvature > 0.0 {
        points.iter_mut().for_each(|x| *x /= curvature.sqrt() as f32);
    }
    let layers = arm.layers.unwrap_or(model.config().geometry_layers);
    let bias = Geometry::new(points, BALL_DIMENSIONS, STRENGTH, layers, curvature, &model.device());
    let bias = bias.map_err(|problem| format!("{}: {problem}", path.display()))?;
    model.attach_over(bias, if arm.signs { GeometryLevel::Sign } else { GeometryLevel::Byte });
    Ok(())
}

fn texts(data: &Data) -> Vec<(&str, &str)> {
    data.validation.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect()
}
