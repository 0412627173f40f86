//! How the base and the trained model compare on what was set aside.

use crate::engine::protocol::{Changed, Compared, Stratum};
use crate::eval::bits::paired;
use crate::eval::strata::strata;
use crate::model::translation::training::Validation;
use crate::text::random::SplitMix64;
use crate::train::translator::Trainer;

/// Samples of the bootstrap.
const SAMPLES: usize = 1_000;
/// How many pairs are told that changed most.
const TOLD: usize = 4;

/// First and last measurement of a run; none where nothing was set aside, or it was measured only once.
pub fn compared(trainer: &Trainer) -> Option<Compared> {
    let (first, last) = (trainer.validations().first()?, trainer.validations().last()?);
    if first.after == last.after {
        return None;
    }
    let found = paired(first, last, SAMPLES, &mut SplitMix64::new(trainer.plan().settings.seed)).ok()?;
    let [_, held_out] = trainer.plan().split();
    let pairs = held_out.iter().filter_map(|number| trainer.plan().pairs.get(*number));
    let measured = first.bits.iter().zip(&last.bits).zip(&first.bytes);
    let mut changed: Vec<Changed> = pairs
        .zip(measured)
        .map(|(pair, ((before, after), bytes))| {
            let per_byte = |bits: f32| f64::from(bits) / f64::from(*bytes).max(1.0);
            let (source, target) = (pair.source.clone(), pair.target.clone());
            Changed { source, target, before: per_byte(*before), after: per_byte(*after) }
        })
        .collect();
    let change = |one: &Changed| (one.after - one.before).abs();
    changed.sort_by(|one, other| change(other).total_cmp(&change(one)));
    let count = changed.len();
    changed.truncate(TOLD);
    Some(Compared {
        before: found.first,
        after: found.second,
        difference: found.difference.value,
        interval: [found.difference.low, found.difference.high],
        pairs: count,
        changed,
        strata: hard(trainer, first, last),
    })
}

/// The comparison where sources are hard.
fn hard(trainer: &Trainer, first: &Validation, last: &Validation) -> Vec<Stratum> {
    let sources = |side: &[usize]| -> Vec<&str> {
        side.iter().filter_map(|number| trainer.plan().pairs.get(*number)).map(|pair| pair.source.as_str()).collect()
    };
    let [trained, held_out] = trainer.plan().split();
    // Both were measured by this trainer, on these pairs.
    let found = strata(sources(&trained), &sources(&held_out), first, last).unwrap_or_default();
    let told = |one: crate::eval::strata::Stratum| Stratum {
        name: one.name.to_owned(),
        pairs: one.pairs,
        before: one.bits.first,
        after: one.bits.second,
        difference: one.bits.difference.value,
        interval: [one.bits.difference.low, one.bits.difference.high],
    };
    found.into_iter().map(told).collect()
}
