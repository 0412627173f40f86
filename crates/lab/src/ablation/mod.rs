//! `tuppum-lab ablate`: trains the same model in several ways with several seeds, run by run, and measures the gain of
//! each way.
//!
//! Every run has a folder. A finished run is not repeated, an interrupted one continues.

mod plan;
mod report;
mod result;

use clap::Args;
use futures_lite::future::block_on;
use plan::{AblationData, AblationPlan, Arm};
use result::RunResult;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tuppum_cli::device::{DeviceArguments, advise};
use tuppum_cli::failure::{About, Failure, Result};
use tuppum_cli::run_folder::RunFolder;
use tuppum_cli::run_loop::{self, Timing, message};
use tuppum_cli::train::{points_of, translations};
use tuppum_cli::translate;
use tuppum_eval::translation::TranslationCounts;
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, GeometryLevel, HyperbolicBias};
use tuppum_nn::yielding::NeverYields;
use tuppum_train::translator::{TranslatorTrainer, export, validation};
use tuppum_weights::Checksum;

/// Strength of a bias at the start.
const STRENGTH: f32 = 0.1;
/// Time between checkpoints of a run.
const EVERY: Duration = Duration::from_secs(300);

/// Arguments of `tuppum-lab ablate`.
#[derive(Args, Debug)]
pub struct AblateArguments {
    /// The plan, a TOML file.
    plan: PathBuf,
    /// Stop after this many minutes; the same command continues.
    #[arg(long)]
    budget_minutes: Option<f64>,
    /// Only write the tables of the runs that are there.
    #[arg(long)]
    tables_only: bool,
    /// Write a page about the results too.
    #[arg(long)]
    report: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Makes the runs that are missing, then the tables.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &AblateArguments) -> Result<()> {
    let plan = AblationPlan::read(&arguments.plan)?;
    let data = plan.data()?;
    let base = translate::open(&plan.base, true, &arguments.device.open()?)?;
    advise("A smaller batch_bytes in the plan takes less.");
    eprintln!(
        "{} drawn pairs, {} supplementary, {} to measure with; {} runs",
        data.drawn.len(),
        data.supplementary.len(),
        data.validation.len(),
        plan.arms.len() * plan.seeds.len()
    );
    let deadline = arguments.budget_minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
    let shared = Shared { plan: &plan, data: &data, base: &base };
    let mut results = Vec::new();
    for seed in &plan.seeds {
        for arm in &plan.arms {
            let late = arguments.tables_only || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            results.extend(shared.one(arm, *seed, deadline.filter(|_| !late), late)?);
        }
    }
    let unknown = results.iter().filter(|result| result.base.is_none()).count();
    if unknown > 0 {
        let base = plan.base.display();
        eprintln!(
            "{unknown} runs were begun by versions that did not note the base; they are taken for runs from {base}"
        );
    }
    let begun = block_on(validation(&base, &sides(&data), plan.settings.batch_bytes, &NeverYields)).map_err(message)?;
    let tables = result::Tables::of(&results, &begun, &data.texts())?;
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

/// Everything that the runs share.
struct Shared<'p> {
    plan: &'p AblationPlan,
    data: &'p AblationData,
    base: &'p ByT5,
}

/// Identity of a run.
struct Identity {
    /// Checksum of pairs and settings.
    fingerprint: String,
    /// Checksum of the model that it begins with.
    base: String,
}

