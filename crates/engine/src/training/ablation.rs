//! The six ways of the ablation on the user's corpus: small runs, one after the other. Nothing of them is stored here;
//! the page keeps the result of each, and gives it back to go on.

use super::base::{self, Chosen};
use super::bias;
use crate::errors;
use crate::job::Job;
use tuppum_eval::ablation::{ARMS, ArmComparison, Division, Gain, Ingredients, Outcome, all_compared, all_gains};
use tuppum_eval::texts::TextGroups;
use tuppum_nn::byt5::ByT5;
use tuppum_protocol::{
    AblationArm, AblationEvent, AblationFound, AblationOrder, AblationReport, AblationRun, AblationStep, ArmsCompared,
    Failure, GainFound, ModelRef, Phase,
};
use tuppum_tasks::translation::training::{TranslatorTrainingPlan, TranslatorTrainingSettings, Validation};
use tuppum_train::TrainError;
use tuppum_train::translator::{TranslatorTrainer, validation};
use tuppum_weights::Checksum;

/// Makes the runs that are not known yet, and sends after each what all show so far.
///
/// # Errors
/// The corpus or the base cannot be used, the memory does not suffice, the device failed, or the job was cancelled.
pub async fn run(job: &Job, order: AblationOrder) -> Result<(), Failure> {
    order.plan.check().map_err(errors::question)?;
    let division = Division::of(&order.plan);
    check(&division)?;
    let fingerprint = fingerprint(&order.base, base::checksum(job, &order.base).await?, &order.plan)?;
    let known = order.known.filter(|known| known.fingerprint == fingerprint).map(|known| known.runs);
    let mut runs = known.unwrap_or_default();
    runs.retain(|run| run.problem.is_some() || run.validation.bits.len() == division.measured.len());
    let chosen = base::device(job, order.device).await?;
    job.emit(AblationEvent::Ablation(report(&division, &chosen, fingerprint, order.seeds.len())));
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

/// Whether there is something to compare on each side.
fn check(division: &Division) -> Result<(), Failure> {
    let Division { drawn, supplementary, measured } = division;
    if measured.is_empty() {
        return Err(errors::question(
            "Nothing is set aside to measure on. Whole texts are set aside, so the corpus needs at least two texts: \
             name the text of every row.",
        ));
    }
    if drawn.is_empty() || supplementary.is_empty() {
        return Err(errors::question(
            "At least two pairs of full weight are needed to train on: half of them are held back as additional data.",
        ));
    }
    Ok(())
}

/// What runs are made of: those of another base, corpus or settings are others. The seeds of runs are no part of it.
fn fingerprint(base: &ModelRef, checksum: Option<String>, plan: &TranslatorTrainingPlan) -> Result<String, Failure> {
    let described = serde_json::to_vec(&(base, checksum, plan)).map_err(|error| errors::internal(error.to_string()))?;
    let mut checksum = Checksum::default();
    checksum.add(&described);
    Ok(checksum.digits())
}

fn report(division: &Division, chosen: &Chosen, fingerprint: String, seeds: usize) -> AblationReport {
    let Division { drawn, supplementary, measured } = division;
    let arm =
        |Ingredients { name, data, augmentation, bias }| AblationArm { name: name.into(), data, augmentation, bias };
    AblationReport {
        reason: chosen.reason.clone(),
        fingerprint,
        pairs: [drawn, supplementary, measured].map(Vec::len),
        arms: ARMS.map(arm).to_vec(),
        of: ARMS.len() * seeds,
    }
}

/// The model that the runs of a seed begin with, with a new bias for those that want one: what an earlier training made
/// of its own would be an advantage that the others lack.
async fn base(
    job: &Job,
    model: &ModelRef,
    plan: &TranslatorTrainingPlan,
    seed: u64,
    chosen: &Chosen,
) -> Result<ByT5, Failure> {
    let plan = TranslatorTrainingPlan {
        pairs: plan.pairs.clone(),
        settings: TranslatorTrainingSettings { seed, ..plan.settings.clone() },
    };
    let (mut model, _) = base::open(job, model, &plan, chosen).await?;
    let layers = model.detach().map_or(model.config().geometry_layers, |bias| bias.layers());
    bias::attach_usual(&mut model, layers)?;
    Ok(model)
}

/// Makes one run and returns its result.
async fn one(
    job: &Job,
    model: &ByT5,
    arm: &Ingredients,
    plan: TranslatorTrainingPlan,
    division: &Division,
    chosen: &Chosen,
) -> Result<AblationRun, Failure> {
    let (seed, batch_bytes) = (plan.settings.seed, plan.settings.batch_bytes);
    let (device, yielder) = (&chosen.device, job.yielder());
    let failed = |error| device.training_failure(error);
    let mut trainer = TranslatorTrainer::new(model, plan).map_err(failed)?;
    while !trainer.is_finished() {
        let step = match trainer.step(&yielder).await {
            // Others may still be made.
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

fn outcome(run: &AblationRun) -> Outcome<'_> {
    Outcome { arm: &run.arm, seed: run.seed, validation: &run.validation }
}

/// Compares the runs so far.
fn found(division: &Division, runs: &[AblationRun]) -> Result<AblationFound, Failure> {
    let outcomes: Vec<Outcome> = runs.iter().filter(|run| run.problem.is_none()).map(outcome).collect();
    let texts = TextGroups::of(division.measured.iter().map(|pair| pair.text_key()));
    let comparisons = all_compared(&outcomes, &texts).map_err(errors::internal)?;
    let trained = division.drawn.iter().chain(&division.supplementary).map(|pair| pair.source.as_str());
    let measured: Vec<&str> = division.measured.iter().map(|pair| pair.source.as_str()).collect();
    let gains = all_gains(trained, &measured, &outcomes, &texts).map_err(errors::internal)?;
    Ok(AblationFound {
        comparisons: comparisons.into_iter().map(compared).collect(),
        gains: gains.into_iter().map(gain).collect(),
    })
}

fn compared(found: ArmComparison) -> ArmsCompared {
    let (verdict, difference) = (found.verdict(), found.bits.difference);
    ArmsCompared {
        first: found.first,
        second: found.second,
        difference: difference.value,
        interval: [difference.low, difference.high],
        verdict,
    }
}

fn gain(found: Gain) -> GainFound {
    let said = found.verdict().to_owned();
    GainFound { axis: found.axis.to_owned(), points: found.points, line: found.trend.line, said }
}
