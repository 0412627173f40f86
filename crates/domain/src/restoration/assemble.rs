//! Assembles an answer from the results of the parts of the search.

use super::joint::{Ground, Hypothesis};
use super::knowledge::Knowledge;
use super::lengths::{BreakAnswer, shares};
use super::plan::{Extent, SearchPlan};
use super::singles::Single;
use super::{Answer, GapAnswer, Joint, JointReading, LengthAnswer};

/// Returns the answer after every unit was scored on its own, with `top` proposals per gap. A break of known length
/// shows the best reading of each of its signs until the joint search knows better.
pub fn first<K: Knowledge>(ground: &Ground<'_, K>, plan: &SearchPlan, alone: &[Single], top: usize) -> Answer {
    let mut answer = Answer::default();
    for (number, gap) in plan.gaps.iter().enumerate() {
        let units = plan.template.units.iter().zip(alone).filter(|(unit, _)| unit.gap == number);
        let own: Vec<&Single> = units.map(|(_, single)| single).collect();
        let mut found = GapAnswer {
            sign: gap.sign,
            proposals: Vec::new(),
            lengths: Vec::new(),
            word_start: own.first().map_or(1.0, |single| single.word_start),
        };
        if let [single] = own.as_slice() {
            found.proposals = single.proposals.iter().take(top).cloned().collect();
        } else if !own.is_empty() {
            let best = own.iter().flat_map(|single| ground.choices(number, &single.proposals, 1.0, 1));
            let readings = best.map(|choice| choice.reading).collect();
            found.lengths = vec![LengthAnswer { length: own.len(), probability: 1.0, readings }];
        }
        answer.gaps.push(found);
    }
    answer
}

/// Sets the joint fillings: the hypotheses about the gaps of known length, combined with the lengths found for the
/// breaks. Breaks of known length take their readings from the best hypothesis.
pub fn add_joint(answer: &mut Answer, plan: &SearchPlan, hypotheses: &[Hypothesis]) {
    for (number, (gap, found)) in plan.gaps.iter().zip(&mut answer.gaps).enumerate() {
        let (Extent::Signs(2..), Some(length), Some(best)) =
            (gap.extent, found.lengths.first_mut(), hypotheses.first())
        else {
            continue;
        };
        let own = |(unit, _): &(&usize, _)| plan.template.units.get(**unit).is_some_and(|unit| unit.gap == number);
        let filled = best.filled.iter().filter(own);
        let readings: Vec<JointReading> =
            filled.filter_map(|(_, choice)| choice.as_ref()).map(|choice| choice.reading.clone()).collect();
        if readings.len() >= length.readings.len() {
            length.readings = readings;
        }
    }
    answer.joint = joints(hypotheses, &answer.gaps, plan);
}

/// Enters the result for the break that is this gap of the plan.
pub fn add_break(answer: &mut Answer, number: usize, found: BreakAnswer) {
    if let Some(gap) = answer.gaps.get_mut(number) {
        gap.proposals = found.proposals;
        gap.word_start = found.word_start;
        gap.lengths = found.lengths;
    }
}

/// A joint filling being assembled.
#[derive(Clone)]
struct Whole {
    readings: Vec<JointReading>,
    log_probability: f32,
    /// Score: a break counts with the probability of its length, which compensates for short fillings.
    rank: f32,
}

fn joints(hypotheses: &[Hypothesis], gaps: &[GapAnswer], plan: &SearchPlan) -> Vec<Joint> {
    let mut wholes: Vec<Whole> = hypotheses
        .iter()
        .map(|hypothesis| Whole {
            readings: hypothesis.filled.values().flatten().map(|choice| choice.reading.clone()).collect(),
            log_probability: hypothesis.log_probability,
            rank: hypothesis.log_probability,
        })
        .collect();
    let beam = wholes.len();
    let breaks = plan.gaps.iter().zip(gaps).filter(|(gap, _)| gap.extent == Extent::Unknown);
    for (_, found) in breaks.filter(|(_, found)| !found.lengths.is_empty()) {
        let pairs = wholes.iter().flat_map(|whole| found.lengths.iter().map(move |length| (whole, length)));
        wholes = pairs.map(|(whole, length)| whole.with(length)).collect();
        wholes.sort_by(|one, other| other.rank.total_cmp(&one.rank));
        // A single hypothesis about the other gaps, or none, still leaves several lengths to rank.
        wholes.truncate(beam.max(found.lengths.len()));
    }
    // A filling with no readings is no answer.
    wholes.retain(|whole| !whole.readings.is_empty());
    let ranks: Vec<f32> = wholes.iter().map(|whole| whole.rank).collect();
    let joint = |(whole, probability): (Whole, f32)| {
        let mut readings = whole.readings;
        // The sort is stable, so the signs of one break keep their order.
        readings.sort_by_key(|reading| reading.sign);
        Joint { readings, probability, log_probability: whole.log_probability }
    };
    wholes.into_iter().zip(shares(&ranks)).map(joint).collect()
}

impl Whole {
    fn with(&self, length: &LengthAnswer) -> Self {
        let mut whole = self.clone();
        whole.readings.extend(length.readings.iter().cloned());
        whole.log_probability += length.readings.iter().map(|reading| reading.probability.ln()).sum::<f32>();
        whole.rank += length.probability.ln();
        whole
    }
}
