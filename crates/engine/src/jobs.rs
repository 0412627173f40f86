//! What the worker does for a request. Every job reports through its [`Job`] and ends in success or one failure.

use super::device::{Gpu, Trouble, gpu};
use super::errors;
use super::pace::{StopWish, Throttle, Turns};
use super::restorer_files::RestorerFiles;
use burn::tensor::Device;
use tuppum_nn::torso::{GOLDEN_TOLERANCE, Golden, Pace, Stop, Torso, TorsoError, TorsoScorer, computed, self_test};
use tuppum_protocol::{
    DeviceKind, DevicePreference, Event, Failure, FailureKind, Phase, Progress, Question, RequestId,
};
use tuppum_tasks::restoration::Row;
use tuppum_tasks::restoration::leaning::Leaning;
use tuppum_tasks::restoration::search::{RestoreError, Restorer, SearchPhase, Update};
use tuppum_text::SignIndex;
use tuppum_text::tokens::{BEGIN, LINE_END, MASK};
use tuppum_weights::WeightsError;

/// Signs in the row of the first run: a typical passage.
const TYPICAL_LENGTH: usize = 64;

/// One request being worked on: where its events go, and whether it is to stop.
pub struct Job {
    /// Number of the request.
    pub id: RequestId,
    /// The user's wish to stop it.
    pub stop: StopWish,
    /// Takes its events.
    pub post: fn(RequestId, Event),
}

impl Job {
    /// Posts an event of the job.
    pub fn tell(&self, event: Event) {
        (self.post)(self.id, event);
    }

    /// Posts how far the job is.
    pub fn progress(&self, phase: Phase, done: u64, total: u64) {
        self.tell(Event::Progress(Progress { phase, done, total }));
    }

    /// The pace that hears its stop.
    pub fn pace(&self) -> JobPace {
        JobPace { stop: self.stop.clone(), turns: Turns::new() }
    }
}

/// Lets the worker hear messages between layers, and stops when one of them was a cancel.
#[derive(Clone)]
pub struct JobPace {
    stop: StopWish,
    turns: Turns,
}

impl Pace for JobPace {
    async fn between_layers(&self) -> Result<(), Stop> {
        self.turns.take_if_due().await;
        if self.stop.is_asked() { Err(Stop) } else { Ok(()) }
    }
}

/// A model ready to answer.
pub struct Opened {
    restorer: Restorer,
    scorer: TorsoScorer<JobPace>,
    trouble: Option<Trouble>,
}

/// Brings a model and a device together.
///
/// # Errors
/// No network and nothing stored, damaged files, no device where WebGPU was demanded, or the job was stopped.
pub async fn open(job: &Job, model: &str, preference: DevicePreference, store: bool) -> Result<Opened, Failure> {
    job.progress(Phase::Device, 0, 1);
    let candidate = match preference {
        DevicePreference::Cpu => Err("you chose it".to_owned()),
        DevicePreference::Best => gpu(false).await,
        DevicePreference::WebGpu => gpu(true).await,
    };
    job.progress(Phase::Device, 1, 1);
    let mut files = RestorerFiles::open(job, model, store).await?;
    let reason = match candidate {
        Ok(gpu) => match open_on_gpu(job, &mut files, &gpu).await? {
            Ok((torso, difference)) => {
                let against = if files.golden.is_some() { "stored golden numbers" } else { "the CPU" };
                let reason = format!("It passed its self-test against {against}.");
                job.tell(Event::Device(files.report(DeviceKind::WebGpu, gpu.name, reason, difference)));
                return ready(job, &files, torso, Some(gpu.trouble));
            }
            Err(problem) => problem,
        },
        Err(problem) => problem,
    };
    if preference == DevicePreference::WebGpu {
        return Err(errors::no_webgpu(&reason));
    }
    let torso = files.load(job, &Device::flex()).await?;
    let golden = files.golden.clone();
    let difference = test(job, &torso, golden.as_ref()).await.map_err(|error| from_torso(error, None))?;
    if difference > GOLDEN_TOLERANCE {
        return Err(errors::wrong_numbers(difference, GOLDEN_TOLERANCE));
    }
    let reason = format!("The CPU computes because {reason}.");
    job.tell(Event::Device(files.report(DeviceKind::Cpu, String::new(), reason, difference)));
    ready(job, &files, torso, None)
}

fn ready(job: &Job, files: &RestorerFiles, torso: Torso, trouble: Option<Trouble>) -> Result<Opened, Failure> {
    let scorer = TorsoScorer::new(torso, job.pace());
    Ok(Opened { restorer: Restorer::new(files.vocabulary()?), scorer, trouble })
}

