//! Every gap on its own, the others open.
//!
//! Whether a word begins at a gap is rarely known, and the model answers differently for `<mask>` and `-<mask>`. One
//! row per window has every gap at its likelier mask; two more flip every other uncertain gap, so that a flipped gap
//! mostly has neighbours at their likelier masks. Three rows in all, however many gaps the window has.

use super::knowledge::{Evidence, Knowledge};
use super::sheet::{Filling, Sheet, UnitIndex};
use super::window::{LONGEST_ROW, Window, windows};
use super::{Boundary, Logits, Proposal, Row, Scorer};

/// A word start less probable than this, or as improbable to be none, is not tried: its readings could not reach the
/// first twenty anyway.
const UNLIKELY: f32 = 0.05;

/// One unit on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Single {
    /// Probability that a word begins here, by what was typed, the signs beside it and the scorer's texts.
    pub word_start: f32,
    /// The best readings, most probable first.
    pub proposals: Vec<Proposal>,
}

/// What is known about a unit's boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordStart {
    /// Probability that a word begins here.
    pub probability: f32,
    /// The mask to try first: whether a word begins.
    pub first: bool,
    /// Whether both masks deserve a try.
    pub open: bool,
}

impl WordStart {
    /// For a unit among what is filled in so far.
    pub fn of<K: Knowledge>(knowledge: &K, sheet: &Sheet, unit: UnitIndex, filling: &Filling) -> Self {
        let Some(place) = sheet.units.get(unit) else { return Self::certain(true) };
        match (place.boundary, place.typed_word_start) {
            (Boundary::WordStart, _) => Self::certain(true),
            (Boundary::Inside, _) => Self::certain(false),
            (Boundary::Unknown, typed) => {
                let probability = typed.unwrap_or_else(|| {
                    let (previous, next) = sheet.neighbours(unit, filling);
                    knowledge.word_start(previous, next)
                });
                // Traces may leave no reading of the likelier kind.
                let asked = place.traces != super::Traces::default();
                let open = asked || (UNLIKELY..=1.0 - UNLIKELY).contains(&probability);
                Self { probability, first: probability >= 0.5, open }
            }
        }
    }

    fn certain(begins: bool) -> Self {
        Self { probability: if begins { 1.0 } else { 0.0 }, first: begins, open: false }
    }

    /// The same with what a scorer knows of the place in a row, where it is open.
    pub fn informed<S: Scorer>(self, scorer: &mut S, row: &Row, place: usize) -> Self {
        let probability = if self.open { scorer.word_start(row, place, self.probability) } else { self.probability };
        Self { probability, ..self }
    }

    /// Probability of the mask that is tried first; 1 when the other is not tried.
    pub fn weight(self) -> f32 {
        match (self.open, self.first) {
            (true, true) => self.probability,
            (true, false) => 1.0 - self.probability,
            (false, _) => 1.0,
        }
    }
}

/// The `top` best readings of every unit of the sheet. `progress` gets the number of rows done and of all rows.
///
/// # Errors
/// What the scorer says when it stops.
pub async fn singles<S: Scorer, K: Knowledge>(
    sheet: &Sheet,
    knowledge: &K,
    top: usize,
    scorer: &mut S,
    mut progress: impl FnMut(u64, u64),
) -> Result<Vec<Single>, S::Error> {
    let filling = sheet.nothing_filled();
    let starts: Vec<WordStart> =
        (0..sheet.units.len()).map(|unit| WordStart::of(knowledge, sheet, unit, &filling)).collect();
    let windows = windows(sheet, LONGEST_ROW);
    let sittings: Vec<Sitting> = windows.iter().map(|window| Sitting::new(sheet, window, &starts)).collect();
    let total = sittings.iter().map(|sitting| sitting.rows.len() as u64).sum();
    let mut done = 0;
    let mut found = Vec::with_capacity(sheet.units.len());
    for sitting in &sittings {
        progress(done, total);
        let logits = scorer.score(&sitting.rows).await?;
        done += sitting.rows.len() as u64;
        let starts = sitting.word_starts(&starts, scorer);
        found.extend(sitting.read(sheet, knowledge, &starts, &logits, top));
    }
    progress(done, total);
    found.sort_by_key(|(unit, _)| *unit);
    Ok(found.into_iter().map(|(_, single)| single).collect())
}

