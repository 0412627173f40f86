//! The worker's second model: opening a translator and translating with it, passage by passage.

use super::device::{Gpu, Trouble, gpu};
use super::errors;
use super::jobs::{Job, fail_on};
use super::kept::{self, BESIDE_THE_WEIGHTS};
use super::pace::Throttle;
use super::translator_files::Opened;
use burn::tensor::Device;
use tuppum_nn::byt5::{ByT5, ByT5Error, GOLDEN_TOLERANCE, Golden, SourceRow, computed, self_test, translate};
use tuppum_protocol::{DeviceKind, DevicePreference, Event, Failure, Phase, TranslatorReport};
use tuppum_tasks::translation::{Passage, Question, Translated};
use tuppum_text::Document;
use tuppum_text::bytes;

/// What a device is tried with where a model brings no golden numbers: a source and the beginning of an answer.
const SHORT_ROW: (&str, &str) = ("um-ma a-na", "Thus");

/// A translator ready to work.
pub struct Translator {
    pub(super) model: ByT5,
    pub(super) trouble: Option<Trouble>,
}

/// Brings a translator and a device together.
///
/// # Errors
/// No network and nothing stored, damaged files, no device where WebGPU was demanded, or the job was stopped.
pub async fn open(job: &Job, model: &str, preference: DevicePreference, store: bool) -> Result<Translator, Failure> {
    job.progress(Phase::Device, 0, 1);
    let candidate = match preference {
        DevicePreference::Cpu => Err("you chose it".to_owned()),
        DevicePreference::Best => gpu(false).await,
        DevicePreference::WebGpu => gpu(true).await,
    };
    job.progress(Phase::Device, 1, 1);
    let files = Opened::open(job, model, store).await?;
    let reason = match candidate {
        Ok(gpu) => match on_gpu(job, &files, &gpu).await? {
            Ok((model, difference)) => {
                let reason = match (&files.golden, difference) {
                    (Some(_), _) => "It passed its self-test against stored golden numbers.",
                    (None, Some(_)) => {
                        "It agreed with the CPU on a short row; this model brings no golden numbers to test it with."
                    }
                    (None, None) => {
                        "It was not tested: this model brings no golden numbers, and is too large for the CPU to compare with. That it computes finite numbers was tried on a short row."
                    }
                };
                job.tell(Event::Translator(report(&files, &model, DeviceKind::WebGpu, reason.to_owned(), difference)));
                return Ok(Translator { model, trouble: Some(gpu.trouble) });
            }
            Err(problem) => problem,
        },
        Err(problem) => problem,
    };
    if preference == DevicePreference::WebGpu {
        return Err(errors::no_webgpu(&reason));
    }
    if !fits(&files) {
        return Err(errors::too_large(needed(&files), &reason));
    }
    let model = files.load(job, &Device::flex()).await?;
    let mut reason = format!("The CPU computes because {reason}.");
    let difference = match &files.golden {
        Some(golden) => test(job, &model, golden).await.map(Some),
        None => {
            reason += " This model brings no golden numbers; that it computes finite ones was tried on a short row.";
            short_row(job, &model).await.map(|_| None)
        }
    };
    let difference = difference.map_err(|error| from_byt5(error, None))?;
    if let Some(difference) = difference.filter(|difference| *difference > GOLDEN_TOLERANCE) {
        return Err(errors::wrong_numbers(difference, GOLDEN_TOLERANCE));
    }
    job.tell(Event::Translator(report(&files, &model, DeviceKind::Cpu, reason, difference)));
    Ok(Translator { model, trouble: None })
}

/// Bytes that the model needs in the engine's own memory on the CPU.
fn needed(files: &Opened) -> u64 {
    files.config.parameter_count() * 4 + BESIDE_THE_WEIGHTS
}

/// Whether the model fits into the engine's own memory, which has addresses of 32 bits.
fn fits(files: &Opened) -> bool {
    needed(files) < 1 << 32
}

/// The largest relative difference from the golden states and logits.
async fn test(job: &Job, model: &ByT5, golden: &Golden) -> Result<f32, ByT5Error> {
    job.progress(Phase::SelfTest, 0, 1);
    let [states, logits] = self_test(model, golden, &job.pace()).await?;
    job.progress(Phase::SelfTest, 1, 1);
    Ok(states.max(logits))
}

/// What the model computes for a short row.
async fn short_row(job: &Job, model: &ByT5) -> Result<Golden, ByT5Error> {
    let (source, target) = SHORT_ROW;
    let target = [vec![model.config().decoder_start_token_id], bytes::encode(target)].concat();
    computed(model, row_of(model, source), target, &job.pace()).await
}

