//! Batches of triples with false tails.

use super::triples::Triple;
use crate::geometry::Random;

/// Triples whose scores are compared with those of false tails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The heads.
    pub heads: Vec<u32>,
    /// The relations.
    pub relations: Vec<u32>,
    /// For each head the true tail, then the false ones.
    pub tails: Vec<u32>,
    /// Tails of each head.
    pub width: usize,
}

impl Batch {
    /// These triples, each with `false_tails` entities drawn evenly from all, as the published code draws them: one may be true by chance.
    pub fn drawn(
        triples: impl Iterator<Item = Triple>,
        false_tails: usize,
        entities: usize,
        random: &mut Random,
    ) -> Self {
        let mut batch = Self { width: false_tails + 1, ..Self::default() };
        for triple in triples {
            batch.heads.push(triple.head);
            batch.relations.push(triple.relation);
            batch.tails.push(triple.tail);
            batch.tails.extend((0..false_tails).map(|_| random.below(entities) as u32));
        }
        batch
    }

    /// How many triples it has.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }
}
