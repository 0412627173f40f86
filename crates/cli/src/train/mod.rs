//! `tuppum train`: fine-tunes a translator on pairs, from a folder and into a folder; an interrupted run continues.

mod points;
mod report;

use super::bias::{self, BiasArguments};
use super::run_folder::RunFolder;
use super::run_loop::{self, Timing, message};
use super::run_memory;
use super::run_settings::{RunArguments, RunSettings, one_of};
use super::terminal::style;
use super::translate;
use super::{folder_task, input};
use crate::device::{DeviceArguments, advise};
use crate::failure::{About, Result};
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_domain::generation::{Method, Options};
use tuppum_domain::translation::learns::Learns;
use tuppum_domain::translation::training::{
    LoraSettings, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_nn::byt5::{BALL_DIMENSIONS, ByT5, HyperbolicBias, SourceRow, translate_all};
use tuppum_nn::yielding::NeverYields;
use tuppum_text::Document;
use tuppum_train::translator::{TranslatorTrainer, export, validation};
use tuppum_weights::FileSource;
use tuppum_weights::safetensors::{Header, floats};
use tuppum_weights::{Source, WeightsError};

/// Sources translated at a time.
const BATCH: usize = 8;
/// Parts in which the processor computes a batch unless the settings say otherwise; each part has a thread.
const PROCESSOR_PARTS: usize = 2;

/// Arguments of `tuppum train`.
#[derive(Args, Debug)]
pub struct TrainArguments {
    /// Pairs to train with: tables with the columns source and target, and text_id or id (`*.tsv`, also packed by xz).
    #[arg(required = true)]
    pairs: Vec<PathBuf>,
    /// Supplementary pairs, such as those of a lexicon: they count half and are never held out.
    #[arg(long)]
    supplement: Vec<PathBuf>,
    /// Folder of the model to begin with; it is not changed.
    #[arg(long, default_value = "models/translator")]
    model: PathBuf,
    /// Folder for the run: its checkpoint, its curve, its result and the trained model. A run in it continues.
    #[arg(long)]
    out: PathBuf,
    /// Settings as JSON; settings that it leaves out are as in docs/training.md. The options below take precedence.
    #[arg(long)]
    settings: Option<PathBuf>,
    #[command(flatten)]
    options: SettingArguments,
    #[command(flatten)]
    bias: BiasArguments,
    /// Parts that train: the whole model, LoRA adapters beside it, or the hyperbolic bias alone, which leaves every
    /// other number as it is. The bias trains along with the first two.
    #[arg(long, value_name = "WHAT", value_parser = one_of(Learns::ALL, Learns::name))]
    learns: Option<Learns>,
    /// Points for the hyperbolic bias (safetensors with geometry.points), if the model has none or others are wanted.
    #[arg(long, conflicts_with = "new")]
    points: Option<PathBuf>,
    /// Read this many rows of each file only.
    #[arg(long)]
    limit: Option<usize>,
    /// Translate this many held-out sources before and after; 0 leaves the comparison of translations out.
    #[arg(long, default_value_t = 100)]
    translate: usize,
    /// Number of beginnings followed at a time for these translations.
    #[arg(long, default_value_t = 5)]
    beams: usize,
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
pub struct SettingArguments {
    #[command(flatten)]
    run: RunArguments,
    /// Bytes of a batch, padding included.
    #[arg(long)]
    batch_bytes: Option<usize>,
    /// Longest source and target, in bytes.
    #[arg(long)]
    longest: Option<usize>,
    /// Leave the sources as they are.
    #[arg(long)]
    no_augmentation: bool,
    /// Train without the hyperbolic bias.
    #[arg(long)]
    no_bias: bool,
    /// Number of encoder blocks that the hyperbolic bias reaches [default: 4 for a new bias, the model's own
    /// otherwise].
    #[arg(long)]
    bias_layers: Option<usize>,
    #[command(flatten)]
    points: points::PointsArguments,
    /// Train LoRA adapters of this rank beside the maps of attention and leave the model as it is, for large ones:
    /// 8 is usual.
    #[arg(long, alias = "additions", value_name = "RANK")]
    adapters: Option<usize>,
}

impl SettingArguments {
    /// Overwrites the settings with the options that are given.
    pub fn over(&self, mut settings: TranslatorTrainingSettings) -> TranslatorTrainingSettings {
        self.run.write_over(RunSettings {
            length: &mut settings.length,
            optimiser: &mut settings.optimiser,
            seed: &mut settings.seed,
            accumulation: &mut settings.accumulation,
            dropout: &mut settings.dropout,
            held_out: &mut settings.held_out,
        });
        settings.batch_bytes = self.batch_bytes.unwrap_or(settings.batch_bytes);
        settings.longest = self.longest.unwrap_or(settings.longest);
        if self.no_augmentation {
            settings.augmented = 0.0;
        }
        settings.bias &= !self.no_bias;
        settings.bias_layers = self.bias_layers.or(settings.bias_layers);
        self.points.write_over(&mut settings);
        if let Some(rank) = self.adapters {
            // As in the paper, the weight of an adapter depends as little as possible on the rank.
            settings.adapters = Some(LoraSettings { rank, strength: 2.0 * rank as f64 });
        }
        settings
    }
}

/// Trains, or continues a run; measures and writes the model at the end.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &TrainArguments) -> Result<()> {
    let whole = plan(arguments)?;
    let leaks = whole.leaks();
    let plan = whole.without(&leaks);
    let out = RunFolder::open(&arguments.out)?;
    let mut base = translate::open(&arguments.model, false, &arguments.device.open()?)?;
    advise(run_memory::of_translator(base.config().size(), &plan));
    if let Some(points) = &arguments.points {
        attach(&mut base, points)?;
    }
    let checksum = block_on(export::checksum(&base)).map_err(message)?;
    out.begin_with(&checksum, "give its own by --model and --points to go on, or another folder by --out.")?;
    let found: Option<TranslatorTrainer> = run_loop::resume(&out, &base.device(), Some(&base))?;
    // A batch may be cut into other parts than before: the steps are the same.
    let found = found.map(|mut trainer| {
        trainer.compute_in_parts(plan.settings.parts);
        trainer
    });
    let mut trainer = match found {
        // Older versions left leaking pairs in the plan; they are not measured in any case.
        Some(trainer) if [&plan, &whole].contains(&trainer.plan()) => trainer,
        Some(_) => {
            return Err(format!(
                "{} holds a run with other pairs or settings; give its own to go on, or another folder by --out",
                arguments.out.display()
            )
            .into());
        }
        None => {
            let mut begun = base.clone();
            plan.settings.attach.map_or(Ok(()), |wanted| bias::attach(&mut begun, &wanted))?;
            TranslatorTrainer::new(&begun, plan).map_err(message)?
        }
    };
    eprintln!("{}", report::beginning(&trainer, leaks.len()));
    let timing = Timing::of_minutes(arguments.checkpoint_minutes, arguments.budget_minutes);
    run_loop::to_the_end(&mut trainer, &out, timing)?;
    if !run_loop::is_finished(&trainer) {
        return Ok(());
    }
    let after = trainer.model();
    folder_task::write_translator(&out, &after)?;
    let compared = compare(&base, &after, trainer.plan(), arguments)?;
    let text = report::result(&trainer, leaks.len(), compared.as_ref())?;
    out.write("result.json", text.as_bytes())?;
    println!("{}", report::summary(&trainer, compared.as_ref(), &arguments.out));
    Ok(())
}

impl TrainArguments {
    /// Reads the settings, and overwrites them with the options.
    fn over(&self, settings: TranslatorTrainingSettings) -> TranslatorTrainingSettings {
        let mut settings = self.options.over(settings);
        if let Some(wanted) = self.bias.new_bias(settings.attach, settings.bias_layers) {
            (settings.attach, settings.bias_layers) = (Some(wanted), None);
        }
        match self.learns {
            Some(what) => settings.learning(what),
            None => settings,
        }
    }
}

/// Returns all pairs and settings of the arguments.
fn plan(arguments: &TrainArguments) -> Result<TranslatorTrainingPlan> {
    let settings = input::settings(arguments.settings.as_deref())?;
    let mut pairs = Vec::new();
    for (files, weight) in [(&arguments.pairs, 1.0), (&arguments.supplement, 0.5)] {
        for path in files {
            let begin = pairs.len();
            let read = |pair: tuppum_corpus::pairs_file::FilePair| {
                pairs.push(TranslationPair { text: pair.text, source: pair.source, target: pair.target, weight });
            };
            for_each_pair(path, arguments.limit, read)?;
            read_as_the_page(&mut pairs[begin..]);
        }
    }
    let mut plan = TranslatorTrainingPlan { pairs, settings: arguments.over(settings) };
    if arguments.device.is_processor() && plan.settings.parts == 1 {
        plan.settings.parts = PROCESSOR_PARTS;
    }
    plan.check()?;
    Ok(plan)
}

/// Gives a table's sources the form that the page gives the model, unless they are written as Oracc writes them.
fn read_as_the_page(pairs: &mut [TranslationPair]) {
    if !translate::are_as_oracc(pairs.iter().map(|pair| pair.source.as_str())) {
        for pair in pairs {
            pair.source = translate::sources(&Document::read(&pair.source), false).join(" ");
        }
    }
}

/// Replaces the model's bias by one over the points of a file, at the usual strength.
///
/// # Errors
/// What is wrong with the file.
pub fn attach(model: &mut ByT5, path: &Path) -> Result<()> {
    const STRENGTH: f32 = 0.1;
    let points = points_of(path)?;
    let (layers, curvature) = (model.config().geometry_layers, model.config().curvature);
    let bias = HyperbolicBias::new(points, BALL_DIMENSIONS, STRENGTH, layers, curvature, &model.device());
    model.attach(bias.at(path)?);
    Ok(())
}

/// Returns the points of a file, one after the other.
///
/// # Errors
/// What is wrong with the file.
pub fn points_of(path: &Path) -> Result<Vec<f32>> {
    let name = path.display().to_string();
    let read = async {
        let mut source = FileSource::open(path)?;
        let (header, _) = Header::read(&name, &mut source).await?;
        let missing = || WeightsError::Folder { file: name.clone(), problem: "it has no geometry.points".into() };
        let tensor = header.tensor("geometry.points").ok_or_else(missing)?;
        floats(tensor, &source.read(tensor.offset, tensor.bytes).await?)
    };
    block_on(read).at(path)
}

/// Returns the held-out pairs of a plan whose source is not also trained with.
fn measured(plan: &TranslatorTrainingPlan) -> Vec<&TranslationPair> {
    let ([_, held_out], leaks) = (plan.split(), plan.leaks());
    let kept = held_out.into_iter().filter(|number| leaks.binary_search(number).is_err());
    kept.filter_map(|number| plan.pairs.get(number)).collect()
}

/// Measures both models on these pairs; `None` if there are none.
fn compare(
    base: &ByT5,
    after: &ByT5,
    plan: &TranslatorTrainingPlan,
    arguments: &TrainArguments,
) -> Result<Option<report::Compared>> {
    let held_out = measured(plan);
    let pairs: Vec<(&str, &str)> = held_out.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let bits = |model| block_on(validation(model, &pairs, plan.settings.batch_bytes, &NeverYields)).map_err(message);
    let bits = [bits(base)?, bits(after)?];
    let shown = &pairs[..pairs.len().min(arguments.translate)];
    let translations = match shown {
        [] => None,
        shown => Some([base, after].map(|model| translations(model, shown, arguments.beams))),
    };
    let translations = match translations {
        Some([before, after]) => Some([before?, after?]),
        None => None,
    };
    let [trained, _] = plan.split();
    let trained: Vec<&str> =
        trained.iter().filter_map(|number| plan.pairs.get(*number)).map(|pair| pair.source.as_str()).collect();
    Ok(Some(report::Compared::of(bits, &trained, &held_out, plan.settings.seed, translations)?))
}

/// Returns the likeliest translation of each source.
pub fn translations(model: &ByT5, pairs: &[(&str, &str)], beams: usize) -> Result<Vec<String>> {
    let rows: Vec<SourceRow> = pairs.iter().map(|(source, _)| model.row_of(source)).collect();
    let method = if beams < 2 { Method::Greedy } else { Method::Beam { beams, length_penalty: 1.0, early: false } };
    let longest = pairs.iter().map(|(_, target)| target.len() * 2).max().unwrap_or(1).min(512);
    let options = Options { method, longest, ..Options::default() };
    let bar = ProgressBar::new(rows.len() as u64).with_style(style("translating {bar:30} {pos}/{len}, {eta} left"));
    let found =
        block_on(translate_all(model, &rows, &options, BATCH, &NeverYields, |done| bar.set_position(done as u64)));
    bar.finish_and_clear();
    let found = found?;
    Ok(found.into_iter().map(|own| own.into_iter().next().map(|best| best.text).unwrap_or_default()).collect())
}