impl Shared<'_> {
    /// Returns the model that the runs of an arm begin with.
    fn beginning(&self, arm: &Arm) -> Result<ByT5> {
        let mut model = self.base.clone();
        if arm.bias {
            bias(&mut model, self.plan, arm)?;
        }
        Ok(model)
    }

    /// Returns the result of a run, from its folder or by making the run; `None` if there is no time left for it.
    fn one(&self, arm: &Arm, seed: u64, deadline: Option<Instant>, late: bool) -> Result<Option<RunResult>> {
        let path = self.plan.out.join(format!("{}-{seed}", arm.name));
        if self.plan.recipe.is_some() {
            return self.made_by_the_recipe(&path);
        }
        let run = self.plan.run(arm, seed, self.data);
        let mut checksum = Checksum::default();
        let described = serde_json::to_vec(&(arm, &run, &self.data.validation))?;
        checksum.add(&described);
        let model = self.beginning(arm)?;
        let base = block_on(export::checksum(&model)).map_err(message)?;
        let own = Identity { fingerprint: checksum.digits(), base };
        let found = self.found(&path, &own)?;
        if found.is_some() || late {
            return Ok(found);
        }
        eprintln!("{}-{seed}", arm.name);
        let (out, start) = (RunFolder::open(&path)?, Instant::now());
        let is_known = out.begin_with(&own.base, "delete it, or give another folder as out.")?;
        let mut trainer = match run_loop::resume(&out, &model.device(), Some(&model))? {
            Some(trainer) if *trainer.plan() == run => trainer,
            Some(_) => {
                return Err(format!("{} holds a run with other data or settings; delete it", path.display()).into());
            }
            None => TranslatorTrainer::new(&model, run).map_err(message)?,
        };
        run_loop::to_the_end(&mut trainer, &out, Timing { every: EVERY, deadline })?;
        if !trainer.is_finished() {
            return Ok(None);
        }
        let result =
            RunResult { base: is_known.then_some(own.base), ..self.measure(arm, own.fingerprint, &trainer, start)? };
        let json = serde_json::to_vec(&result)?;
        out.write("result.json", &json)?;
        out.forget();
        Ok(Some(result))
    }

    /// Returns the result in a run's folder, if it is there. A result of an older version, which noted neither base nor
    /// translations, counts as a result of this plan.
    fn found(&self, path: &Path, own: &Identity) -> Result<Option<RunResult>> {
        let Some(found) = result::read(path)? else { return Ok(None) };
        let translated = found.translate.unwrap_or(self.plan.translate);
        let other = if found.fingerprint != own.fingerprint {
            "with other data or settings".to_owned()
        } else if found.base.as_ref().is_some_and(|base| *base != own.base) {
            "that began with another base or other points".to_owned()
        } else if translated != self.plan.translate || found.scores.is_some() != (self.plan.translate > 0) {
            format!("that translated another number of pairs than {}", self.plan.translate)
        } else {
            return Ok(Some(found));
        };
        Err(foreign(path, &other))
    }

    /// Returns the result that the recipe left in a run's folder, if it is there. It notes the checksum of the base's
    /// file.
    fn made_by_the_recipe(&self, path: &Path) -> Result<Option<RunResult>> {
        let Some(found) = result::read(path)? else { return Ok(None) };
        let (measured, planned) = (found.validation.bits.len(), self.data.validation.len());
        if measured != planned {
            return Err(foreign(path, &format!("that was measured on {measured} pairs, not on {planned}")));
        }
        let weights = self.plan.base.join("model.safetensors");
        let mut checksum = Checksum::default();
        checksum.add(&std::fs::read(&weights).at(&weights)?);
        if found.base != Some(checksum.digits()) {
            return Err(foreign(path, "that began with another base"));
        }
        Ok(Some(found))
    }

    fn measure(
        &self,
        arm: &Arm,
        fingerprint: String,
        trainer: &TranslatorTrainer,
        start: Instant,
    ) -> Result<RunResult> {
        let Self { plan, data, .. } = self;
        let (model, pairs) = (trainer.model(), sides(data));
        let found = block_on(validation(&model, &pairs, plan.settings.batch_bytes, &NeverYields)).map_err(message)?;
        let scores = match &pairs[..pairs.len().min(plan.translate)] {
            [] => None,
            some => {
                let own = translations(&model, some, 1)?;
                let counts = own.iter().zip(some).map(|(own, (_, reference))| TranslationCounts::of(own, reference));
                Some(counts.collect::<Vec<_>>().iter().collect::<TranslationCounts>().scores())
            }
        };
        let last = trainer.curve().last().copied().unwrap_or_default();
        Ok(RunResult {
            arm: arm.clone(),
            seed: trainer.plan().settings.seed,
            fingerprint,
            base: None,
            translate: Some(plan.translate),
            pairs: trainer.plan().split()[0].len(),
            steps: trainer.done(),
            last_loss: last.loss,
            alpha: last.alpha,
            seconds: start.elapsed().as_secs_f64(),
            validation: found,
            scores,
        })
    }
}

/// Returns the error that a folder holds a run of another plan.
fn foreign(path: &Path, other: &str) -> Failure {
    format!("{} holds a run {other}; delete it, or give another folder as out", path.display()).into()
}

/// Gives a model the bias of an arm.
fn bias(model: &mut ByT5, plan: &AblationPlan, arm: &Arm) -> Result<()> {
    let path = arm.points.as_ref().unwrap_or(&plan.points);
    let mut points = points_of(path)?;
    let curvature = arm.curvature.unwrap_or(1.0);
    if arm.points.is_none() && curvature > 0.0 {
        points.iter_mut().for_each(|x| *x /= curvature.sqrt() as f32);
    }
    let layers = arm.layers.unwrap_or(model.config().geometry_layers);
    let bias = HyperbolicBias::new(points, BALL_DIMENSIONS, STRENGTH, layers, curvature, &model.device());
    let bias = bias.at(path)?;
    model.attach_over(bias, if arm.signs { GeometryLevel::Sign } else { GeometryLevel::Byte });
    Ok(())
}

/// Returns the sources and targets that are measured.
fn sides(data: &AblationData) -> Vec<(&str, &str)> {
    data.validation.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect()
}
