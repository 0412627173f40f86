//! Reports on a run of a restorer: before and after training.

use crate::failure::Result;
use crate::run_loop::{self, few_texts, going_on, json, last_loss};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use tuppum_domain::restoration::training::{Masking, RestorerTrainingSettings};
use tuppum_domain::training_memory::TrainingMemory;
use tuppum_eval::restoration::{RATE, RestorationScores, RestorerComparison};
use tuppum_eval::translation::Interval;
use tuppum_train::restorer::RestorerTrainer;

/// Describes the run that is about to begin: its steps, and the share that is masked beside the share that is damaged.
pub fn beginning(trainer: &RestorerTrainer) -> String {
    let plan = trainer.plan();
    let [trained, held_out] = plan.split();
    let steps = trainer.steps();
    let tokens: usize = trainer.sequences().iter().map(|own| own.ids.len()).sum();
    let mut text = format!(
        "{} texts train ({} sequences, {tokens} tokens), {} are held out; {} numbers train in {steps} steps",
        trained.len(),
        trainer.sequences().len(),
        held_out.len(),
        trainer.trained()
    );
    if plan.left_out() > 0 {
        let _ = write!(text, "; {} texts have too few signs", plan.left_out());
    }
    text += &going_on(trainer);
    let memory = TrainingMemory::of_restorer(trainer.model().config().size(), &plan.settings).bytes();
    let _ = write!(text, "; takes at most about {:.1} GB of memory", memory as f64 / 1e9);
    if let Some(rate) = plan.damage().rate() {
        let Masking { least, most, .. } = plan.settings.masking;
        let _ = write!(
            text,
            "\n{:.1} % of the signs of these texts are damaged, restored or illegible; training masks {:.0} to {:.0} % \
             of the legible signs of a sequence, measuring {:.0} %",
            100.0 * rate,
            100.0 * least,
            100.0 * most,
            100.0 * RATE
        );
    }
    text
}

#[derive(Serialize)]
struct RunResult<'a> {
    settings: &'a RestorerTrainingSettings,
    texts: [usize; 2],
    damaged: Option<f64>,
    steps: u32,
    last_loss: Option<f32>,
    validations: Vec<(u32, f64)>,
    compared: Option<&'a RestorerComparison>,
}

/// Returns the result as JSON.
///
/// # Errors
/// A number cannot be written as JSON.
pub fn result(trainer: &RestorerTrainer, compared: Option<&RestorerComparison>) -> Result<String> {
    let result = RunResult {
        settings: &trainer.plan().settings,
        texts: trainer.plan().split().map(|side| side.len()),
        damaged: trainer.plan().damage().rate(),
        steps: trainer.done(),
        last_loss: last_loss(trainer),
        validations: trainer.validations().iter().map(|found| (found.after, found.loss)).collect(),
        compared,
    };
    json(&result)
}

/// Returns the result in a few lines.
pub fn summary(trainer: &RestorerTrainer, compared: Option<&RestorerComparison>, folder: &Path) -> String {
    run_loop::summary(trainer, compared.map(table), folder)
}

fn table(compared: &RestorerComparison) -> String {
    let RestorerComparison { first, second, loss, hit_1, sequences, texts } = compared;
    let mut text =
        format!("held out: {} signs of {sequences} sequences of {texts} texts, word boundary given\n", first.targets);
    text += "          loss  hit@1  hit@5  hit@10  hit@20    MRR\n";
    for (name, scores) in [("before", first), ("after", second)] {
        let RestorationScores { loss, hit_1, hit_5, hit_10, hit_20, mrr, .. } = scores;
        let _ = writeln!(text, "{name:6}  {loss:6.4}  {hit_1:.3}  {hit_5:.3}   {hit_10:.3}   {hit_20:.3}  {mrr:.3}");
    }
    let interval = |own: &Interval| format!("{:+.4} ({:+.4} to {:+.4})", own.value, own.low, own.high);
    let _ = write!(
        text,
        "difference, with what 95 % of the samples of a paired bootstrap over texts say: loss {}, hit@1 {}",
        interval(loss),
        interval(hit_1)
    );
    text + &few_texts(*texts, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_before_after_and_between() {
        let first =
            RestorationScores { targets: 600, loss: 2.1, hit_1: 0.5, hit_5: 0.7, hit_10: 0.8, hit_20: 0.9, mrr: 0.6 };
        let second = RestorationScores { loss: 2.0, hit_1: 0.52, ..first };
        let loss = Interval { value: -0.1, mean: -0.1, low: -0.15, high: -0.05 };
        let hit_1 = Interval { value: 0.02, mean: 0.02, low: 0.01, high: 0.03 };
        let text = table(&RestorerComparison { first, second, loss, hit_1, sequences: 30, texts: 20 });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "held out: 600 signs of 30 sequences of 20 texts, word boundary given");
        assert_eq!(lines[3], "after   2.0000  0.520  0.700   0.800   0.900  0.600");
        assert_eq!(lines[1].len(), lines[3].len());
        let few = table(&RestorerComparison { first, second, loss, hit_1, sequences: 30, texts: 19 });
        assert!(few.ends_with("fewer than 20 texts: these intervals cannot be trusted"), "{few}");
        assert!(lines[4].ends_with("loss -0.1000 (-0.1500 to -0.0500), hit@1 +0.0200 (+0.0100 to +0.0300)"), "{text}");
    }
}
