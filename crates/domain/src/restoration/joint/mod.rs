//! Fills several gaps jointly: each hypothesis fills its most certain gap first, then asks again for the rest.
//!
//! A hypothesis is the set of its fillings. Two tokens that are one proposal (`a` and `A`) are mutually exclusive
//! events, so their probabilities add up when a place is filled. The same fillings reached in another order are the
//! same event estimated twice, so of two such hypotheses the more likely one stays and nothing is added.
//!
//! Work is bounded. Gaps form neighbourhoods of at most [`NEIGHBOURHOOD`] units, searched in order of place: earlier
//! ones have their best filling, later ones are masks. The hypotheses of the whole text are the best combinations.
//! Beyond [`FULL_BEAM_UNITS`] units the beam narrows, down to one. A step scores one row per hypothesis with every open
//! gap at its likelier mask, then the other mask only for the gap to be filled, and only if its share of the
//! probability could still reach the beam. Hypotheses that can no longer reach it cost no row.

use super::knowledge::{Knowledge, PlaceEvidence};
use super::singles::{Single, WordStart};
use super::template::{Filling, Template, UnitIndex};
use super::window::around;
use super::{JointReading, Logits, Proposal, Row, Scorer};
use std::collections::BTreeMap;
use std::ops::Range;
use tuppum_text::SignIndex;
use tuppum_text::signs::fold;
use tuppum_text::tokens::{TokenId, Vocabulary};

/// Largest number of units searched together.
const NEIGHBOURHOOD: usize = 8;
/// Largest number of slots in a row of the joint search: the near text tells most, and the cost of a row grows with its
/// length.
const LONGEST_WINDOW: usize = 255;
/// Largest extent of a neighbourhood in slots, so that every row has as much text again around it.
const MAX_SPAN: usize = LONGEST_WINDOW / 2;
/// Largest number of units for which the beam is as wide as requested.
const FULL_BEAM_UNITS: usize = 12;

/// Data shared by all parts of a search.
pub struct Ground<'a, K> {
    /// Text with its open places.
    pub template: &'a Template,
    /// Index in the document of each gap's sign.
    pub signs: &'a [SignIndex],
    /// Knowledge beside the model.
    pub knowledge: &'a K,
    /// Tokens of the model.
    pub vocabulary: &'a Vocabulary,
}

/// One reading for one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Token of the reading in a row.
    pub token: TokenId,
    /// Key by which choices are compared: the reading without case and convention.
    pub key: String,
    /// Reading for the answer.
    pub reading: JointReading,
}

/// One way of filling a neighbourhood, or a text, with its probability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hypothesis {
    /// Choice for each unit dealt with; `None` if nothing fits the traces.
    pub filled: BTreeMap<UnitIndex, Option<Choice>>,
    /// Natural logarithm of the probability.
    pub log_probability: f32,
}

impl Hypothesis {
    fn keys(&self) -> Vec<(UnitIndex, &str)> {
        self.filled.iter().map(|(&unit, choice)| (unit, choice.as_ref().map_or("", |choice| &choice.key))).collect()
    }

    /// Writes the hypothesis into a filling of the template.
    pub fn write(&self, filling: &mut Filling) {
        for (&unit, choice) in &self.filled {
            if let (Some(place), Some(choice)) = (filling.get_mut(unit), choice) {
                *place = Some(choice.token);
            }
        }
    }

    fn with(&self, unit: UnitIndex, choice: Option<Choice>) -> Self {
        let gained = choice.as_ref().map_or(0.0, |choice| choice.reading.probability.ln());
        let mut filled = self.filled.clone();
        filled.insert(unit, choice);
        Self { filled, log_probability: self.log_probability + gained }
    }
}

impl<K: Knowledge> Ground<'_, K> {
    /// Converts proposals for a place in `gap` to choices; `share` is the part of the probability that they share.
    pub fn choices(&self, gap: usize, proposals: &[Proposal], share: f32, top: usize) -> Vec<Choice> {
        let sign = self.signs.get(gap).copied().unwrap_or(0);
        let choice = |proposal: &Proposal| Choice {
            token: self.vocabulary.id(&proposal.reading, proposal.starts_word),
            key: fold(&proposal.reading),
            reading: JointReading {
                sign,
                reading: proposal.reading.clone(),
                written: proposal.written.clone(),
                glyph: proposal.glyph.clone(),
                starts_word: proposal.starts_word,
                probability: proposal.probability * share,
            },
        };
        proposals.iter().filter(|proposal| proposal.probability > 0.0).take(top).map(choice).collect()
    }
}