/// The rows of one window, and which units each asks for.
struct Sitting {
    rows: Vec<Row>,
    wanted: Vec<Vec<UnitIndex>>,
}

impl Sitting {
    fn new(sheet: &Sheet, window: &Window, starts: &[WordStart]) -> Self {
        let filling = sheet.nothing_filled();
        let first: Vec<bool> = starts.iter().map(|start| start.first).collect();
        let open = |unit: &&UnitIndex| starts.get(**unit).is_some_and(|start| start.open);
        let uncertain: Vec<UnitIndex> = window.units.iter().filter(open).copied().collect();
        let mut wanted = vec![window.units.clone()];
        let mut rows = vec![sheet.row(&window.slots, &filling, &first, &window.units)];
        for group in 0..2 {
            let flipped: Vec<UnitIndex> = uncertain.iter().skip(group).step_by(2).copied().collect();
            if flipped.is_empty() {
                continue;
            }
            let mut masks = first.clone();
            for &unit in &flipped {
                masks[unit] = !masks[unit];
            }
            rows.push(sheet.row(&window.slots, &filling, &masks, &flipped));
            wanted.push(flipped);
        }
        Self { rows, wanted }
    }

    /// For each unit that the first row asks for, what is known of its boundary once it is scored.
    fn word_starts<S: Scorer>(&self, starts: &[WordStart], scorer: &mut S) -> Vec<(UnitIndex, WordStart)> {
        let (Some(row), Some(units)) = (self.rows.first(), self.wanted.first()) else { return Vec::new() };
        let informed =
            |(unit, place): (&UnitIndex, &usize)| Some((*unit, starts.get(*unit)?.informed(scorer, row, *place)));
        units.iter().zip(&row.places).filter_map(informed).collect()
    }

