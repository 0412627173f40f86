//! Comparison of one arm with another: the difference, how far chance among texts and among seeds moves it, and the
//! conclusion.

use super::{Outcome, both, mean};
use crate::bits::{BitsCompared, paired};
use crate::error::ComparisonError;
use crate::texts::TextGroups;
use crate::translation::SAMPLES;
use serde::Serialize;
use tuppum_domain::training::MIN_MEASURED_TEXTS;
use tuppum_random::Random;

/// Pairs of arms to compare where both are there, the main questions first: the bias with and without more data, then
/// each ingredient on its own.
const QUESTIONS: [(&str, &str); 8] =
    [("B", "D"), ("A", "C"), ("A", "B"), ("A", "D"), ("A", "E"), ("A", "F"), ("E", "B"), ("F", "B")];
/// Standard errors within which chance leaves 95 % of the means of 2, 3, 4 … seeds: Student's t (1908) with one degree
/// of freedom fewer.
const WIDTHS: [f64; 9] = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
/// Width of the interval for more seeds than the table has; a little too wide.
const WIDTH_OF_MANY: f64 = 2.26;

fn width(seeds: usize) -> f64 {
    seeds.checked_sub(2).and_then(|place| WIDTHS.get(place)).copied().unwrap_or(WIDTH_OF_MANY)
}

/// Comparison of two arms.
#[derive(Debug, Serialize)]
pub struct ArmComparison {
    /// Name of the first arm.
    pub first: String,
    /// Name of the second arm.
    pub second: String,
    /// Bits of each pair in the mean of all seeds; the interval is that of chance among the texts.
    pub bits: BitsCompared,
    /// Difference with each seed, in order; it shows chance among runs.
    pub by_seed: Vec<f64>,
    /// Standard error of the mean of `by_seed`; none for a single seed.
    pub error_of_seeds: Option<f64>,
    /// Number of pairs measured.
    pub pairs: usize,
    /// Number of texts that the pairs are from.
    pub texts: usize,
}

/// Returns every comparison that these runs allow; `texts` are those of the measured pairs, over which chance is
/// measured.
///
/// # Errors
/// Runs were measured on different pairs, or the texts belong to other pairs.
pub fn all_compared(outcomes: &[Outcome], texts: &TextGroups) -> Result<Vec<ArmComparison>, ComparisonError> {
    let mut names: Vec<&str> = outcomes.iter().map(|run| run.arm).collect();
    names.sort_unstable();
    names.dedup();
    let found = questions(&names).into_iter().map(|(first, second)| compared(outcomes, texts, first, second));
    found.filter_map(Result::transpose).collect()
}

/// Returns the questions that these arms can answer: the main questions, and every other arm against the first.
fn questions<'a>(arms: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let own = |name: &str| arms.iter().copied().find(|arm| *arm == name);
    let mut questions: Vec<(&str, &str)> =
        QUESTIONS.iter().filter_map(|(first, second)| own(first).zip(own(second))).collect();
    let is_asked = |name: &str| QUESTIONS.iter().any(|(first, second)| *first == name || *second == name);
    if let Some(first) = arms.first() {
        questions.extend(arms.iter().filter(|arm| *arm != first && !is_asked(arm)).map(|arm| (*first, *arm)));
    }
    questions
}

/// Compares two arms over the seeds that both have; `None` if there is none.
fn compared(
    outcomes: &[Outcome],
    texts: &TextGroups,
    first: &str,
    second: &str,
) -> Result<Option<ArmComparison>, ComparisonError> {
    let both = both(outcomes, first, second);
    if both.is_empty() {
        return Ok(None);
    }
    let means = [0, 1].map(|side| mean(both.iter().map(|both| both[side])));
    let bits = paired(&means[0], &means[1], texts, SAMPLES, &mut Random::new(1))?;
    let by_seed: Vec<f64> = both.iter().map(|[one, other]| other.bits_per_byte - one.bits_per_byte).collect();
    let (count, middle) = (by_seed.len() as f64, by_seed.iter().sum::<f64>() / by_seed.len() as f64);
    let squares: f64 = by_seed.iter().map(|difference| (difference - middle).powi(2)).sum();
    let error_of_seeds = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    let (first, second, pairs) = (first.to_owned(), second.to_owned(), means[0].bits.len());
    let texts = texts.count();
    Ok(Some(ArmComparison { first, second, bits, by_seed, error_of_seeds, pairs, texts }))
}

