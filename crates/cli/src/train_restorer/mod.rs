//! `tuppum train-restorer`: fine-tunes the restorer on texts without translation, from a folder and into a folder; an
//! interrupted run continues.

mod report;

use super::restore::open;
use super::run_folder::RunFolder;
use super::run_loop::{self, Timing, message};
use super::run_settings::{RunArguments, RunSettings};
use super::{folder_task, input, run_memory};
use crate::device::{DeviceArguments, advise};
use crate::failure::Result;
use clap::Args;
use futures_lite::future::block_on;
use std::path::{Path, PathBuf};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_domain::restoration::texts::{Text, texts};
use tuppum_domain::restoration::training::{RestorationValidation, RestorerTrainingPlan, RestorerTrainingSettings};
use tuppum_eval::restoration::{RATE, RestorerComparison, SEED, choose, paired};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::SAMPLES;
use tuppum_nn::torso::Torso;
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_train::restorer::{RestorerTrainer, export, measure};
use tuppum_train::sequences::TextGatherer;
use tuppum_weights::Model;

/// Arguments of `tuppum train-restorer`.
#[derive(Args, Debug)]
pub struct TrainRestorerArguments {
    /// Texts to train with: corpora of signs (`*_signs.tsv`, also packed by xz, or folders of them), or plain files of
    /// transliterations, in which a line such as &P361583, or else an empty line, begins a text.
    #[arg(required = true)]
    texts: Vec<PathBuf>,
    /// Folder of the model to begin with; it is not changed.
    #[arg(long, alias = "base", default_value = "models/restorer")]
    model: PathBuf,
    /// Folder for the run: its checkpoint, its curve, its result and the trained model. A run in it continues.
    #[arg(long)]
    out: PathBuf,
    /// Settings as JSON; settings that it leaves out are as in docs/training.md. The options below take precedence.
    #[arg(long)]
    settings: Option<PathBuf>,
    #[command(flatten)]
    options: SettingArguments,
    /// Read this many rows of each corpus of signs only.
    #[arg(long)]
    limit: Option<usize>,
    /// Maximum number of held-out sequences to measure before and after, from all of them evenly [default: all].
    #[arg(long)]
    measure: Option<usize>,
    /// Minutes between checkpoints.
    #[arg(long, default_value_t = 5.0)]
    checkpoint_minutes: f64,
    /// Stop after this many minutes with a checkpoint; the same command continues the run.
    #[arg(long)]
    budget_minutes: Option<f64>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Settings with an option of their own.
#[derive(Args, Clone, Debug, Default)]
struct SettingArguments {
    #[command(flatten)]
    run: RunArguments,
    /// Tokens of a batch, padding included.
    #[arg(long)]
    batch_tokens: Option<usize>,
    /// Train only this many layers, the last ones, and the head: less memory and less time.
    #[arg(long)]
    layers: Option<usize>,
    /// Longest sequence, in tokens; longer texts are cut.
    #[arg(long)]
    window: Option<usize>,
}

impl SettingArguments {
    /// Overwrites the settings with the options that are given.
    fn over(&self, mut settings: RestorerTrainingSettings) -> RestorerTrainingSettings {
        self.run.write_over(RunSettings {
            length: &mut settings.length,
            optimiser: &mut settings.optimiser,
            seed: &mut settings.seed,
            accumulation: &mut settings.accumulation,
            dropout: &mut settings.dropout,
            held_out: &mut settings.held_out,
        });
        settings.batch_tokens = self.batch_tokens.unwrap_or(settings.batch_tokens);
        settings.layers = self.layers.or(settings.layers);
        settings.window = self.window.unwrap_or(settings.window);
        settings
    }
}

/// Trains, or continues a run; measures and writes the model at the end.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &TrainRestorerArguments) -> Result<()> {
    let plan = plan(arguments)?;
    let out = RunFolder::open(&arguments.out)?;
    let base = open(&arguments.model, &arguments.device.open()?)?;
    advise(run_memory::of_restorer(base.torso.config().size(), &plan.settings));
    let checksum = block_on(export::checksum(&base.torso, &base.vocabulary)).map_err(message)?;
    out.begin_with(&checksum, "give its own by --model to go on, or another folder by --out.")?;
    let found: Option<RestorerTrainer> = run_loop::resume(&out, &base.torso.device(), None)?;
    // A batch may be cut into other parts than before: the steps are the same.
    let found = found.map(|mut trainer| {
        trainer.compute_in_parts(plan.settings.parts);
        trainer
    });
    let mut trainer = match found {
        Some(trainer) if *trainer.plan() == plan && trainer.goes_on_from(&base.torso, &base.vocabulary) => trainer,
        Some(_) => {
            return Err(format!(
                "{} holds a run with other texts or settings, or of another model; give its own to go on, or another \
                 folder by --out",
                arguments.out.display()
            )
            .into());
        }
        None => RestorerTrainer::new(&base.torso, &base.vocabulary, plan).map_err(message)?,
    };
    println!("{}", report::beginning(&trainer));
    let timing = Timing::of_minutes(arguments.checkpoint_minutes, arguments.budget_minutes);
    run_loop::to_the_end(&mut trainer, &out, timing)?;
    if !run_loop::is_finished(&trainer) {
        return Ok(());
    }
    let after = Model { torso: trainer.model(), vocabulary: trainer.vocabulary().clone() };
    folder_task::write_restorer(&out, &after)?;
    let compared = compare(&base, &after, &trainer, arguments.measure.unwrap_or(usize::MAX))?;
    out.write("result.json", report::result(&trainer, compared.as_ref())?.as_bytes())?;
    println!("{}", report::summary(&trainer, compared.as_ref(), &arguments.out));
    Ok(())
}

