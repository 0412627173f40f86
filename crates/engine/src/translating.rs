//! The worker's second model: opening a translator and translating with it, passage by passage.

use super::compute::ComputeDevice;
use super::errors;
use super::event_loop::Throttle;
use super::job::Job;
use super::memory::memory;
use super::opening::{Trusted, choose, open as open_model};
use super::translator_files::TranslatorFiles;
use tuppum_nn::byt5::{ByT5, translate};
use tuppum_protocol::{DeviceKind, Event, Failure, OpenModel, Phase, TranslatorReport};
use tuppum_tasks::translation::{Passage, Question, Translated};
use tuppum_text::Document;

/// A translator ready to work.
pub struct Translator {
    pub(super) model: ByT5,
    pub(super) device: ComputeDevice,
}

/// Brings a translator and a device together.
///
/// # Errors
/// No network and nothing stored, damaged files, no device where WebGPU was demanded, or the job was cancelled.
pub async fn open(job: &Job, asked: &OpenModel) -> Result<Translator, Failure> {
    let gpu = choose(job, asked.device).await;
    let mut files = TranslatorFiles::open(job, &asked.model, asked.store).await?;
    let Trusted { model, device, difference, rejected } = open_model(job, &mut files, gpu, asked.device).await?;
    let reason = match (&rejected, &files.golden, difference) {
        (Some(rejected), Some(_), _) => format!("The CPU computes because {rejected}."),
        (Some(rejected), None, _) => format!(
            "The CPU computes because {rejected}. This model has no reference numbers; on a short row its numbers were \
             finite."
        ),
        (None, Some(_), _) => "It passed its self-test against stored reference numbers.".to_owned(),
        (None, None, Some(_)) => {
            "It agreed with the CPU on a short row; this model has no reference numbers to test it with.".to_owned()
        }
        (None, None, None) => {
            "It was not tested: this model has no reference numbers, and is too large for the CPU to compare with. On \
             a short row its numbers were finite."
                .to_owned()
        }
    };
    job.emit(Event::Translator(report(&files, &model, device.kind(), reason, difference)));
    Ok(Translator { model, device })
}

fn report(
    files: &TranslatorFiles,
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
        parameters: model.parameter_count(),
        bias: model.geometry().is_some(),
        golden: files.golden.is_some(),
        // The decoder's maps are held a second time once it writes.
        memory: memory() + if device == DeviceKind::Cpu { model.config().bytes_to_write() } else { 0 },
    }
}

/// Translates a text, passage by passage; what is written shows while it is being written.
///
/// # Errors
/// There is nothing to translate, the device failed, or the job was cancelled.
pub async fn run(job: &Job, translator: &mut Translator, question: &Question) -> Result<(), Failure> {
    let document = Document::read_with(&question.text, &question.reading);
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
        let emit = |translated: &Translated| {
            job.emit(Event::Translated { number, total, translated: translated.clone() });
        };
        emit(&translated);
        let throttle = Throttle::new();
        let read = passage.as_read();
        let (rows, yielder) = ([translator.model.row_of(&read.text)], job.yielder());
        let outputs = translate(&translator.model, &rows, &options, &yielder, |partial| {
            partial.text.clone_into(&mut translated.partial);
            if throttle.passes(0, 1) {
                emit(&translated);
            }
        });
        let outputs = outputs.await.map_err(|error| translator.device.failure(error))?;
        translator.device.check()?;
        let outputs = outputs.first().map(Vec::as_slice).unwrap_or_default();
        translated.finish(&read, outputs, translator.model.config().calibration.as_ref().filter(|_| question.bias));
        emit(&translated);
    }
    job.progress(Phase::Translate, total as u64, total as u64);
    Ok(())
}
