//! The worker's second model: opening a translator and translating with it, passage by passage.

use super::device::{Gpu, Trouble, gpu};
use super::errors;
use super::folder::{self, Folder};
use super::jobs::{Job, fail_on, from_weights};
use super::pace::Throttle;
use super::protocol::{DeviceKind, DevicePreference, Event, Failure, Phase, TranslatorReport};
use crate::model::byt5::{
    ByT5, ByT5Config, ByT5Error, GOLDEN_TOLERANCE, GeometryLevel, Golden, SourceRow, self_test, translate,
};
use crate::model::translation::{Passage, Question, Translated};
use crate::signs::taxonomy::SignTree;
use crate::text::Document;
use crate::weights::{WeightsError, load_byt5, read_translator_golden};
use burn::tensor::Device;

/// Names under which the weights are looked for in a translator's manifest.
const WEIGHTS: [&str; 2] = ["translator.safetensors", "model.safetensors"];
const GOLDEN: &str = "golden.safetensors";
/// The way of the golden file that has the model as it is shipped.
const WAY: &str = "byte";

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
    let files = Files::open(job, model, store).await?;
    let reason = match candidate {
        Ok(gpu) => match files.on_gpu(job, &gpu).await? {
            Ok((model, difference)) => {
                let reason = "It passed its self-test against stored golden numbers.".to_owned();
                job.tell(Event::Translator(files.report(&model, DeviceKind::WebGpu, reason, difference)));
                return Ok(Translator { model, trouble: Some(gpu.trouble) });
            }
            Err(problem) => problem,
        },
        Err(problem) => problem,
    };
    if preference == DevicePreference::WebGpu {
        return Err(errors::no_webgpu(&reason));
    }
    let model = files.load(job, &Device::flex()).await?;
    let difference = files.test(job, &model).await.map_err(|error| from_byt5(error, None))?;
    if difference > GOLDEN_TOLERANCE {
        return Err(errors::wrong_numbers(difference, GOLDEN_TOLERANCE));
    }
    let reason = format!("The CPU computes because {reason}.");
    job.tell(Event::Translator(files.report(&model, DeviceKind::Cpu, reason, difference)));
    Ok(Translator { model, trouble: None })
}

/// A translator's folder with its short files read.
struct Files {
    folder: Folder,
    config: ByT5Config,
    golden: Golden,
}

impl Files {
    async fn open(job: &Job, model: &str, store: bool) -> Result<Self, Failure> {
        let folder = folder::open(model, store, &job.stop, &|progress| job.tell(Event::Progress(progress))).await?;
        let config = ByT5Config::from_json(&folder.whole("config.json").await?)
            .map_err(|problem| errors::unreadable("config.json", problem))?;
        let golden = read_translator_golden(&folder.whole(GOLDEN).await?, WAY).await.map_err(|e| from_weights(&e))?;
        Ok(Self { folder, config, golden })
    }

    /// Loads the weights; a stored copy that turns out to be damaged is removed, so that opening again fetches it.
    async fn load(&self, job: &Job, device: &Device) -> Result<ByT5, Failure> {
        let manifest = &self.folder.manifest;
        let named = WEIGHTS.iter().find(|name| manifest.file(name).is_ok()).unwrap_or(&WEIGHTS[0]);
        let loaded = async {
            let entry = manifest.file(named)?;
            let content = self.folder.file(&entry.name).map_err(|failure| WeightsError::Header(failure.details))?;
            let mut source = content.clone();
            let throttle = Throttle::new();
            let on_bytes = |done, total| {
                if throttle.passes(done, total) {
                    job.progress(Phase::Read, done, total);
                }
            };
            load_byt5(&self.config, &mut source, Some(entry), device, on_bytes, &job.pace()).await
        };
        let loaded = loaded.await;
        if let Err(WeightsError::Altered { .. } | WeightsError::Length { .. } | WeightsError::Source(_)) = &loaded {
            self.folder.discard(named).await;
        }
        loaded.map_err(|error| from_weights(&error))
    }

    /// The largest relative difference from the golden states and logits.
    async fn test(&self, job: &Job, model: &ByT5) -> Result<f32, ByT5Error> {
        job.progress(Phase::SelfTest, 0, 1);
        let [states, logits] = self_test(model, &self.golden, &job.pace()).await?;
        job.progress(Phase::SelfTest, 1, 1);
        Ok(states.max(logits))
    }

    /// The model on the GPU and its difference in the self-test, or why the GPU cannot be trusted.
    async fn on_gpu(&self, job: &Job, gpu: &Gpu) -> Result<Result<(ByT5, f32), String>, Failure> {
        let model = self.load(job, &gpu.device).await?;
        let outcome = self.test(job, &model).await;
        let trouble = gpu.trouble.take();
        let name = &gpu.name;
        Ok(match (outcome, trouble) {
            (Err(ByT5Error::Stopped), _) => return Err(errors::cancelled()),
            (_, Some(trouble)) => Err(format!("WebGPU ({name}) reported an error in its self-test: {trouble}")),
            (Err(error), None) => Err(format!("WebGPU ({name}) failed in its self-test: {error}")),
            (Ok(difference), None) if difference > GOLDEN_TOLERANCE => {
                Err(format!("WebGPU ({name}) failed its self-test: its numbers differ by {difference:.1e}"))
            }
            (Ok(difference), None) => Ok((model, difference)),
        })
    }

    fn report(&self, model: &ByT5, device: DeviceKind, reason: String, self_test: f32) -> TranslatorReport {
        TranslatorReport {
            device,
            reason,
            self_test,
            stored: self.folder.stored,
            storage_note: self.folder.storage_note.clone(),
            parameters: self.config.parameter_count(),
            bias: model.geometry().is_some(),
        }
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
        let (rows, pace) = ([row(&translator.model, &passage.text)], job.pace());
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

/// What the model reads; a bias over signs is told which byte belongs to which.
pub(super) fn row(model: &ByT5, text: &str) -> SourceRow {
    let row = SourceRow::of_text(text);
    let over_signs = model.geometry().is_some() && model.config().geometry_level == GeometryLevel::Sign;
    SourceRow { points: over_signs.then(|| SignTree::shared().numbers(text)), ..row }
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
