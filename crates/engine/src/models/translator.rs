//! The translator: opening it and translating passage by passage; its attention maps and the points of its bias for the
//! page to draw.

use crate::bindings::now;
use crate::errors;
use crate::job::Job;
use crate::models::opening::{ComputeDevice, Trusted, choose, open as open_model};
use crate::models::translator_files::TranslatorFiles;
use crate::queue::Throttle;
use crate::wasm_module::wasm_memory;
use tuppum_domain::generation::{Options, Output, Partial};
use tuppum_domain::translation::attention::{
    AttentionAnswer, AttentionKind, AttentionQuestion, LearnedPoints, Strength,
};
use tuppum_domain::translation::{Passage, Question, Translated};
use tuppum_nn::byt5::{ByT5, ByT5Error, GeometryLevel, SourceRow, translate};
use tuppum_protocol::{
    AttentionEvent, DeviceKind, Failure, OpenModel, Phase, TranslationEvent, TranslatorReport, TreeEvent,
};
use tuppum_text::Document;
use tuppum_text::tokens::TokenId;

/// Minimum milliseconds between two partial translations sent to the page.
const PARTIAL_INTERVAL_MS: f64 = 200.0;

/// Open translator with its device.
pub struct Translator {
    model: ByT5,
    device: ComputeDevice,
}

/// Opens a translator on a device.
///
/// # Errors
/// There is neither network nor a stored copy, files are damaged, WebGPU was demanded and cannot be used, or the job
/// was cancelled.
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
    let translator = Translator { model, device };
    job.emit(TranslationEvent::Translator(report(&files, &translator, reason, difference)));
    Ok(translator)
}

fn report(
    files: &TranslatorFiles,
    translator: &Translator,
    reason: String,
    self_test: Option<f32>,
) -> TranslatorReport {
    let (model, device) = (&translator.model, translator.device.kind());
    TranslatorReport {
        device,
        reason,
        self_test,
        stored: files.stored,
        storage_note: files.storage_note.clone(),
        parameters: model.parameter_count(),
        bias: model.geometry().is_some(),
        golden: files.golden.is_some(),
        // The decoder's maps are held a second time while it writes.
        memory: wasm_memory() + if device == DeviceKind::Cpu { model.config().bytes_to_write() } else { 0 },
        writes_together: translator.writes_together(),
    }
}

/// Translates a text, passage by passage, and sends partial translations on the way.
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
    job.progress(Phase::Translate, 0, passages.len() as u64);
    let at_a_time = translator.passages_together(question);
    for (number, together) in passages.chunks(at_a_time).enumerate() {
        let counts = [number * at_a_time, passages.len()];
        PassageGroup::begin(job, translator, question, together, counts).translate().await?;
    }
    Ok(())
}

impl Translator {
    /// Returns `true` if the translator writes several passages in the same steps: on the CPU this is faster, unless
    /// its maps are so large that they are rounded.
    fn writes_together(&self) -> bool {
        self.device.kind() == DeviceKind::Cpu && !self.model.config().has_rounded_maps()
    }

    /// Returns the number of passages that are translated at a time.
    fn passages_together(&self, question: &Question) -> usize {
        if self.writes_together() { question.options().sources_together() } else { 1 }
    }
}

/// Passages that are translated together. The page sees the first unfinished one.
struct PassageGroup<'t> {
    job: &'t Job,
    translator: &'t Translator,
    question: &'t Question,
    /// Passages as the translator reads them.
    read: Vec<Passage>,
    /// Translation of each passage so far; `None` once it was sent complete.
    written: Vec<Option<Translated>>,
    /// Numbers of passages: finished, and in all.
    counts: [usize; 2],
    throttle: Throttle,
    /// Error that the device reported when a passage was finished; that passage is not sent.
    lost: Option<Failure>,
}

impl<'t> PassageGroup<'t> {
    fn begin(
        job: &'t Job,
        translator: &'t Translator,
        question: &'t Question,
        passages: &[Passage],
        counts: [usize; 2],
    ) -> Self {
        Self {
            job,
            translator,
            question,
            read: passages.iter().map(Passage::as_read).collect(),
            written: passages.iter().map(|passage| Some(Translated::beginning(passage))).collect(),
            counts,
            throttle: Throttle::every(PARTIAL_INTERVAL_MS, now),
            lost: None,
        }
    }

    async fn translate(mut self) -> Result<(), Failure> {
        let (model, device) = (&self.translator.model, &self.translator.device);
        let rows: Vec<SourceRow> = self.read.iter().map(|read| model.row_of(&read.text)).collect();
        let (options, yielder) = (self.question.options(), self.job.yielder());
        self.send_first();
        let outcome = translate(model, &rows, &options, &yielder, |partial| self.receive(partial)).await;
        outcome.map_err(|error| device.failure(error))?;
        self.lost.map_or_else(|| device.check(), Err)
    }