/// The model on the GPU and its difference in the self-test, where there was something to compare with, or why the GPU cannot be trusted.
async fn on_gpu(job: &Job, files: &Opened, gpu: &Gpu) -> Result<Result<(ByT5, Option<f32>), String>, Failure> {
    let golden = match &files.golden {
        None if fits(files) => {
            let model = files.load(job, &Device::flex()).await?;
            Some(short_row(job, &model).await.map_err(|error| from_byt5(error, None))?)
        }
        golden => golden.clone(),
    };
    let model = files.load(job, &gpu.device).await?;
    let outcome = match &golden {
        Some(golden) => test(job, &model, golden).await.map(Some),
        None => short_row(job, &model).await.map(|_| None),
    };
    let trouble = gpu.trouble.take();
    let name = &gpu.name;
    Ok(match (outcome, trouble) {
        (Err(ByT5Error::Stopped), _) => return Err(errors::cancelled()),
        (_, Some(trouble)) => Err(format!("WebGPU ({name}) reported an error in its self-test: {trouble}")),
        (Err(error), None) => Err(format!("WebGPU ({name}) failed in its self-test: {error}")),
        (Ok(Some(difference)), None) if difference > GOLDEN_TOLERANCE => {
            Err(format!("WebGPU ({name}) failed its self-test: its numbers differ by {difference:.1e}"))
        }
        (Ok(difference), None) => Ok((model, difference)),
    })
}

fn report(
    files: &Opened,
    model: &ByT5,
    device: DeviceKind,
    reason: String,
    self_test: Option<f32>,
) -> TranslatorReport {
    TranslatorReport {
        device,
        reason,
        self_test,
        stored: files.stored,
        storage_note: files.storage_note.clone(),
        parameters: files.config.parameter_count()
            + model.geometry().map_or(0, |geometry| files.config.geometry_parameter_count(geometry.count())),
        bias: model.geometry().is_some(),
        golden: files.golden.is_some(),
        memory: kept::memory(),
    }
}

/// Translates a text, passage by passage; what is written shows while it is being written.
///
/// # Errors
/// There is nothing to translate, the device failed, or the job was stopped.
pub async fn run(job: &Job, translator: &mut Translator, question: &Question) -> Result<(), Failure> {
    let document = Document::read(&question.text);
    let passages = question.passages(&document);
    if passages.is_empty() {
        return Err(errors::question(
            "There is nothing to translate: no line of this text has a sign that can be read.",
        ));
    }
    let geometry = if question.bias { None } else { translator.model.detach() };
    let outcome = translate_all(job, translator, question, &passages).await;
    if let Some(geometry) = geometry {
        translator.model.attach(geometry);
    }
    outcome
}

async fn translate_all(
    job: &Job,
    translator: &Translator,
    question: &Question,
    passages: &[Passage],
) -> Result<(), Failure> {
    let (options, total) = (question.options(), passages.len());
    for (number, passage) in passages.iter().enumerate() {
        job.progress(Phase::Translate, number as u64, total as u64);
        let mut translated = Translated::beginning(passage);
        let tell = |translated: &Translated| {
            job.tell(Event::Translated { number, total, translated: translated.clone() });
        };
        tell(&translated);
        let throttle = Throttle::new();
        let (rows, pace) = ([row_of(&translator.model, &passage.text)], job.pace());
        let outputs = translate(&translator.model, &rows, &options, &pace, |partial| {
            partial.text.clone_into(&mut translated.partial);
            if throttle.passes(0, 1) {
                tell(&translated);
            }
        });
        let trouble = translator.trouble.as_ref();
        let outputs = outputs.await.map_err(|error| from_byt5(error, trouble))?;
        fail_on(trouble)?;
        translated.finish(passage, outputs.first().map(Vec::as_slice).unwrap_or_default());
        tell(&translated);
    }
    job.progress(Phase::Translate, total as u64, total as u64);
    Ok(())
}

/// What the model reads.
pub(super) fn row_of(model: &ByT5, text: &str) -> SourceRow {
    model.row_of(text)
}

/// What a translator's failure means to the user.
pub(super) fn from_byt5(error: ByT5Error, trouble: Option<&Trouble>) -> Failure {
    match (error, trouble) {
        (ByT5Error::Stopped, _) => errors::cancelled(),
        (error @ ByT5Error::Row(_), _) => errors::question(error.to_string()),
        (ByT5Error::Device(problem), Some(trouble)) => {
            errors::device_lost(format!("{problem} {}", trouble.take().unwrap_or_default()))
        }
        (error, _) => errors::internal(error.to_string()),
    }
}
