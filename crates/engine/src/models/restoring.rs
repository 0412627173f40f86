//! The restorer: opening it, restoring, and the influence of each sign on an answer.

use crate::errors;
use crate::event_loop::Throttle;
use crate::job::{Job, JobYield};
use crate::models::compute::ComputeDevice;
use crate::models::opening::{Trusted, choose, open as open_model};
use crate::models::restorer_files::RestorerFiles;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_nn::torso::TorsoScorer;
use tuppum_protocol::{Answer, Failure, OpenModel, Phase, Question, RestorationEvent};
use tuppum_tasks::restoration::Scorer;
use tuppum_tasks::restoration::saliency::SaliencyQuestion;
use tuppum_tasks::restoration::search::{RestoreError, Restorer, SearchPhase, Update};
use tuppum_text::SignIndex;

/// Open restorer with its device.
pub struct OpenRestorer {
    restorer: Restorer,
    scorer: TorsoScorer<JobYield>,
    device: ComputeDevice,
}

/// Opens a restorer on a device.
///
/// # Errors
/// There is neither network nor a stored copy, files are damaged, WebGPU was demanded and cannot be used, or the job
/// was cancelled.
pub async fn open(job: &Job, asked: &OpenModel) -> Result<OpenRestorer, Failure> {
    let gpu = choose(job, asked.device).await;
    let mut files = RestorerFiles::open(job, &asked.model, asked.store).await?;
    let Trusted { model, device, difference, rejected } = open_model(job, &mut files, gpu, asked.device).await?;
    let reason = match &rejected {
        Some(rejected) => format!("The CPU computes because {rejected}."),
        None if files.golden.is_some() => "It passed its self-test against stored reference numbers.".to_owned(),
        None => "It passed its self-test against the CPU.".to_owned(),
    };
    job.emit(files.report(&device, reason, difference.unwrap_or_default()));
    let scorer = TorsoScorer::new(model, job.yielder());
    Ok(OpenRestorer { restorer: Restorer::new(files.vocabulary()?), scorer, device })
}

/// Answers a question with increasingly good answers; with corpora, attested contexts count too.
///
/// # Errors
/// The question cannot be answered as asked, the device failed, or the job was cancelled.
pub async fn restore(
    job: &Job,
    opened: &mut OpenRestorer,
    corpus: Option<&OpenCorpus>,
    question: &Question,
) -> Result<(), Failure> {
    let OpenRestorer { restorer, scorer, device } = opened;
    scorer.set_yielder(job.yielder());
    let outcome = match corpus {
        Some(corpus) => {
            let mut scorer = corpus.scorer(scorer, restorer.vocabulary(), question);
            answer_by(job, restorer, &mut scorer, question).await
        }
        None => answer_by(job, restorer, scorer, question).await,
    };
    match outcome {
        Err(RestoreError::Question(problem)) => Err(errors::question(problem)),
        Err(RestoreError::Scorer(error)) => Err(device.failure(error)),
        Ok(answer) => {
            device.check()?;
            job.emit(RestorationEvent::Answer(answer));
            Ok(())
        }
    }
}

async fn answer_by<S: Scorer>(
    job: &Job,
    restorer: &Restorer,
    scorer: &mut S,
    question: &Question,
) -> Result<Answer, RestoreError<S::Error>> {
    // A text of a thousand gaps is refined faster than a page can draw; the caller always sends the last answer.
    let throttle = Throttle::new();
    let on_update = |update| match update {
        Update::Progress { phase, done, total } => job.progress(search_phase(phase), done, total),
        Update::Answer(answer) if throttle.passes(0, 1) => job.emit(RestorationEvent::Answer(answer)),
        Update::Answer(_) => {}
    };
    restorer.answer(question, scorer, on_update).await
}

/// Computes the influence of each sign on an answer.
///
/// # Errors
/// The question cannot be answered as asked, the device failed, or the job was cancelled.
pub async fn influence(
    job: &Job,
    opened: &OpenRestorer,
    question: &Question,
    (sign, reading, starts_word): (SignIndex, &str, bool),
) -> Result<(), Failure> {
    job.progress(Phase::Influence, 0, 1);
    let asked = SaliencyQuestion::new(question, opened.restorer.vocabulary(), sign, reading, starts_word);
    let saliency = asked.map_err(errors::question)?;
    let torso = opened.scorer.torso();
    let shares = torso.influence(&saliency.ids, saliency.place, saliency.token, &job.yielder()).await;
    let shares = shares.map_err(|error| opened.device.failure(error))?;
    opened.device.check()?;
    job.progress(Phase::Influence, 1, 1);
    job.emit(RestorationEvent::Influence(saliency.by_sign(&shares)));
    Ok(())
}

fn search_phase(phase: SearchPhase) -> Phase {
    match phase {
        SearchPhase::Singles => Phase::Singles,
        SearchPhase::Joint => Phase::Joint,
        SearchPhase::Lengths => Phase::Lengths,
    }
}
