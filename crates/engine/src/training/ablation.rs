//! The ablation on the user's corpus: small runs in six ways, one after the other. Their results are not stored here;
//! the page keeps them and sends them back to continue.

use super::base::{self, ChosenDevice};
use crate::ablation_results::{check, fingerprint, found, report};
use crate::errors;
use crate::job::Job;
use tuppum_domain::translation::training::{TranslatorTrainingPlan, TranslatorTrainingSettings, Validation};
use tuppum_eval::ablation::{ARMS, Division, Ingredients};
use tuppum_nn::byt5::ByT5;
use tuppum_protocol::{AblationEvent, AblationOrder, AblationRun, AblationStep, Failure, ModelRef, Phase};
use tuppum_train::TrainError;
use tuppum_train::translator::{TranslatorTrainer, validation};

/// Makes the missing runs, and sends the results of all runs after each.
///
/// # Errors
/// The corpus or the base cannot be used, there is too little memory, the device failed, or the job was cancelled.
pub async fn run(job: &Job, order: AblationOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    let division = Division::of(&order.plan);
    check(&division)?;
    let fingerprint = fingerprint(&order.base, base::checksum(job, &order.base).await?, &order.plan)?;
    let known = order.known.filter(|known| known.fingerprint == fingerprint).map(|known| known.runs);
    let mut runs = known.unwrap_or_default();
    runs.retain(|run| run.problem.is_some() || run.validation.bits.len() == division.measured.len());
    let chosen = base::device(job, order.device).await?;
    job.emit(AblationEvent::Ablation(report(&division, chosen.reason.clone(), fingerprint, order.seeds.len())));
    for known in &runs {
        job.emit(AblationEvent::AblationRun(known.clone()));
    }
    if !runs.is_empty() {
        job.emit(AblationEvent::AblationFound(found(&division, &runs)?));
    }
    for seed in order.seeds {
        let is_known = |arm: &&Ingredients| runs.iter().any(|run| run.arm == arm.name && run.seed == seed);
        let missing: Vec<&Ingredients> = ARMS.iter().filter(|arm| !is_known(arm)).collect();
        if missing.is_empty() {
            continue;
        }
        let model = base(job, &order.base, &order.plan, seed, &chosen).await?;
        for arm in missing {
            let run = one(job, &model, arm, division.plan(arm, seed, &order.plan.settings), &division, &chosen).await?;
            runs.push(run.clone());
            job.emit(AblationEvent::AblationRun(run));
            job.emit(AblationEvent::AblationFound(found(&division, &runs)?));
        }
    }
    Ok(())
}

/// Returns the model that the runs of a seed start from, with a new bias for the arms that want one: a bias trained
/// earlier would be an advantage that the other arms lack.
async fn base(
    job: &Job,
    model: &ModelRef,
    plan: &TranslatorTrainingPlan,
    seed: u64,
    chosen: &ChosenDevice,
) -> Result<ByT5, Failure> {
    let plan = TranslatorTrainingPlan {
        pairs: plan.pairs.clone(),
        settings: TranslatorTrainingSettings { seed, ..plan.settings.clone() },
    };
    let (mut model, _) = base::open(job, model, &plan, chosen).await?;
    let layers = model.detach().map_or(model.config().geometry_layers, |bias| bias.layers());
    base::attach_usual_bias(&mut model, layers)?;
    Ok(model)
}

/// Makes one run and returns its result.
async fn one(
    job: &Job,
    model: &ByT5,
    arm: &Ingredients,
    plan: TranslatorTrainingPlan,
    division: &Division,
    chosen: &ChosenDevice,
) -> Result<AblationRun, Failure> {
    let (seed, batch_bytes) = (plan.settings.seed, plan.settings.batch_bytes);
    let (device, yielder) = (&chosen.device, job.yielder());
    let failed = |error| device.training_failure(error);
    let mut trainer = TranslatorTrainer::new(model, plan).map_err(failed)?;
    while !trainer.is_finished() {
        let step = match trainer.step(&yielder).await {
            // Other runs may still succeed.
            Err(TrainError::Diverged { step }) => {
                let problem = Some(format!("in step {step} its loss was no longer a number"));
                let (arm, validation) = (arm.name.to_owned(), Validation::default());
                return Ok(AblationRun { arm, seed, validation, problem });
            }
            step => step.map_err(failed)?,
        };
        device.check()?;
        let (arm, step, of) = (arm.name.to_owned(), step.number, step.of);
        job.emit(AblationEvent::AblationStep(AblationStep { arm, seed, step, of }));
    }
    job.progress(Phase::Validate, 0, 0);
    let texts: Vec<(&str, &str)> =
        division.measured.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect();
    let validation = validation(&trainer.model(), &texts, batch_bytes, &yielder).await.map_err(failed)?;
    device.check()?;
    Ok(AblationRun { arm: arm.name.to_owned(), seed, validation, problem: None })
}
