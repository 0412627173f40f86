//! The pairs that all runs learn from and are measured with.

use super::arguments::TransformerArguments;
use std::collections::HashSet;
use tuppum_cli::failure::Result;
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan};
use tuppum_random::Random;

/// Pairs that all runs learn from and are measured with.
#[derive(Debug)]
pub struct TranslationData {
    /// All pairs, and the plan by which a run trains with them, but for its seed.
    pub plan: TranslatorTrainingPlan,
    /// Number of pairs to learn from.
    pub trained: usize,
    /// Number of held-out pairs.
    pub held_out: usize,
    /// Held-out pairs that are measured, in the order in which they were drawn.
    pub measured: Vec<TranslationPair>,
    /// Number of measured pairs that stand word for word among the pairs to learn from.
    pub repeated: usize,
}

/// Reads the pairs and draws those that are measured.
///
/// # Errors
/// Message for the user.
pub fn read(arguments: &TransformerArguments) -> Result<TranslationData> {
    let mut pairs = Vec::new();
    for path in &arguments.pairs {
        let keep = |pair: tuppum_corpus::pairs_file::FilePair| {
            pairs.push(TranslationPair::new(pair.text, pair.source, pair.target))
        };
        for_each_pair(path, arguments.limit, keep)?;
    }
    let plan = TranslatorTrainingPlan { pairs, settings: arguments.training() };
    plan.check()?;
    let [trained, mut held_out] = plan.split();
    Random::new(0).shuffle(&mut held_out);
    let measured: Vec<TranslationPair> =
        held_out.iter().take(arguments.validation).map(|number| plan.pairs[*number].clone()).collect();
    if measured.is_empty() {
        return Err(format!(
            "of {} pairs none is held out to measure with: pairs of one text stay together, so there must be two texts \
             at least, and --validation must be 1 or more",
            plan.pairs.len()
        )
        .into());
    }
    let both = |pair: &TranslationPair| (pair.source.clone(), pair.target.clone());
    let learnt: HashSet<_> = trained.iter().map(|number| both(&plan.pairs[*number])).collect();
    let repeated = measured.iter().filter(|pair| learnt.contains(&both(pair))).count();
    Ok(TranslationData { trained: trained.len(), held_out: held_out.len(), measured, repeated, plan })
}
