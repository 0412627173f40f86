//! Results of the ablation on the user's corpus: the checks before it, what identifies its runs, and their comparison.

use crate::errors;
use tuppum_domain::translation::training::TranslatorTrainingPlan;
use tuppum_eval::ablation::{ARMS, ArmComparison, Division, Gain, Ingredients, Outcome, all_compared, all_gains};
use tuppum_eval::texts::TextGroups;
use tuppum_protocol::{
    AblationArm, AblationFound, AblationReport, AblationRun, ArmsCompared, Failure, GainFound, ModelRef,
};
use tuppum_weights::Checksum;

/// Checks that there are pairs to train on and to measure on.
///
/// # Errors
/// One of the sides has none.
pub fn check(division: &Division) -> Result<(), Failure> {
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

/// Returns the checksum of base, corpus and settings, which identifies comparable runs. The seeds of the runs are not
/// part of it.
///
/// # Errors
/// The plan cannot be written as text.
pub fn fingerprint(
    base: &ModelRef,
    checksum: Option<String>,
    plan: &TranslatorTrainingPlan,
) -> Result<String, Failure> {
    let described = serde_json::to_vec(&(base, checksum, plan)).map_err(|error| errors::internal(error.to_string()))?;
    let mut checksum = Checksum::default();
    checksum.add(&described);
    Ok(checksum.digits())
}

/// Returns the state of an ablation as it starts; `reason` says why its device was chosen.
pub fn report(division: &Division, reason: String, fingerprint: String, seeds: usize) -> AblationReport {
    let Division { drawn, supplementary, measured } = division;
    let arm =
        |Ingredients { name, data, augmentation, bias }| AblationArm { name: name.into(), data, augmentation, bias };
    AblationReport {
        reason,
        fingerprint,
        pairs: [drawn, supplementary, measured].map(Vec::len),
        arms: ARMS.map(arm).to_vec(),
        of: ARMS.len() * seeds,
    }
}

fn outcome(run: &AblationRun) -> Outcome<'_> {
    Outcome { arm: &run.arm, seed: run.seed, validation: &run.validation }
}

/// Compares the runs so far.
///
/// # Errors
/// Runs were measured on other pairs than those of the division.
pub fn found(division: &Division, runs: &[AblationRun]) -> Result<AblationFound, Failure> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_domain::translation::training::{TranslationPair, Validation};
    use tuppum_protocol::FailureKind;

    /// Pairs of as many texts.
    fn plan(texts: usize) -> TranslatorTrainingPlan {
        let pair = |number: usize| TranslationPair {
            text: format!("text {number}"),
            source: format!("um-ma {number}"),
            target: format!("thus {number}"),
            weight: 1.0,
        };
        TranslatorTrainingPlan { pairs: (0..texts).map(pair).collect(), ..TranslatorTrainingPlan::default() }
    }

    fn run(division: &Division, arm: &str, bits: f32) -> AblationRun {
        let bits = vec![bits; division.measured.len()];
        let bytes = vec![10; bits.len()];
        let validation = Validation { after: 9, bits_per_byte: f64::from(bits[0]) / 10.0, bits, bytes };
        AblationRun { arm: arm.to_owned(), seed: 1, validation, problem: None }
    }

    #[test]
    fn an_ablation_needs_pairs_on_each_side() {
        assert_eq!(check(&Division::of(&plan(100))), Ok(()));
        for (division, expected) in [
            (Division::of(&plan(0)), "at least two texts"),
            (Division { measured: Vec::new(), ..Division::of(&plan(100)) }, "at least two texts"),
            (Division { drawn: Vec::new(), ..Division::of(&plan(100)) }, "At least two pairs"),
            (Division { supplementary: Vec::new(), ..Division::of(&plan(100)) }, "At least two pairs"),
        ] {
            let failure = check(&division).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Question);
            assert!(failure.message.contains(expected), "{}", failure.message);
        }
    }

    #[test]
    fn runs_of_another_base_corpus_or_settings_are_others() {
        let (base, sum) = (ModelRef::stored("mine"), Some("ab".to_owned()));
        let first = fingerprint(&base, sum.clone(), &plan(3)).unwrap();
        assert_eq!(fingerprint(&base, sum.clone(), &plan(3)).unwrap(), first);
        assert_ne!(fingerprint(&ModelRef::stored("other"), sum.clone(), &plan(3)).unwrap(), first);
        assert_ne!(fingerprint(&base, Some("cd".to_owned()), &plan(3)).unwrap(), first);
        assert_ne!(fingerprint(&base, sum.clone(), &plan(4)).unwrap(), first);
        let mut changed = plan(3);
        changed.settings.held_out = 0.2;
        assert_ne!(fingerprint(&base, sum, &changed).unwrap(), first);
    }

    #[test]
    fn the_report_counts_pairs_and_runs() {
        let division = Division::of(&plan(100));
        let report = report(&division, "The CPU.".into(), "ab".into(), 3);
        assert_eq!(report.pairs.iter().sum::<usize>(), 100);
        assert_eq!(report.pairs[2], division.measured.len());
        assert_eq!((report.arms.len(), report.of), (ARMS.len(), 3 * ARMS.len()));
        assert_eq!((report.reason.as_str(), report.fingerprint.as_str()), ("The CPU.", "ab"));
    }

    #[test]
    fn arms_are_compared_and_failed_runs_left_out() {
        let division = Division::of(&plan(200));
        let mut runs = vec![run(&division, "A", 20.0)];
        assert!(found(&division, &runs).unwrap().comparisons.is_empty(), "one arm is nothing to compare");
        runs.push(run(&division, "B", 10.0));
        let comparisons = found(&division, &runs).unwrap().comparisons;
        let [compared] = &comparisons[..] else { panic!("one comparison: {comparisons:?}") };
        assert_eq!((compared.first.as_str(), compared.second.as_str()), ("A", "B"));
        assert!((compared.difference + 1.0).abs() < 1e-6, "{compared:?}");
        runs[1].problem = Some("its loss was no longer a number".into());
        assert!(found(&division, &runs).unwrap().comparisons.is_empty());
    }
}
