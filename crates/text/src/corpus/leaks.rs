//! Whether what is set aside to measure with was seen in training after all.

use super::ImportedPair;
use std::collections::BTreeSet;

/// Of the pairs set aside, those whose source a pair to train on has too: a model that knows it by heart would look
/// better than it is. Both sides are numbers of pairs.
pub fn leaks(pairs: &[ImportedPair], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let sources: Vec<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
    leaks_among(&sources, training, held_out)
}

/// Leaks among pairs that are given by the sources of all of them.
pub fn leaks_among(sources: &[&str], training: &[usize], held_out: &[usize]) -> Vec<usize> {
    let source = |number: &usize| sources.get(*number).copied();
    let known: BTreeSet<&str> = training.iter().filter_map(source).collect();
    held_out.iter().copied().filter(|number| source(number).is_some_and(|source| known.contains(source))).collect()
}