/// Returns the number of seeds, spread as these are, that would show a difference of this size.
fn wanted(spread: f64, difference: f64) -> usize {
    const MAX_SEEDS: usize = 100_000;
    (2..MAX_SEEDS).find(|seeds| difference > width(*seeds) * spread / (*seeds as f64).sqrt()).unwrap_or(MAX_SEEDS)
}

impl ArmComparison {
    /// Returns `true` if there are enough texts and seeds, and the interval holds zero.
    pub fn shows_nothing(&self) -> bool {
        let found = &self.bits.difference;
        self.texts >= MIN_MEASURED_TEXTS && self.error_of_seeds.is_some() && found.low <= 0.0 && found.high >= 0.0
    }

    /// Returns the conclusion in a sentence or two, and, if it is open, what would settle it.
    pub fn verdict(&self) -> String {
        let Self { first, second, bits, by_seed, error_of_seeds, texts, .. } = self;
        let found = &bits.difference;
        if *texts < MIN_MEASURED_TEXTS {
            return format!(
                "{second} against {first}: {:+.4} bits per byte on {texts} texts; on fewer than {MIN_MEASURED_TEXTS} \
                 no interval can be trusted.",
                found.value
            );
        }
        let Some(error) = error_of_seeds else {
            return format!("{second} against {first}: one seed tells nothing of chance among runs.");
        };
        let by_drawn = found.low > 0.0 || found.high < 0.0;
        let by_seeds = found.value.abs() > width(by_seed.len()) * error;
        let better = if found.value < 0.0 { second } else { first };
        match (by_drawn, by_seeds) {
            (true, true) => format!(
                "{second} against {first}: {better} predicts better, by {:.4} bits per byte; neither chance among the \
                 texts nor among the {} seeds explains it.",
                found.value.abs(),
                by_seed.len()
            ),
            (true, false) => {
                let spread = error * (by_seed.len() as f64).sqrt();
                format!(
                    "{second} against {first}: {better} was better on these texts, but {} seeds that differ so much \
                     could do that by chance. If the difference is as large as found, about {} would show it.",
                    by_seed.len(),
                    wanted(spread, found.value.abs())
                )
            }
            (false, _) => format!(
                "{second} against {first}: nothing is shown; a difference of up to {:.4} bits per byte either way \
                 could hide here. More texts to measure with narrow the interval by the root of their number.",
                found.low.abs().max(found.high.abs())
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::measured;
    use super::*;
    use tuppum_domain::translation::training::Validation;

    fn pairs(more: f32) -> Validation {
        measured((0..20).map(|number| number as f32 + more).collect())
    }

    /// Compares with every pair as a text of its own.
    fn compared_by_pair(outcomes: &[Outcome]) -> Vec<ArmComparison> {
        all_compared(outcomes, &TextGroups::each_its_own(outcomes[0].validation.bits.len())).unwrap()
    }

    #[test]
    fn arms_are_compared_over_the_seeds_that_both_have() {
        let runs = [("B", 1, 2.0), ("D", 1, 1.0), ("B", 2, 3.0), ("D", 2, 1.0), ("D", 3, 9.0)];
        let runs = runs.map(|(arm, seed, more)| (arm, seed, pairs(more)));
        let outcomes: Vec<Outcome> =
            runs.iter().map(|(arm, seed, validation)| Outcome { arm, seed: *seed, validation }).collect();
        let found = compared_by_pair(&outcomes);
        let [found] = &found[..] else { panic!("{} comparisons", found.len()) };
        // −1 and −2 bits of 10 bytes: −0.15 in the mean, 0.05 their error.
        assert_eq!((found.first.as_str(), found.second.as_str(), found.by_seed.len()), ("B", "D", 2));
        let difference = &found.bits.difference;
        for value in [difference.value, difference.low, difference.high] {
            assert!((value + 0.15).abs() < 1e-6, "{difference:?}");
        }
        assert!(found.error_of_seeds.is_some_and(|error| (error - 0.05).abs() < 1e-6));
        // Three errors are within what chance does with two seeds, 12.7 of them.
        let said = found.verdict();
        assert!(said.contains("2 seeds that differ so much") && said.ends_with("about 4 would show it."), "{said}");
        let one = compared_by_pair(&outcomes[..2]);
        assert!(one[0].verdict().contains("one seed tells nothing"), "{}", one[0].verdict());
    }

    #[test]
    fn what_seeds_or_texts_explain_is_not_called_a_difference() {
        // By −2 with one seed and by +1 with the other.
        let runs = [("A", 1, 2.0), ("C", 1, 0.0), ("A", 2, 0.0), ("C", 2, 1.0)];
        let runs = runs.map(|(arm, seed, more)| (arm, seed, pairs(more)));
        let outcomes: Vec<Outcome> =
            runs.iter().map(|(arm, seed, validation)| Outcome { arm, seed: *seed, validation }).collect();
        let said = compared_by_pair(&outcomes)[0].verdict();
        assert!(said.contains("could do that by chance"), "{said}");
        // Half of the pairs better, half of them worse.
        let [plain, mixed] = [pairs(0.0), measured((0..20).map(|n| n as f32 + 1.0 - 2.0 * (n % 2) as f32).collect())];
        let run = |arm, seed, validation| Outcome { arm, seed, validation };
        let outcomes = [run("A", 1, &plain), run("A", 2, &plain), run("C", 1, &mixed), run("C", 2, &mixed)];
        let said = compared_by_pair(&outcomes)[0].verdict();
        assert!(said.contains("nothing is shown"), "{said}");
        assert!(compared_by_pair(&outcomes)[0].shows_nothing());
    }

    #[test]
    fn what_all_seeds_agree_on_is_called_a_difference() {
        let runs = [("B", 1, 2.0), ("D", 1, 1.0), ("B", 2, 3.0), ("D", 2, 2.0), ("B", 3, 2.5), ("D", 3, 1.4)];
        let runs = runs.map(|(arm, seed, more)| (arm, seed, pairs(more)));
        let outcomes: Vec<Outcome> =
            runs.iter().map(|(arm, seed, validation)| Outcome { arm, seed: *seed, validation }).collect();
        let said = compared_by_pair(&outcomes)[0].verdict();
        assert!(said.starts_with("D against B: D predicts better, by 0.103"), "{said}");
        assert!(!compared_by_pair(&outcomes)[0].shows_nothing());
        assert_eq!((width(2), width(10), width(50)), (12.71, 2.26, 2.26));
    }

    #[test]
    fn of_few_texts_nothing_is_said_but_the_difference() {
        let [one, other] = [measured(vec![30.0; 6]), measured(vec![25.0; 6])];
        let run = |arm, seed, validation| Outcome { arm, seed, validation };
        let outcomes = [run("A", 1, &one), run("A", 2, &one), run("C", 1, &other), run("C", 2, &other)];
        let said = compared_by_pair(&outcomes)[0].verdict();
        assert!(said.contains("-0.5000 bits per byte on 6 texts; on fewer than 20"), "{said}");
    }

    #[test]
    fn many_pairs_of_few_texts_are_few() {
        let runs = [("A", 1, 2.0), ("C", 1, 1.0), ("A", 2, 3.0), ("C", 2, 2.0)];
        let runs = runs.map(|(arm, seed, more)| (arm, seed, pairs(more)));
        let outcomes: Vec<Outcome> =
            runs.iter().map(|(arm, seed, validation)| Outcome { arm, seed: *seed, validation }).collect();
        let said = |texts: &TextGroups| all_compared(&outcomes, texts).unwrap()[0].verdict();
        let few = said(&TextGroups::of((0..20).map(|number| number / 4)));
        assert!(few.contains("-0.1000 bits per byte on 5 texts; on fewer than 20"), "{few}");
        let enough = said(&TextGroups::each_its_own(20));
        assert!(enough.contains("neither chance among the texts nor"), "{enough}");
        assert!(all_compared(&outcomes, &TextGroups::each_its_own(3)).is_err());
    }

    #[test]
    fn arms_of_a_sweep_are_compared_with_the_first() {
        assert_eq!(questions(&["A", "C", "layers1"]), [("A", "C"), ("A", "layers1")]);
        assert_eq!(questions(&["c01", "c03"]), [("c01", "c03")]);
        assert!(questions(&[]).is_empty());
    }
}
