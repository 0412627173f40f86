//! One run: trains, measures and stores a model of a space and a seed.
//!
//! All runs learn from the same pairs and are measured with the same.

use super::arguments::TransformerArguments;
use super::task::{TransformerTask, TransformerTrainer, validation};
use super::trial::NewTransformer;
use crate::document::processor_seconds;
use burn::module::Module;
use futures_lite::future::block_on;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tuppum_cli::device::OpenDevice;
use tuppum_cli::failure::Result;
use tuppum_cli::run_folder::RunFolder;
use tuppum_cli::run_loop::message;
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_domain::generation::{Method, Options};
use tuppum_domain::translation::training::{
    Step, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings, Validation,
};
use tuppum_hyperbolic::transformer::{Transformer, TransformerSettings, translate};
use tuppum_hyperbolic::transformer_weights::write_transformer;
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_text::bytes;
use tuppum_weights::Checksum;

/// Sources translated at a time.
const BATCH: usize = 25;
/// Number of times that a run reports its progress.
const REPORTS: u32 = 20;

/// Result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TransformerRunResult {
    /// Settings of the model that was trained.
    pub model: TransformerSettings,
    /// Settings of the training.
    pub training: TranslatorTrainingSettings,
    /// Checksum of model, settings and pairs.
    pub fingerprint: String,
    /// Number of parameters.
    pub parameters: usize,
    /// Bytes of sources and targets learnt from, counted as often as they were.
    pub bytes: u64,
    /// Seconds of processor time per step; `None` if the system does not report it.
    pub processor_seconds: Option<f64>,
    /// Loss of the last step, in nats per byte.
    pub last_loss: f32,
    /// Loss of the run on the measured pairs.
    pub validation: Validation,
    /// Translations of the first held-out pairs.
    pub translations: Vec<String>,
}

/// Returns a run's result, from its folder or by making the run.
///
/// # Errors
/// Message for the user.
pub fn kept(
    arguments: &TransformerArguments,
    model: &TransformerSettings,
    seed: u64,
    data: &TranslationData,
    device: &OpenDevice,
) -> Result<TransformerRunResult> {
    let plan = TranslatorTrainingPlan {
        settings: TranslatorTrainingSettings { seed, ..data.plan.settings.clone() },
        pairs: data.plan.pairs.clone(),
    };
    let fingerprint = fingerprint(model, &plan, &data.measured, arguments.translated)?;
    let name = format!("{}-{seed}", model.space);
    let path = arguments.folder.join(&name);
    if let Ok(json) = std::fs::read(path.join("result.json")) {
        let found: TransformerRunResult = serde_json::from_slice(&json).map_err(|error| {
            format!("{}/result.json: {error}; delete the folder to make the run again", path.display())
        })?;
        return if found.fingerprint == fingerprint {
            Ok(found)
        } else {
            Err(format!(
                "{} holds a run with other pairs or settings; delete it, or give another --folder",
                path.display()
            )
            .into())
        };
    }
    let folder = RunFolder::open(&path)?;
    let begun = processor_seconds();
    let trainer = trained(&name, model, plan, device)?;
    let seconds = begun.zip(processor_seconds()).map(|(begun, ended)| (ended - begun) / f64::from(trainer.steps()));
    let result = measured(arguments, &trainer, fingerprint, seconds, data)?;
    let Validation { bits_per_byte, .. } = result.validation;
    eprintln!("{name}: {bits_per_byte:.4} bits per byte, {} parameters", result.parameters);
    write(&folder, &trainer, &result)?;
    Ok(result)
}

/// Returns a checksum of everything that the result depends on.
fn fingerprint(
    model: &TransformerSettings,
    plan: &TranslatorTrainingPlan,
    measured: &[TranslationPair],
    translated: usize,
) -> Result<String> {
    let described = serde_json::to_vec(&(model, plan, measured, translated))?;
    let mut checksum = Checksum::default();
    checksum.add(&described);
    Ok(checksum.digits())
}

/// Makes all steps, and reports the progress now and then.
fn trained(
    name: &str,
    model: &TransformerSettings,
    plan: TranslatorTrainingPlan,
    device: &OpenDevice,
) -> Result<TransformerTrainer> {
    let device = device.tried_with(&NewTransformer { settings: model, seed: plan.settings.seed })?;
    let task = TransformerTask::new(model, plan, &device).map_err(message)?;
    let mut trainer = TransformerTrainer::begin(task);
    let (mut bits, mut count) = (0.0, 0.0);
    while !trainer.is_finished() {
        let Step { number, of, loss, .. } = block_on(trainer.step(&NeverYields)).map_err(message)?;
        (bits, count) = (bits + f64::from(loss) / std::f64::consts::LN_2, count + 1.0);
        if number == of || number % of.div_ceil(REPORTS) == 0 {
            eprintln!("{name}: step {number} of {of}, {:.3} bits per byte", bits / count);
            (bits, count) = (0.0, 0.0);
        }
    }
    Ok(trainer)
}

