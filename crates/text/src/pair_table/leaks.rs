//! Leaks: pairs set aside for measuring that training has seen.

use super::ImportedPair;
use std::collections::BTreeSet;

/// Returns the pairs set aside whose source also belongs to a training pair: a model that memorised it would look
/// better than it is. Both arguments are numbers of pairs.
pub fn leaks(pairs: &[ImportedPair], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let sources: Vec<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
    leaks_among(&sources, training, held_out)
}

/// Returns the leaks among pairs that are given by the sources of all pairs.
pub fn leaks_among(sources: &[&str], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let source = |number: &usize| sources.get(*number).copied();
    let known: BTreeSet<&str> = training.iter().filter_map(source).collect();
    held_out.iter().copied().filter(|number| source(number).is_some_and(|source| known.contains(source))).collect()
}
