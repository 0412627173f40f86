//! How the base and the trained model compare on what was set aside.

use crate::engine::protocol::{Changed, Compared};
use crate::eval::bits::paired;
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
    })
}
