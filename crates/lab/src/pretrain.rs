//! `tuppum-lab pretrain`: makes a translator from nothing, by span corruption over the lines of both languages, without
//! any pairing. Ablations begin with it, so that none of their arms has seen a translation or a point before.

use burn::tensor::Device;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tuppum_cli::device::{DeviceArguments, TrialModel, advise};
use tuppum_cli::failure::{About, Result};
use tuppum_cli::folder_task;
use tuppum_cli::run_folder::RunFolder;
use tuppum_cli::run_loop::{self, Timing, message};
use tuppum_cli::run_memory;
use tuppum_cli::train::SettingArguments;
use tuppum_cli::translate;
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::{
    Length, TranslationPair, TranslatorObjective, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_nn::byt5::{ByT5, ByT5Config, GOLDEN_TOLERANCE, Golden};
use tuppum_train::translator::{TranslatorTrainer, fresh};

/// Arguments of `tuppum-lab pretrain`.
#[derive(Args, Debug)]
pub struct PretrainArguments {
    /// Tables of pairs; source and target of a pair are two separate lines. Texts that are kept for validation (`eval
    /// translate --validation-only`) are left out.
    #[arg(required = true)]
    pairs: Vec<PathBuf>,
    /// Size of the model: nano, tiny, mini, small, base, large, or a config.json.
    #[arg(long, default_value = "tiny")]
    size: String,
    /// Folder for the run: its checkpoint, its curve and the model. A run in it continues.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    options: SettingArguments,
    /// Share of the bytes that is taken out.
    #[arg(long, default_value_t = 0.15)]
    share: f64,
    /// Mean number of bytes of a span.
    #[arg(long, default_value_t = 20)]
    span: usize,
    /// Read this many rows of each file only.
    #[arg(long)]
    limit: Option<usize>,
    /// Minutes between checkpoints.
    #[arg(long, default_value_t = 10.0)]
    checkpoint_minutes: f64,
    /// Stop after this many minutes with a checkpoint; the same command continues.
    #[arg(long)]
    budget_minutes: Option<f64>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Pretrains, or continues a run, and writes the model at the end.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &PretrainArguments) -> Result<()> {
    let plan = plan(arguments)?;
    let out = RunFolder::open(&arguments.out)?;
    let begun = NewTranslator { config: size(&arguments.size)?, seed: plan.settings.seed };
    let device = arguments.device.open()?.tried_with(&begun)?;
    advise(run_memory::of_translator(begun.config.size(), &plan));
    let mut trainer = match run_loop::resume(&out, &device, None)? {
        Some(trainer) if *trainer.plan() == plan => trainer,
        Some(_) => return Err(format!("{} holds a run with other lines or settings", arguments.out.display()).into()),
        None => TranslatorTrainer::new(&begun.load(&device)?, plan).map_err(message)?,
    };
    let lines = trainer.plan().pairs.len();
    eprintln!("{lines} lines, {} steps, goes on after step {}", trainer.steps(), trainer.done());
    let timing = Timing::of_minutes(arguments.checkpoint_minutes, arguments.budget_minutes);
    let start = (Instant::now(), trainer.done());
    run_loop::to_the_end(&mut trainer, &out, timing)?;
    folder_task::write_translator(&out, &trainer.model())?;
    let (seconds, made) = (start.0.elapsed().as_secs_f64(), &trainer.curve()[start.1 as usize..]);
    let bytes: u64 = made.iter().map(|step| u64::from(step.bytes)).sum();
    let rows: u64 = made.iter().map(|step| u64::from(step.pairs)).sum();
    println!(
        "step {} of {}; {:.1} lines and {:.0} bytes a second; held-out bits per byte {}; the model is in {}/model",
        trainer.done(),
        trainer.steps(),
        rows as f64 / seconds,
        bytes as f64 / seconds,
        trainer.validations().last().map_or("not measured".to_owned(), |found| format!("{:.3}", found.bits_per_byte)),
        arguments.out.display()
    );
    Ok(())
}

/// A translator that has learnt nothing, to be made on any device.
struct NewTranslator {
    config: ByT5Config,
    seed: u64,
}

impl TrialModel for NewTranslator {
    type Model = ByT5;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    fn load(&self, device: &Device) -> Result<ByT5> {
        Ok(fresh::model(&self.config, self.seed, device)?)
    }

    fn computed(&self, model: &ByT5) -> Result<Golden> {
        translate::short_row(model)
    }

    fn difference(&self, model: &ByT5, golden: &Golden) -> Result<f32> {
        translate::difference(model, golden)
    }
}

/// Returns a size by its name, or a file that states one.
///
/// # Errors
/// What is wrong with it.
pub fn size(name: &str) -> Result<ByT5Config> {
    if let Some(config) = ByT5Config::named(name) {
        return Ok(config);
    }
    let json = std::fs::read(Path::new(name))
        .map_err(|error| format!("{name} is no size (tiny, mini, small, base, large) and no file: {error}"))?;
    ByT5Config::from_json(&json).at(Path::new(name))
}

/// Returns every line of both languages once.
fn plan(arguments: &PretrainArguments) -> Result<TranslatorTrainingPlan> {
    let base = TranslatorTrainingSettings {
        task: TranslatorObjective::Spans { share: arguments.share, mean: arguments.span },
        length: Length::Epochs(1),
        optimiser: OptimiserSettings {
            rate: 1e-3,
            warm_up: 0.03,
            betas: [0.9, 0.98],
            ..TranslatorTrainingSettings::default().optimiser
        },
        augmented: 0.0,
        dropout: 0.0,
        held_out: 0.01,
        bias: false,
        batch_bytes: 8192,
        ..TranslatorTrainingSettings::default()
    };
    let mut pairs = Vec::new();
    for path in &arguments.pairs {
        let add = |pair: tuppum_corpus::pairs_file::FilePair| {
            if !pair.is_valid() {
                for line in [pair.source, pair.target] {
                    pairs.push(TranslationPair {
                        text: pair.text.clone(),
                        source: line,
                        target: String::new(),
                        weight: 1.0,
                    });
                }
            }
        };
        for_each_pair(path, arguments.limit, add)?;
    }
    let plan = TranslatorTrainingPlan { pairs, settings: arguments.options.over(base) };
    plan.check()?;
    Ok(plan)
}