/// Fills all units of the ground's template, with `beam` hypotheses at a time. `singles` are the units on their own;
/// `on_step` gets, after each unit, the number filled and the best hypotheses of the whole text so far.
///
/// # Errors
/// Returns the scorer's errors.
pub async fn joint<S: Scorer, K: Knowledge>(
    ground: &Ground<'_, K>,
    singles: &[Single],
    beam: usize,
    scorer: &mut S,
    mut on_step: impl FnMut(usize, &[Hypothesis]),
) -> Result<Vec<Hypothesis>, S::Error> {
    let beam = bounded_beam(beam, ground.template.units.len());
    let mut whole = vec![Hypothesis::default()];
    for units in neighbourhoods(ground.template) {
        let mut base = ground.template.nothing_filled();
        if let Some(best) = whole.first() {
            best.write(&mut base);
        }
        let mut search = Neighbourhood::new(ground, units.clone(), base, beam);
        // Nothing is filled before the first neighbourhood, so the results for its units on their own still hold.
        if units.start == 0 {
            search.fill_first(singles);
            on_step(1, &combined(&whole, &search.hypotheses, beam));
        }
        while search.step(scorer).await? {
            on_step(units.start + search.filled(), &combined(&whole, &search.hypotheses, beam));
        }
        whole = combined(&whole, &search.hypotheses, beam);
    }
    Ok(whole)
}

/// Returns the beam for a text with this number of units: as requested up to [`FULL_BEAM_UNITS`], then narrower, so
/// that the rows of a step times the units stay the same until one hypothesis is left.
fn bounded_beam(beam: usize, units: usize) -> usize {
    if units <= FULL_BEAM_UNITS { beam } else { (beam * FULL_BEAM_UNITS / units).max(1) }
}

/// Splits the units into runs that are searched together.
fn neighbourhoods(template: &Template) -> Vec<Range<UnitIndex>> {
    let mut found: Vec<Range<UnitIndex>> = Vec::new();
    for (unit, &place) in template.places.iter().enumerate() {
        match found.last_mut() {
            Some(run) if run.len() < NEIGHBOURHOOD && place < template.places[run.start] + MAX_SPAN => {
                run.end = unit + 1
            }
            _ => found.push(unit..unit + 1),
        }
    }
    found
}

/// Returns the `beam` best combinations of hypotheses about different units.
fn combined(left: &[Hypothesis], right: &[Hypothesis], beam: usize) -> Vec<Hypothesis> {
    let mut all: Vec<Hypothesis> = Vec::with_capacity(left.len() * right.len());
    for one in left {
        for other in right {
            let filled = one.filled.iter().chain(&other.filled).map(|(unit, choice)| (*unit, choice.clone()));
            let log_probability = one.log_probability + other.log_probability;
            all.push(Hypothesis { filled: filled.collect(), log_probability });
        }
    }
    best_of(all, beam)
}

/// Returns the `beam` best distinct hypotheses, best first; of equal ones the more likely.
fn best_of(mut all: Vec<Hypothesis>, beam: usize) -> Vec<Hypothesis> {
    let order = |one: &Hypothesis, other: &Hypothesis| {
        other.log_probability.total_cmp(&one.log_probability).then_with(|| one.keys().cmp(&other.keys()))
    };
    all.sort_by(order);
    let mut kept: Vec<Hypothesis> = Vec::with_capacity(beam);
    for hypothesis in all {
        if kept.len() == beam {
            break;
        }
        if kept.iter().all(|other| other.keys() != hypothesis.keys()) {
            kept.push(hypothesis);
        }
    }
    kept
}

/// Search in one neighbourhood.
struct Neighbourhood<'a, K> {
    ground: &'a Ground<'a, K>,
    units: Range<UnitIndex>,
    window: Range<usize>,
    base: Filling,
    beam: usize,
    hypotheses: Vec<Hypothesis>,
}

/// A hypothesis about to be extended.
struct Extension {
    filling: Filling,
    starts: Vec<WordStart>,
    open: Vec<UnitIndex>,
    /// Unit to fill, its index in `open`, and its choices, once they are known.
    next: Option<(UnitIndex, usize, Vec<Choice>)>,
}

impl<'a, K: Knowledge> Neighbourhood<'a, K> {
    fn new(ground: &'a Ground<'a, K>, units: Range<UnitIndex>, base: Filling, beam: usize) -> Self {
        let places = ground.template.places.get(units.clone()).unwrap_or_default();
        let core = places.first().copied().unwrap_or(0)..places.last().map_or(0, |place| place + 1);
        let window = around(ground.template, &core, LONGEST_WINDOW);
        Self { ground, units, window, base, beam, hypotheses: vec![Hypothesis::default()] }
    }

