//! The pairs that all runs learn from and are measured with.

use super::arguments::TranslateArguments;
use crate::failure::Result;
use std::collections::HashSet;
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_random::Random;
use tuppum_tasks::translation::training::{Pair, Plan};

/// What all runs learn from and are measured with.
#[derive(Debug)]
pub struct Data {
    /// All pairs that are read, and how a run trains with them, but for its seed.
    pub plan: Plan,
    /// How many pairs train.
    pub trained: usize,
    /// How many are held out.
    pub held: usize,
    /// Those of the held-out pairs that are measured, in the order in which they were drawn.
    pub measured: Vec<Pair>,
    /// How many of those stand word for word among the pairs that train.
    pub repeated: usize,
}

/// Reads the pairs and draws those that are measured.
///
/// # Errors
/// A sentence or two for the user.
pub fn read(arguments: &TranslateArguments) -> Result<Data> {
    let mut pairs = Vec::new();
    for path in &arguments.pairs {
        let keep = |pair: tuppum_corpus::pairs_file::Pair| pairs.push(Pair::new(pair.text, pair.source, pair.target));
        for_each_pair(path, arguments.limit, keep)?;
    }
    let plan = Plan { pairs, settings: arguments.training() };
    plan.check()?;
    let [trained, mut held] = plan.split();
    Random::new(0).shuffle(&mut held);
    let measured: Vec<Pair> =
        held.iter().take(arguments.validation).map(|number| plan.pairs[*number].clone()).collect();
    if measured.is_empty() {
        return Err(format!(
            "of {} pairs none is held out to measure with: pairs of one text stay together, so there must be two texts at least, \
             and --validation must be 1 or more",
            plan.pairs.len()
        ).into());
    }
    let both = |pair: &Pair| (pair.source.clone(), pair.target.clone());
    let learnt: HashSet<_> = trained.iter().map(|number| both(&plan.pairs[*number])).collect();
    let repeated = measured.iter().filter(|pair| learnt.contains(&both(pair))).count();
    Ok(Data { trained: trained.len(), held: held.len(), measured, repeated, plan })
}
