//! Remembered translations beside translations of a machine, by the likeness of the nearest remembered source: the
//! scores of both, and the likeness from which on the remembered one should be shown first.

use super::{Interval, SAMPLES, TranslationCounts, interval};
use crate::error::ComparisonError;
use crate::texts::TextGroups;
use serde::Serialize;
use tuppum_random::Random;

/// Likenesses at which one row of the table ends and the next begins.
pub const EDGES: [f32; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];
/// Step, in hundredths, between the likenesses tried as the one from which on a remembered translation comes first.
const STEP: usize = 5;

/// Answers to a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answers {
    /// Likeness of the nearest source, from 0 to 1.
    pub likeness: f32,
    /// The remembered translation against the reference.
    pub remembered: TranslationCounts,
    /// The machine's translation against the reference, if there is one.
    pub machine: Option<TranslationCounts>,
}

/// A row of the table: passages with their scores, √(BLEU · chrF++).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LikenessRow {
    /// Lower end of the likeness, inclusive.
    pub from: f32,
    /// Upper end of the likeness, exclusive, if there is one.
    pub below: Option<f32>,
    /// Number of passages.
    pub pairs: usize,
    /// Score of the remembered translations.
    pub remembered: Interval,
    /// Score of the machine's translations.
    pub machine: Option<Interval>,
    /// Score of the translations shown first: remembered ones from a likeness on that was fitted on the other half of
    /// the texts.
    pub shown: Option<Interval>,
}

/// Scores by likeness.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikenessTable {
    /// Rows by rising likeness; rows without passages are left out.
    pub rows: Vec<LikenessRow>,
    /// All passages.
    pub all: LikenessRow,
    /// Likeness from which on the remembered translation comes first, as each half of the texts and all of them
    /// suggest.
    pub first_from: Option<[f32; 3]>,
}

/// Returns the table of some answers, whose texts are drawn for the intervals.
///
/// # Errors
/// When there are no answers.
pub fn by_likeness(answers: &[Answers], texts: &TextGroups) -> Result<LikenessTable, ComparisonError> {
    let first_from = answers.iter().all(|answer| answer.machine.is_some()).then(|| {
        let half = |odd| texts.places(|text| (text % 2 == 1) == odd);
        let fit = |places: &[usize]| first_from(places.iter().filter_map(|place| answers.get(*place)));
        [fit(&half(false)), fit(&half(true)), first_from(answers)]
    });
    let shown = |place: usize| {
        // The likeness for a text is fitted on the other half of the texts.
        let [even, odd, _] = first_from?;
        let from = if texts.number(place)? % 2 == 1 { even } else { odd };
        answers.get(place).and_then(|answer| shown(answer, from))
    };
    let row = |from: f32, below: Option<f32>| -> Result<Option<LikenessRow>, ComparisonError> {
        let lies = |answer: &Answers| answer.likeness >= from && below.is_none_or(|below| answer.likeness < below);
        let places: Vec<usize> = (0..answers.len()).filter(|place| answers.get(*place).is_some_and(lies)).collect();
        let own = texts.part(&places);
        let score = |of: &dyn Fn(usize) -> Option<TranslationCounts>| {
            let counts: Option<Vec<TranslationCounts>> = places.iter().map(|place| of(*place)).collect();
            let by_text = counts.map(|counts| own.sums(&counts, TranslationCounts::add));
            let score = |texts: Vec<_>| interval(&texts, |counts| counts.scores().score, SAMPLES, &mut Random::new(1));
            by_text.map(score).transpose()
        };
        let answer = |place: usize| answers.get(place);
        let Some(remembered) = score(&|place| answer(place).map(|answer| answer.remembered))? else { return Ok(None) };
        let machine = score(&|place| answer(place).and_then(|answer| answer.machine))?;
        Ok(Some(LikenessRow { from, below, pairs: places.len(), remembered, machine, shown: score(&shown)? }))
    };
    let ends = EDGES.into_iter().map(Some).chain([None]);
    let mut rows = Vec::new();
    for (from, below) in [0.0].into_iter().chain(EDGES).zip(ends) {
        let is_empty =
            !answers.iter().any(|own| own.likeness >= from && below.is_none_or(|below| own.likeness < below));
        rows.extend(if is_empty { None } else { row(from, below)? });
    }
    let all = row(0.0, None)?.ok_or(ComparisonError::Nothing { sentences: 0, samples: SAMPLES })?;
    Ok(LikenessTable { rows, all, first_from })
}

/// Returns the answer that is shown first.
fn shown(answer: &Answers, from: f32) -> Option<TranslationCounts> {
    if answer.likeness >= from { Some(answer.remembered) } else { answer.machine }
}

/// Returns the likeness from which on remembered translations should come first, so that the score of all is best; the
/// lowest of several equally good ones.
fn first_from<'a>(answers: impl IntoIterator<Item = &'a Answers>) -> f32 {
    let answers: Vec<&Answers> = answers.into_iter().collect();
    let score = |from: f32| {
        let counts: Vec<TranslationCounts> = answers.iter().filter_map(|answer| shown(answer, from)).collect();
        counts.iter().collect::<TranslationCounts>().scores().score
    };
    let mut best = (0.0, f64::MIN);
    for hundredths in (0..=100).step_by(STEP) {
        let from = hundredths as f32 / 100.0;
        let score = score(from);
        if score > best.1 {
            best = (from, score);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCE: &str = "To the king, my lord: your servant. Good health to the king, my lord!";
    const OTHER: &str = "Two minas of silver, at the disposal of the governor of the city.";

    /// Passages of ten texts, of which the like ones are remembered well and the others translated well.
    fn answers() -> (Vec<Answers>, TextGroups) {
        let of = |number: usize| {
            let likeness = number as f32 / 40.0;
            let (good, bad) = (TranslationCounts::of(REFERENCE, REFERENCE), TranslationCounts::of(OTHER, REFERENCE));
            let (remembered, machine) = if likeness >= 0.35 { (good, bad) } else { (bad, good) };
            Answers { likeness, remembered, machine: Some(machine) }
        };
        ((0..40).map(of).collect(), TextGroups::of((0..40).map(|number| number % 10)))
    }

    #[test]
    fn the_likeness_from_which_on_memory_is_better_is_found() {
        let (answers, texts) = answers();
        let table = by_likeness(&answers, &texts).unwrap();
        assert_eq!(table.first_from, Some([0.35; 3]));
        assert_eq!(table.rows.iter().map(|row| row.pairs).sum::<usize>(), 40);
        let all = table.all;
        let value = |interval: Option<Interval>| interval.map_or(0.0, |interval| interval.value);
        assert!(value(all.shown) > 99.9, "{all:?}");
        assert!(all.remembered.value < 99.0 && value(all.machine) < 99.0, "{all:?}");
    }

    #[test]
    fn without_a_machine_there_is_nothing_to_choose() {
        let (mut answers, texts) = answers();
        answers.iter_mut().for_each(|answer| answer.machine = None);
        let table = by_likeness(&answers[..30], &texts).unwrap();
        assert_eq!((table.first_from, table.all.machine, table.all.shown), (None, None, None));
        assert_eq!(table.rows.len(), 4, "nothing is like from 0.8 on");
        assert!(by_likeness(&[], &TextGroups::default()).is_err());
    }
}