    fn filled(&self) -> usize {
        self.hypotheses.first().map_or(0, |best| best.filled.len())
    }

    /// Fills the first unit, from the results for the units on their own.
    fn fill_first(&mut self, singles: &[Single]) {
        let certainty = |unit: &UnitIndex| {
            let single = singles.get(*unit).and_then(|single| single.proposals.first());
            single.map_or(0.0, |proposal| proposal.probability)
        };
        let Some(unit) = most_certain(self.units.clone(), certainty) else { return };
        let proposals = singles.get(unit).map(|single| single.proposals.as_slice()).unwrap_or_default();
        let choices = self.ground.choices(self.gap(unit), proposals, 1.0, self.beam);
        self.hypotheses = best_of(extend(&Hypothesis::default(), unit, choices), self.beam);
    }

    /// Fills one more unit in every hypothesis. Returns `false` if none is open.
    ///
    /// No extension is more likely than the hypothesis that it extends. So once the beam is full of extensions that are
    /// more likely than the next hypothesis, this one and all after it are skipped: same result, fewer rows.
    async fn step<S: Scorer>(&mut self, scorer: &mut S) -> Result<bool, S::Error> {
        if self.hypotheses.iter().all(|hypothesis| self.open(hypothesis).is_empty()) {
            return Ok(false);
        }
        let (mut extensions, mut likelier) = (Vec::new(), Vec::new());
        while let Some(next) = self.hypotheses.get(extensions.len())
            && next.log_probability >= self.reached(&extensions)
        {
            let waiting = self.hypotheses[extensions.len()..].iter().take(scorer.rows_at_once().max(1));
            let asked: Vec<Extension> = waiting.map(|hypothesis| self.extension(hypothesis, scorer)).collect();
            let rows: Vec<Row> = asked.iter().map(|extension| self.row(extension, None)).collect();
            for (mut extension, logits) in asked.into_iter().zip(scorer.score(&rows).await?) {
                self.choose(&mut extension, &logits);
                extensions.push(extension);
                likelier.push(logits);
            }
        }
        self.try_other_masks(&mut extensions, &likelier, scorer).await?;
        self.hypotheses = self.extended(&extensions);
        Ok(true)
    }

    /// Returns the best hypotheses that result from these extensions of the first hypotheses.
    fn extended(&self, extensions: &[Extension]) -> Vec<Hypothesis> {
        let mut all = Vec::new();
        for (hypothesis, extension) in self.hypotheses.iter().zip(extensions) {
            if let Some((unit, _, choices)) = &extension.next {
                all.extend(extend(hypothesis, *unit, choices.clone()));
            }
        }
        best_of(all, self.beam)
    }

    /// Returns the log-probability that a further extension must reach: the least of a full beam.
    fn reached(&self, extensions: &[Extension]) -> f32 {
        self.extended(extensions).get(self.beam - 1).map_or(f32::NEG_INFINITY, |last| last.log_probability)
    }

    fn open(&self, hypothesis: &Hypothesis) -> Vec<UnitIndex> {
        self.units.clone().filter(|unit| !hypothesis.filled.contains_key(unit)).collect()
    }

    fn extension<S: Scorer>(&self, hypothesis: &Hypothesis, scorer: &mut S) -> Extension {
        let mut filling = self.base.clone();
        hypothesis.write(&mut filling);
        let template = self.ground.template;
        let start = |unit| WordStart::of(self.ground.knowledge, template, unit, &filling);
        let mut starts: Vec<WordStart> = (0..template.units.len()).map(start).collect();
        let open = self.open(hypothesis);
        let row = |starts: &[WordStart]| template.row(&self.window, &filling, &WordStart::masks(starts), &open);
        WordStart::inform(&mut starts, &open, row, scorer);
        Extension { filling, starts, open, next: None }
    }

    /// Returns the row with every open unit at its likelier mask, except `flipped` at the other one.
    fn row(&self, extension: &Extension, flipped: Option<UnitIndex>) -> Row {
        let mut masks = WordStart::masks(&extension.starts);
        if let Some(mask) = flipped.and_then(|unit| masks.get_mut(unit)) {
            *mask = !*mask;
        }
        let only = flipped.map(|unit| vec![unit]);
        let wanted = only.as_ref().unwrap_or(&extension.open);
        self.ground.template.row(&self.window, &extension.filling, &masks, wanted)
    }