fn measured(
    arguments: &TransformerArguments,
    trainer: &TransformerTrainer,
    fingerprint: String,
    processor_seconds: Option<f64>,
    data: &TranslationData,
) -> Result<TransformerRunResult> {
    let model = trainer.model();
    let pairs: Vec<(&str, &str)> =
        data.measured.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect();
    let validation = block_on(validation(&model, &pairs, arguments.batch_bytes)).map_err(message)?;
    let translations = translations(&model, &pairs[..pairs.len().min(arguments.translated)])?;
    Ok(TransformerRunResult {
        model: model.settings().clone(),
        training: trainer.plan().settings.clone(),
        fingerprint,
        parameters: model.num_params(),
        bytes: trainer.curve().iter().map(|step| u64::from(step.bytes)).sum(),
        processor_seconds,
        last_loss: trainer.curve().last().map_or(0.0, |step| step.loss),
        validation,
        translations,
    })
}

/// Translates each source by greedy search.
fn translations(model: &Transformer, pairs: &[(&str, &str)]) -> Result<Vec<String>> {
    let sources: Vec<_> = pairs.iter().map(|(source, _)| bytes::encode(source)).collect();
    let options = Options { method: Method::Greedy, ..Options::default() };
    let found = block_on(translate(model, &sources, &options, BATCH, |_| ()))?;
    Ok(found.into_iter().map(|own| own.into_iter().next().map(|best| best.text).unwrap_or_default()).collect())
}

/// Writes the model, its settings, curve and result into the run's folder; the result last, so that it marks a whole
/// run.
fn write(folder: &RunFolder, trainer: &TransformerTrainer, result: &TransformerRunResult) -> Result<()> {
    let mut weights = Vec::new();
    block_on(write_transformer(&trainer.model(), &mut weights))?;
    folder.write("model.safetensors", &weights)?;
    folder.write("config.json", &serde_json::to_vec_pretty(&result.model)?)?;
    let rows = trainer.curve().iter().map(|step| {
        let Step { number, epoch, loss, rate, gradient_norm, bytes, .. } = step;
        format!("{number}\t{epoch}\t{loss}\t{rate:e}\t{gradient_norm}\t{bytes}\n")
    });
    let curve: String =
        ["step\tepoch\tloss\trate\tgradient_norm\tbytes\n".to_owned()].into_iter().chain(rows).collect();
    folder.write("curve.tsv", curve.as_bytes())?;
    folder.write("result.json", &serde_json::to_vec(result)?)
}

/// Pairs that all runs learn from and are measured with.
#[derive(Debug)]
pub struct TranslationData {
    /// All pairs, and the plan by which a run trains with them, but for its seed.
    pub plan: TranslatorTrainingPlan,
    /// Number of pairs to learn from.
    pub trained: usize,
    /// Number of held-out pairs.
    pub held_out: usize,
    /// Held-out pairs that are measured, in the order in which they were drawn.
    pub measured: Vec<TranslationPair>,
    /// Number of measured pairs that stand word for word among the pairs to learn from.
    pub repeated: usize,
}

/// Reads the pairs and draws those that are measured.
///
/// # Errors
/// Message for the user.
pub fn read_pairs(arguments: &TransformerArguments) -> Result<TranslationData> {
    let mut pairs = Vec::new();
    for path in &arguments.pairs {
        let keep = |pair: tuppum_corpus::pairs_file::FilePair| {
            pairs.push(TranslationPair::new(pair.text, pair.source, pair.target))
        };
        for_each_pair(path, arguments.limit, keep)?;
    }
    let plan = TranslatorTrainingPlan { pairs, settings: arguments.training() };
    plan.check()?;
    let [trained, mut held_out] = plan.split();
    Random::new(0).shuffle(&mut held_out);
    let measured: Vec<TranslationPair> =
        held_out.iter().take(arguments.validation).map(|number| plan.pairs[*number].clone()).collect();
    if measured.is_empty() {
        return Err(format!(
            "of {} pairs none is held out to measure with: pairs of one text stay together, so there must be two texts \
             at least, and --validation must be 1 or more",
            plan.pairs.len()
        )
        .into());
    }
    let both = |pair: &TranslationPair| (pair.source.clone(), pair.target.clone());
    let learnt: HashSet<_> = trained.iter().map(|number| both(&plan.pairs[*number])).collect();
    let repeated = measured.iter().filter(|pair| learnt.contains(&both(pair))).count();
    Ok(TranslationData { trained: trained.len(), held_out: held_out.len(), measured, repeated, plan })
}