    fn read<K: Knowledge>(
        &self,
        sheet: &Sheet,
        knowledge: &K,
        starts: &[(UnitIndex, WordStart)],
        logits: &[Logits],
        top: usize,
    ) -> Vec<(UnitIndex, Single)> {
        let at = |row: usize, unit: UnitIndex| -> Option<&[f32]> {
            let place = self.wanted.get(row)?.binary_search(&unit).ok()?;
            Some(logits.get(row)?.get(place)?.as_slice())
        };
        let single = |unit: UnitIndex, start: WordStart| -> Option<Single> {
            let place = sheet.units.get(unit)?;
            let first = at(0, unit);
            let other = (1..self.rows.len()).find_map(|row| at(row, unit));
            let (begins, inside) = if start.first { (first, other) } else { (other, first) };
            let word_start = start.probability;
            let evidence = Evidence { start: begins, inside, word_start, traces: &place.traces };
            Some(Single { word_start, proposals: knowledge.proposals(&evidence, top) })
        };
        starts.iter().filter_map(|&(unit, start)| Some((unit, single(unit, start)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::toy::{READINGS, ToyKnowledge, ToyScorer, sheet, toy_logits, vocabulary};
    use tuppum_testing::now;
    use tuppum_text::tokens::{INNER_MASK, MASK};

    fn run(text: &str, word_start: f32, scorer: &mut ToyScorer) -> Vec<Single> {
        let (sheet, knowledge) = (sheet(text), ToyKnowledge { word_start });
        now(singles(&sheet, &knowledge, 20, scorer, |_, _| ())).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn sixty_signs_with_five_gaps_cost_three_rows_in_one_call() {
        let mut scorer = ToyScorer::default();
        let text = format!("{}{}", "aaaaaaaaaau".repeat(5), "aaaaa");
        let found = run(&text, 0.5, &mut scorer);
        assert_eq!(found.len(), 5);
        assert_eq!((scorer.calls.len(), scorer.rows()), (1, 3));
        assert!(scorer.calls[0].iter().all(|row| row.ids.len() == 61));
    }

    #[test]
    fn flipped_gaps_alternate_and_the_rest_keep_their_likelier_mask() {
        let mut scorer = ToyScorer::default();
        run("auauau", 0.3, &mut scorer);
        let masks =
            |row: &Row| -> Vec<u32> { row.ids.iter().filter(|id| [MASK, INNER_MASK].contains(id)).copied().collect() };
        let masks: Vec<Vec<u32>> = scorer.calls[0].iter().map(masks).collect();
        assert_eq!(masks[0], [INNER_MASK, INNER_MASK, INNER_MASK]);
        assert_eq!(masks[1], [MASK, INNER_MASK, MASK]);
        assert_eq!(masks[2], [INNER_MASK, MASK, INNER_MASK]);
    }

    #[test]
    fn both_masks_are_mixed_by_the_probability_of_a_word_start() {
        let mut scorer = ToyScorer::default();
        let found = run("au", 0.3, &mut scorer);
        let share = |row: usize, reading: &str, starts: bool| {
            let row = &scorer.calls[0][row];
            let logits = toy_logits(row, row.places[0], vocabulary().len());
            let of_kind = READINGS.map(|reading| logits[vocabulary().id(reading, starts) as usize].exp());
            logits[vocabulary().id(reading, starts) as usize].exp() / of_kind.iter().sum::<f32>()
        };
        let b = found[0].proposals.iter().find(|proposal| proposal.reading == "b");
        let expected = 0.7 * share(0, "b", false) + 0.3 * share(1, "b", true);
        // Sums of a few f32 in another order.
        assert!((b.map_or(0.0, |b| b.probability) - expected).abs() < 1e-6);
    }

    #[test]
    fn a_boundary_that_the_user_fixed_is_not_doubted() {
        let mut scorer = ToyScorer::default();
        let found = run("aias", 0.5, &mut scorer);
        assert_eq!(scorer.rows(), 1);
        assert_eq!(found.iter().map(|single| single.word_start).collect::<Vec<_>>(), [0.0, 1.0]);
        assert!(found[0].proposals.iter().all(|proposal| !proposal.starts_word));
        assert!(found[1].proposals.iter().all(|proposal| proposal.starts_word));
    }

    #[test]
    fn a_boundary_that_is_nearly_certain_costs_no_row() {
        let mut scorer = ToyScorer::default();
        run("auau", 0.99, &mut scorer);
        assert_eq!(scorer.rows(), 1);
    }

    #[test]
    fn long_texts_are_scored_window_by_window_and_can_be_stopped() {
        let (sheet, knowledge) = (sheet(&"aaaaaaaau/".repeat(200)), ToyKnowledge { word_start: 0.5 });
        let mut scorer = ToyScorer::default();
        let mut reported = Vec::new();
        let found = singles(&sheet, &knowledge, 20, &mut scorer, |done, total| {
            reported.push((done, total));
        });
        assert_eq!(now(found).map(|found| found.len()), Ok(200));
        assert!(scorer.calls.len() > 5);
        assert!(scorer.calls.iter().flatten().all(|row| row.ids.len() <= LONGEST_ROW));
        let total = scorer.rows() as u64;
        assert_eq!((reported.first(), reported.last()), (Some(&(0, total)), Some(&(total, total))));

        let mut scorer = ToyScorer { fails_after: Some(3), ..ToyScorer::default() };
        let found = singles(&sheet, &knowledge, 20, &mut scorer, |_, _| ());
        assert_eq!(now(found), Err("cancelled"));
    }
}