    /// Finds the unit to fill, and its choices at the likelier mask.
    fn choose(&self, extension: &mut Extension, logits: &Logits) {
        let mut found: Vec<Vec<Choice>> = Vec::with_capacity(extension.open.len());
        for (&unit, logits) in extension.open.iter().zip(logits) {
            let Some(start) = extension.starts.get(unit) else { continue };
            let (begins, inside) = if start.likelier() { (Some(logits), None) } else { (None, Some(logits)) };
            let proposals = self.proposals(unit, start, begins, inside);
            found.push(self.ground.choices(self.gap(unit), &proposals, start.weight(), self.beam));
        }
        let certainty = |place: &usize| {
            found.get(*place).and_then(|choices| choices.first()).map_or(0.0, |choice| choice.reading.probability)
        };
        if let Some(place) = most_certain(0..found.len(), certainty) {
            extension.next = Some((extension.open[place], place, found.swap_remove(place)));
        }
    }

    /// Asks for the other mask of the unit to be filled, if a choice from it could still reach the beam.
    async fn try_other_masks<S: Scorer>(
        &self,
        extensions: &mut [Extension],
        likelier: &[Logits],
        scorer: &mut S,
    ) -> Result<(), S::Error> {
        let least = self.reached(extensions);
        let worth = |number: &usize| self.is_worth_flipping(*number, &extensions[*number], least);
        let asked: Vec<usize> = (0..extensions.len()).filter(worth).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let row = |number: &usize| {
            let extension = &extensions[*number];
            self.row(extension, extension.next.as_ref().map(|(unit, ..)| *unit))
        };
        let rows: Vec<Row> = asked.iter().map(row).collect();
        for (number, flipped) in asked.into_iter().zip(scorer.score(&rows).await?) {
            if let (Some(extension), Some(likelier)) = (extensions.get_mut(number), likelier.get(number)) {
                self.mix(extension, likelier, &flipped);
            }
        }
        Ok(())
    }

    /// Returns `true` if a hypothesis deserves the other mask: a choice from it has at most the mask's share of the
    /// hypothesis, and that must reach the `least` of the beam.
    fn is_worth_flipping(&self, number: usize, extension: &Extension, least: f32) -> bool {
        let Some((unit, _, choices)) = &extension.next else { return false };
        let Some(start) = extension.starts.get(*unit) else { return false };
        let bound = self.hypotheses[number].log_probability + (1.0 - start.weight()).ln();
        start.open && (choices.is_empty() || self.has_traces(*unit) || bound > least)
    }

    /// Replaces the choices by those from both masks.
    fn mix(&self, extension: &mut Extension, likelier: &Logits, flipped: &Logits) {
        let Some((unit, place, choices)) = extension.next.as_mut() else { return };
        let Some(start) = extension.starts.get(*unit) else { return };
        let (one, other) = (likelier.get(*place), flipped.first());
        let (begins, inside) = if start.likelier() { (one, other) } else { (other, one) };
        let proposals = self.proposals(*unit, start, begins, inside);
        *choices = self.ground.choices(self.gap(*unit), &proposals, 1.0, self.beam);
    }

    fn proposals(
        &self,
        unit: UnitIndex,
        start: &WordStart,
        begins: Option<&Vec<f32>>,
        inside: Option<&Vec<f32>>,
    ) -> Vec<Proposal> {
        let Some(place) = self.ground.template.units.get(unit) else { return Vec::new() };
        let evidence = PlaceEvidence {
            start: begins.map(Vec::as_slice),
            inside: inside.map(Vec::as_slice),
            word_start: start.probability,
            traces: &place.traces,
        };
        self.ground.knowledge.proposals(&evidence, self.beam)
    }

    fn gap(&self, unit: UnitIndex) -> usize {
        self.ground.template.units.get(unit).map_or(0, |unit| unit.gap)
    }

    fn has_traces(&self, unit: UnitIndex) -> bool {
        self.ground.template.units.get(unit).is_some_and(|unit| unit.traces != super::Traces::default())
    }
}

/// Returns the candidate with the greatest certainty; on a tie the earliest.
fn most_certain<T: Copy>(candidates: impl Iterator<Item = T>, certainty: impl Fn(&T) -> f32) -> Option<T> {
    let rated = candidates.map(|candidate| (candidate, certainty(&candidate)));
    rated.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(candidate, _)| candidate)
}

/// Extends a hypothesis with each choice for a unit, or with none if nothing fits.
fn extend(hypothesis: &Hypothesis, unit: UnitIndex, choices: Vec<Choice>) -> Vec<Hypothesis> {
    if choices.is_empty() {
        return vec![hypothesis.with(unit, None)];
    }
    choices.into_iter().map(|choice| hypothesis.with(unit, Some(choice))).collect()
}

#[cfg(test)]
mod tests;
