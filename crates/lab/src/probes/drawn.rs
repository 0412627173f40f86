//! The trees of some short sentences, as a probe finds them, for the lesson to draw.

use crate::probes::scores::{ProbedDistances, spanning_tree};
use crate::probes::words::Read;
use std::ops::RangeInclusive;
use tuppum_domain::dependencies::{ProbedSentence, ProbedTrees, WordTree};
use tuppum_geometry::Random;

/// Number of sentences to draw.
const SENTENCES: usize = 8;
/// Lengths of these sentences, in words.
const WORDS: RangeInclusive<usize> = 5..=10;

/// The sentences, and where each stands among those that were kept aside.
pub(super) struct DrawnTrees {
    pub(super) trees: ProbedTrees,
    places: Vec<usize>,
}

impl DrawnTrees {
    /// Draws sentences by chance from those kept aside, whose numbers these are: all their words are spelt, and no two
    /// are of one text.
    pub(super) fn of(read: &[Read], kept_aside: &[usize], seed: u64) -> Self {
        let whole = |place: &usize| {
            let read = &read[kept_aside[*place]];
            let words = read.words.len();
            let is_connected = read.tree.edges().len() + 1 == words && read.tree.root().is_some();
            WORDS.contains(&words) && is_connected && read.transliteration().split(' ').count() == words
        };
        let mut places: Vec<usize> = (0..kept_aside.len()).filter(whole).collect();
        Random::new(seed).shuffle(&mut places);
        let mut texts: Vec<&str> = Vec::new();
        places.retain(|place| {
            let text = read[kept_aside[*place]].text.as_str();
            let is_new = texts.len() < SENTENCES && !texts.contains(&text);
            is_new.then(|| texts.push(text)).is_some()
        });
        let sentence = |place: &usize| {
            let read = &read[kept_aside[*place]];
            ProbedSentence {
                text: read.text.clone(),
                words: read.transliteration().split(' ').map(str::to_owned).collect(),
                tree: WordTree { links: read.tree.edges(), root: read.tree.root().unwrap_or_default() },
                found: Vec::new(),
            }
        };
        let sentences = places.iter().map(sentence).collect();
        Self { trees: ProbedTrees { sentences, ..ProbedTrees::default() }, places }
    }

    /// Adds what was found in a layer: the share of all links, in percent, and each sentence kept aside in order.
    pub(super) fn add(&mut self, layer: usize, share: f64, found: &[ProbedDistances]) {
        self.trees.layers.push(layer);
        self.trees.found.push((10.0 * share).round() / 10.0);
        for (sentence, place) in self.trees.sentences.iter_mut().zip(&self.places) {
            let ProbedDistances { distances, depths } = &found[*place];
            let least = (0..depths.len()).min_by(|one, other| depths[*one].total_cmp(&depths[*other]));
            let mut links = spanning_tree(distances, depths.len());
            links.sort_unstable();
            sentence.found.push(WordTree { links, root: least.unwrap_or_default() });
        }
    }
}
