//! Scores every gap on its own, with the others open.
//!
//! It is rarely known if a word begins at a gap, and the model answers differently for `<mask>` and `-<mask>`. One row
//! per window has every gap at its likelier mask; two more flip every other uncertain gap, so that a flipped gap mostly
//! has neighbours at their likelier masks. That makes three rows in all, however many gaps the window has.

use super::knowledge::{Knowledge, PlaceEvidence};
use super::template::{Filling, Template, UnitIndex};
use super::window::{LONGEST_ROW, Window, windows};
use super::{Boundary, Logits, Proposal, Row, Scorer};

/// Minimum probability of a boundary that is tried, for a word start as for its opposite. Readings of a less likely one
/// could not reach the first twenty anyway.
const MIN_BOUNDARY_PROBABILITY: f32 = 0.05;

/// Result for one unit on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Single {
    /// Probability that a word begins here, by what was typed, or by the signs beside it and the scorer's texts.
    pub word_start: f32,
    /// Best readings, most probable first.
    pub proposals: Vec<Proposal>,
}

/// Knowledge about a unit's boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordStart {
    /// Probability that a word begins here.
    pub probability: f32,
    /// `true` if both masks are worth trying.
    pub open: bool,
    /// `true` if the boundary is guessed from the signs beside it, since nobody said or typed it.
    is_guessed: bool,
    /// `true` if traces are known, which may exclude all readings of the likelier kind.
    has_traces: bool,
}

impl WordStart {
    /// Determines the boundary of a unit, given what is filled in so far.
    pub fn of<K: Knowledge>(knowledge: &K, template: &Template, unit: UnitIndex, filling: &Filling) -> Self {
        let Some(place) = template.units.get(unit) else { return Self::certain(true) };
        match (place.boundary, place.typed_word_start) {
            (Boundary::WordStart, _) => Self::certain(true),
            (Boundary::Inside, _) => Self::certain(false),
            (Boundary::Unknown, typed) => {
                let has_traces = place.traces != super::Traces::default();
                let unknown = Self { is_guessed: typed.is_none(), has_traces, ..Self::certain(true) };
                unknown.with(typed.unwrap_or_else(|| {
                    let (previous, next) = template.neighbours(unit, filling);
                    knowledge.word_start(previous, next)
                }))
            }
        }
    }

    fn certain(begins: bool) -> Self {
        let probability = if begins { 1.0 } else { 0.0 };
        Self { probability, open: false, is_guessed: false, has_traces: false }
    }

    fn with(self, probability: f32) -> Self {
        let open =
            self.has_traces || (MIN_BOUNDARY_PROBABILITY..=1.0 - MIN_BOUNDARY_PROBABILITY).contains(&probability);
        Self { probability, open, ..self }
    }

    /// Updates guessed starts of some units by the scorer's texts. `row` returns the row in which these units are open,
    /// with masks as `starts` have them so far.
    pub fn inform<S: Scorer>(
        starts: &mut [Self],
        units: &[UnitIndex],
        row: impl FnOnce(&[Self]) -> Row,
        scorer: &mut S,
    ) {
        let row = row(starts);
        for (unit, place) in units.iter().zip(&row.places) {
            if let Some(start) = starts.get_mut(*unit).filter(|start| start.is_guessed) {
                *start = start.with(scorer.word_start(&row, *place, start.probability));
            }
        }
    }

    /// Returns the likelier masks of some starts.
    pub fn masks(starts: &[Self]) -> Vec<bool> {
        starts.iter().map(|start| start.likelier()).collect()
    }

    /// Returns the likelier mask: `true` if a word begins.
    pub fn likelier(self) -> bool {
        self.probability >= 0.5
    }

    /// Returns the probability of the likelier mask; 1 if the other one is not tried.
    pub fn weight(self) -> f32 {
        if self.open { self.probability.max(1.0 - self.probability) } else { 1.0 }
    }
}

/// Returns the `top` best readings of every unit of the template. `progress` gets the number of finished rows and of
/// all rows.
///
/// # Errors
/// Returns the scorer's errors.
pub async fn singles<S: Scorer, K: Knowledge>(
    template: &Template,
    knowledge: &K,
    top: usize,
    scorer: &mut S,
    mut progress: impl FnMut(u64, u64),
) -> Result<Vec<Single>, S::Error> {
    let filling = template.nothing_filled();
    let mut starts: Vec<WordStart> =
        (0..template.units.len()).map(|unit| WordStart::of(knowledge, template, unit, &filling)).collect();
    let windows = windows(template, LONGEST_ROW);
    for window in &windows {
        let row =
            |starts: &[WordStart]| template.row(&window.slots, &filling, &WordStart::masks(starts), &window.units);
        WordStart::inform(&mut starts, &window.units, row, scorer);
    }
    let sittings: Vec<Sitting> = windows.iter().map(|window| Sitting::new(template, window, &starts)).collect();
    let total = sittings.iter().map(|sitting| sitting.rows.len() as u64).sum();
    let mut done = 0;
    let mut found = Vec::with_capacity(template.units.len());
    for sitting in &sittings {
        progress(done, total);
        let logits = scorer.score(&sitting.rows).await?;
        done += sitting.rows.len() as u64;
        found.extend(sitting.read(template, knowledge, &starts, &logits, top));
    }
    progress(done, total);
    found.sort_by_key(|(unit, _)| *unit);
    Ok(found.into_iter().map(|(_, single)| single).collect())
}