/// Returns all texts and settings of the arguments.
fn plan(arguments: &TrainRestorerArguments) -> Result<RestorerTrainingPlan> {
    let settings = input::settings(arguments.settings.as_deref())?;
    let mut all = Vec::new();
    for path in &arguments.texts {
        all.extend(read_texts(path, arguments.limit)?);
    }
    let plan = RestorerTrainingPlan { texts: all, settings: arguments.options.over(settings) };
    plan.check()?;
    Ok(plan)
}

/// Measures both models on the same masked signs of at most `most` held-out sequences; `None` if there are none.
/// Samples draw texts, by the seed of the run.
fn compare(base: &Model, after: &Model, trainer: &RestorerTrainer, most: usize) -> Result<Option<RestorerComparison>> {
    let (held_out, settings) = (trainer.held_out(most), &trainer.plan().settings);
    let places = choose(&held_out, RATE, SEED);
    if places.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let measured = |torso: &Torso| -> Result<RestorationValidation> {
        let found = measure(torso, &base.vocabulary, &held_out, &places, settings.batch_tokens, &NeverYields);
        block_on(found).map_err(message)
    };
    let (before, after) = (measured(&base.torso)?, measured(&after.torso)?);
    let texts = TextGroups::of(trainer.held_out_texts(most));
    Ok(Some(paired(&before, &after, &texts, SAMPLES, &mut Random::new(settings.seed))?))
}

/// Returns the texts of a corpus of signs, of a folder of such, or of a file of transliterations.
///
/// # Errors
/// What is wrong with the file, and where.
fn read_texts(path: &Path, limit: Option<usize>) -> Result<Vec<Text>> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if path.is_dir() || name.ends_with(".tsv") || name.ends_with(".xz") {
        return of_corpora(path, limit);
    }
    let found = texts(&input::read(path)?);
    if found.is_empty() {
        return Err(
            format!("{} has no line of transliteration; see whether it is the right file", path.display()).into()
        );
    }
    Ok(found)
}

fn of_corpora(path: &Path, limit: Option<usize>) -> Result<Vec<Text>> {
    let mut texts = TextGatherer::default();
    for file in corpora(path)? {
        for_each_row(&file, limit, |row| texts.add(row))?;
        texts.end_file();
    }
    Ok(texts.into_texts())
}