/// The torso on the GPU and its difference in the self-test, or why the GPU cannot be trusted.
async fn open_on_gpu(job: &Job, files: &mut RestorerFiles, gpu: &Gpu) -> Result<Result<(Torso, f32), String>, Failure> {
    let golden = match &files.golden {
        Some(golden) => golden.clone(),
        None => {
            let torso = files.load(job, &Device::flex()).await?;
            computed(&torso, &job.pace()).await.map_err(|error| from_torso(error, None))?
        }
    };
    let torso = files.load(job, &gpu.device).await?;
    let outcome = test(job, &torso, Some(&golden)).await;
    let trouble = gpu.trouble.take();
    Ok(match (outcome, trouble) {
        (Err(TorsoError::Stopped), _) => return Err(errors::cancelled()),
        (_, Some(trouble)) => Err(format!("WebGPU ({}) reported an error in its self-test: {trouble}", gpu.name)),
        (Err(error), None) => Err(format!("WebGPU ({}) failed in its self-test: {error}", gpu.name)),
        (Ok(difference), None) if difference > GOLDEN_TOLERANCE => Err(format!(
            "WebGPU ({}) failed its self-test: its numbers differ by {difference:.1e}, more than {GOLDEN_TOLERANCE:.0e}",
            gpu.name
        )),
        (Ok(difference), None) => Ok((torso, difference)),
    })
}

/// Compares the device with golden numbers, where there are some, then runs a typical row, so that the first question is not the slow
/// one.
async fn test(job: &Job, torso: &Torso, golden: Option<&Golden>) -> Result<f32, TorsoError> {
    let mut difference = 0.0;
    if let Some(golden) = golden {
        job.progress(Phase::SelfTest, 0, 1);
        difference = self_test(torso, golden, &job.pace()).await?;
        job.progress(Phase::SelfTest, 1, 1);
    }
    job.progress(Phase::WarmUp, 0, 1);
    let length = TYPICAL_LENGTH.min(torso.config().longest);
    let ids = (0..length).map(|place| if place == 0 { BEGIN } else { LINE_END }).chain([MASK]).skip(1).collect();
    torso.logits(&[&Row { ids, places: vec![length - 1] }], length, &job.pace()).await?;
    job.progress(Phase::WarmUp, 1, 1);
    Ok(difference)
}

/// Answers a question, refining.
///
/// # Errors
/// The question makes no sense, the device failed, or the job was stopped.
pub async fn restore(job: &Job, opened: &mut Opened, question: &Question) -> Result<(), Failure> {
    opened.scorer.set_pace(job.pace());
    // a text of a thousand gaps refines faster than a page can draw; the last answer is told below in any case
    let throttle = Throttle::new();
    let outcome = opened.restorer.answer(question, &mut opened.scorer, |update| match update {
        Update::Progress { phase, done, total } => job.progress(search_phase(phase), done, total),
        Update::Answer(answer) if throttle.passes(0, 1) => job.tell(Event::Answer(answer)),
        Update::Answer(_) => {}
    });
    let outcome = outcome.await;
    let trouble = opened.trouble.as_ref();
    match outcome {
        Err(RestoreError::Question(problem)) => Err(errors::question(problem)),
        Err(RestoreError::Scorer(error)) => Err(from_torso(error, trouble)),
        Ok(answer) => {
            fail_on(trouble)?;
            job.tell(Event::Answer(answer));
            Ok(())
        }
    }
}

/// Says which signs an answer leaned on.
///
/// # Errors
/// The question makes no sense, the device failed, or the job was stopped.
pub async fn influence(
    job: &Job,
    opened: &mut Opened,
    question: &Question,
    sign: SignIndex,
    reading: &str,
    starts_word: bool,
) -> Result<(), Failure> {
    job.progress(Phase::Influence, 0, 1);
    let leaning = Leaning::new(question, opened.restorer.vocabulary(), sign, reading, starts_word);
    let leaning = leaning.map_err(errors::question)?;
    let torso = opened.scorer.torso();
    let shares = torso.influence(&leaning.ids, leaning.place, leaning.token, &job.pace()).await;
    let trouble = opened.trouble.as_ref();
    let shares = shares.map_err(|error| from_torso(error, trouble))?;
    fail_on(trouble)?;
    job.progress(Phase::Influence, 1, 1);
    job.tell(Event::Influence(leaning.by_sign(&shares)));
    Ok(())
}

fn search_phase(phase: SearchPhase) -> Phase {
    match phase {
        SearchPhase::Singles => Phase::Singles,
        SearchPhase::Joint => Phase::Joint,
        SearchPhase::Lengths => Phase::Lengths,
    }
}

/// Fails when the device has reported an error.
pub(super) fn fail_on(trouble: Option<&Trouble>) -> Result<(), Failure> {
    match trouble.and_then(Trouble::take) {
        Some(error) => Err(errors::device_lost(error)),
        None => Ok(()),
    }
}

/// What a restorer's failure means to the user.
pub(super) fn from_torso(error: TorsoError, trouble: Option<&Trouble>) -> Failure {
    match (error, trouble) {
        (TorsoError::Stopped, _) => errors::cancelled(),
        (TorsoError::Device(problem), Some(trouble)) => {
            errors::device_lost(format!("{problem} {}", trouble.take().unwrap_or_default()))
        }
        (error, _) => errors::internal(error.to_string()),
    }
}

/// What is wrong with a model's files, for the user.
pub(super) fn from_weights(error: &WeightsError) -> Failure {
    if *error == WeightsError::Stopped {
        return errors::cancelled();
    }
    let hints = error.hints();
    Failure {
        kind: FailureKind::Weights,
        message: format!("The model cannot be used: {error}."),
        hints,
        details: format!("{error:?}"),
    }
}