    fn receive(&mut self, Partial { source, text, found }: Partial<'_>) {
        let is_first = self.written.iter().position(Option::is_some) == Some(source);
        let Some(written) = self.written.get_mut(source) else { return };
        match found {
            Some(outputs) => {
                self.lost = self.lost.take().or(self.translator.device.check().err());
                if let (Some(translated), None) = (written.take(), &self.lost) {
                    self.finish(source, translated, outputs);
                    if is_first {
                        self.send_first();
                    }
                }
            }
            None => {
                written.iter_mut().for_each(|translated| text.clone_into(&mut translated.partial));
                if is_first && self.throttle.passes(0, 1) {
                    self.send_first();
                }
            }
        }
    }

    fn finish(&mut self, source: usize, mut translated: Translated, outputs: &[Output]) {
        let calibration = self.translator.model.config().calibration.as_ref().filter(|_| self.question.bias);
        translated.finish(&self.read[source], outputs, calibration);
        self.send(translated);
        let [done, total] = &mut self.counts;
        *done += 1;
        self.job.progress(Phase::Translate, *done as u64, *total as u64);
    }

    fn send_first(&self) {
        self.written.iter().flatten().next().cloned().into_iter().for_each(|first| self.send(first));
    }

    fn send(&self, translated: Translated) {
        let [number, total] = self.counts;
        self.job.emit(TranslationEvent::Translated { number, total, translated });
    }
}

/// Maximum bytes of the translation, if the question does not give one.
const MAX_WRITTEN_BYTES: usize = 128;

/// Computes the attention map that a question asks for; the translator is not changed.
///
/// # Errors
/// The text cannot be read, the question sets the strength of a bias that the model lacks, the device failed, or the
/// job was cancelled.
pub async fn attention(job: &Job, translator: &Translator, question: &AttentionQuestion) -> Result<(), Failure> {
    job.progress(Phase::Attention, 0, 1);
    let model = &translator.model;
    let changed = match (question.bias, model.geometry()) {
        (Strength::Alpha(alpha), Some(own)) => Some(own.with_alpha(alpha)),
        (Strength::Alpha(_), None) => {
            return Err(errors::question("This translator has no hyperbolic bias whose strength could be changed."));
        }
        (Strength::Off | Strength::Own, _) => None,
    };
    let geometry = match question.bias {
        Strength::Off => None,
        Strength::Own => model.geometry(),
        Strength::Alpha(_) => changed.as_ref(),
    };
    let outcome = async {
        let row = model.row_of(&question.text);
        let target = match (&question.target, question.kind) {
            (_, AttentionKind::Encoder) => Vec::new(),
            (Some(target), _) => target.clone(),
            (None, _) => written_tokens(job, translator, &row).await?,
        };
        let map = model.attention_map(&row, &target, geometry, question, &job.yielder()).await?;
        let alpha = match model.geometry() {
            Some(geometry) => Some(geometry.values().await?.1),
            None => None,
        };
        let layers = model.layers_of(question.kind);
        let (heads, reach) = (model.config().num_heads, model.geometry().map_or(0, |geometry| geometry.layers()));
        Ok(AttentionAnswer { map, target, layers, heads, alpha, reach })
    };
    let answer = outcome.await.map_err(|error: ByT5Error| translator.device.failure(error))?;
    translator.device.check()?;
    job.progress(Phase::Attention, 1, 1);
    job.emit(AttentionEvent::Attention(answer));
    Ok(())
}

/// Returns the most probable translation as tokens, with the model's own bias.
async fn written_tokens(job: &Job, translator: &Translator, row: &SourceRow) -> Result<Vec<TokenId>, ByT5Error> {
    let options = Options { longest: MAX_WRITTEN_BYTES, ..Options::default() };
    let rows = std::slice::from_ref(row);
    let found = translate(&translator.model, rows, &options, &job.yielder(), |_| ()).await?;
    Ok(found.into_iter().flatten().next().map(|output| output.tokens).unwrap_or_default())
}

/// Sends the points of the bias.
///
/// # Errors
/// The translator has no bias, or its device failed.
pub async fn points(job: &Job, translator: &Translator) -> Result<(), Failure> {
    let Some(geometry) = translator.model.geometry() else {
        return Err(errors::question("This translator has no hyperbolic bias, so it has no points."));
    };
    let (values, alpha) = geometry.values().await.map_err(|error| translator.device.failure(error))?;
    translator.device.check()?;
    let dimensions = values.len() / geometry.count().max(1);
    let signs = translator.model.config().geometry_level == GeometryLevel::Sign;
    job.emit(TreeEvent::Points(LearnedPoints { values, dimensions, curvature: geometry.curvature(), alpha, signs }));
    Ok(())
}