/// Rows of one window, with the units that each asks for.
struct Sitting {
    rows: Vec<Row>,
    wanted: Vec<Vec<UnitIndex>>,
}

impl Sitting {
    fn new(template: &Template, window: &Window, starts: &[WordStart]) -> Self {
        let filling = template.nothing_filled();
        let likelier = WordStart::masks(starts);
        let open = |unit: &&UnitIndex| starts.get(**unit).is_some_and(|start| start.open);
        let uncertain: Vec<UnitIndex> = window.units.iter().filter(open).copied().collect();
        let mut wanted = vec![window.units.clone()];
        let mut rows = vec![template.row(&window.slots, &filling, &likelier, &window.units)];
        for group in 0..2 {
            // Every other one, so that the neighbours of a flipped unit mostly keep their likelier masks.
            let flipped: Vec<UnitIndex> = uncertain.iter().skip(group).step_by(2).copied().collect();
            if flipped.is_empty() {
                continue;
            }
            let mut masks = likelier.clone();
            for &unit in &flipped {
                masks[unit] = !masks[unit];
            }
            rows.push(template.row(&window.slots, &filling, &masks, &flipped));
            wanted.push(flipped);
        }
        Self { rows, wanted }
    }

    fn read<K: Knowledge>(
        &self,
        template: &Template,
        knowledge: &K,
        starts: &[WordStart],
        logits: &[Logits],
        top: usize,
    ) -> Vec<(UnitIndex, Single)> {
        let all = self.wanted.first().map(Vec::as_slice).unwrap_or_default();
        let at = |row: usize, unit: UnitIndex| -> Option<&[f32]> {
            let place = self.wanted.get(row)?.binary_search(&unit).ok()?;
            Some(logits.get(row)?.get(place)?.as_slice())
        };
        let single = |unit: UnitIndex| -> Option<Single> {
            let (start, place) = (starts.get(unit)?, template.units.get(unit)?);
            let likelier = at(0, unit);
            let other = (1..self.rows.len()).find_map(|row| at(row, unit));
            let (begins, inside) = if start.likelier() { (likelier, other) } else { (other, likelier) };
            let evidence =
                PlaceEvidence { start: begins, inside, word_start: start.probability, traces: &place.traces };
            Some(Single { word_start: start.probability, proposals: knowledge.proposals(&evidence, top) })
        };
        all.iter().filter_map(|&unit| Some((unit, single(unit)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::toy::{READINGS, ToyKnowledge, ToyScorer, template, toy_logits, vocabulary};
    use tuppum_testing::now;
    use tuppum_text::tokens::{INNER_MASK, MASK};

    fn run(text: &str, word_start: f32, scorer: &mut ToyScorer) -> Vec<Single> {
        let (template, knowledge) = (template(text), ToyKnowledge { word_start });
        now(singles(&template, &knowledge, 20, scorer, |_, _| ())).unwrap_or_else(|error| panic!("{error}"))
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
        // Tolerance: sums of a few f32 in another order.
        assert!((b.map_or(0.0, |b| b.probability) - expected).abs() < 1e-6);
    }

    /// Scorer whose texts say that a word begins everywhere.
    #[derive(Default)]
    struct Sure(ToyScorer);

    impl Scorer for Sure {
        type Error = &'static str;

        async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
            self.0.score(rows).await
        }

        fn word_start(&mut self, _: &Row, _: usize, _: f32) -> f32 {
            0.99
        }
    }

    #[test]
    fn what_texts_say_of_a_boundary_overrules_a_guess_but_not_what_was_typed() {
        let mut template = template("auau");
        template.units[1].typed_word_start = Some(0.02);
        template.units[1].traces.starts_with = "b".into();
        let (knowledge, mut scorer) = (ToyKnowledge { word_start: 0.3 }, Sure::default());
        let found = now(singles(&template, &knowledge, 20, &mut scorer, |_, _| ())).unwrap();
        assert_eq!(found.iter().map(|single| single.word_start).collect::<Vec<_>>(), [0.99, 0.02]);
        let masks: Vec<u32> =
            scorer.0.calls[0][0].places.iter().map(|place| scorer.0.calls[0][0].ids[*place]).collect();
        assert_eq!(masks, [MASK, INNER_MASK], "the first row has the likelier masks");
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
        let (template, knowledge) = (template(&"aaaaaaaau/".repeat(200)), ToyKnowledge { word_start: 0.5 });
        let mut scorer = ToyScorer::default();
        let mut reported = Vec::new();
        let found = singles(&template, &knowledge, 20, &mut scorer, |done, total| {
            reported.push((done, total));
        });
        assert_eq!(now(found).map(|found| found.len()), Ok(200));
        assert!(scorer.calls.len() > 5);
        assert!(scorer.calls.iter().flatten().all(|row| row.ids.len() <= LONGEST_ROW));
        let total = scorer.rows() as u64;
        assert_eq!((reported.first(), reported.last()), (Some(&(0, total)), Some(&(total, total))));

        let mut scorer = ToyScorer { fails_after: Some(3), ..ToyScorer::default() };
        let found = singles(&template, &knowledge, 20, &mut scorer, |_, _| ());
        assert_eq!(now(found), Err("cancelled"));
    }
}
