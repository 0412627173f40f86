//! Batches of triples with false tails.

use super::triples::{Answers, Triple};
use tuppum_geometry::Random;

/// Triples whose scores are compared with those of false tails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TripleBatch {
    /// The heads.
    pub heads: Vec<u32>,
    /// The relations.
    pub relations: Vec<u32>,
    /// Tails of each head: the true one, then the false ones.
    pub tails: Vec<u32>,
    /// Tails of each head.
    pub width: usize,
}

impl TripleBatch {
    /// Draws for each of these triples `false_tails` entities, evenly from all but the entities `known` to be true
    /// tails of its head and relation.
    pub fn drawn(
        triples: impl Iterator<Item = Triple>,
        false_tails: usize,
        entities: usize,
        known: &Answers,
        random: &mut Random,
    ) -> Self {
        let mut batch = Self { width: false_tails + 1, ..Self::default() };
        for triple in triples {
            batch.heads.push(triple.head);
            batch.relations.push(triple.relation);
            batch.tails.push(triple.tail);
            // Where every entity is a true tail there is none to draw.
            let known = known.get(&(triple.head, triple.relation)).filter(|known| known.len() < entities);
            for _ in 0..false_tails {
                let mut tail = random.below(entities) as u32;
                while known.is_some_and(|known| known.contains(&tail)) {
                    tail = random.below(entities) as u32;
                }
                batch.tails.push(tail);
            }
        }
        batch
    }

    /// Returns the number of triples.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns `true` if the batch has no triples.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }
}
