//! A cache of computed logits, so that a new ranking or a step back in the search needs no pass.

use std::collections::{BTreeMap, HashMap};
use tuppum_domain::restoration::{Logits, Row};

/// Least-recently-used cache of rows with a limit in bytes.
#[derive(Debug)]
pub struct Cache {
    entries: HashMap<Row, Entry>,
    /// Rows by the time of their last use.
    order: BTreeMap<u64, Row>,
    clock: u64,
    bytes: usize,
    limit: usize,
}

#[derive(Debug)]
struct Entry {
    logits: Logits,
    asked: u64,
    bytes: usize,
}

impl Cache {
    /// Creates an empty cache of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { entries: HashMap::new(), order: BTreeMap::new(), clock: 0, bytes: 0, limit }
    }

    /// Returns the row's logits if they are cached.
    pub fn get(&mut self, row: &Row) -> Option<Logits> {
        let entry = self.entries.get_mut(row)?;
        self.clock += 1;
        if let Some(row) = self.order.remove(&entry.asked) {
            self.order.insert(self.clock, row);
        }
        entry.asked = self.clock;
        Some(entry.logits.clone())
    }

    /// Returns `true` if the row's logits are cached, without counting as a use.
    pub fn has(&self, row: &Row) -> bool {
        self.entries.contains_key(row)
    }

    /// Stores the row's logits and evicts the least recently used rows while the cache is too large.
    pub fn put(&mut self, row: &Row, logits: Logits) {
        let numbers: usize = logits.iter().map(Vec::len).sum();
        let bytes = numbers * size_of::<f32>() + 2 * (row.ids.len() * 4 + row.places.len() * 8);
        if bytes > self.limit || self.has(row) {
            return;
        }
        self.clock += 1;
        self.bytes += bytes;
        self.entries.insert(row.clone(), Entry { logits, asked: self.clock, bytes });
        self.order.insert(self.clock, row.clone());
        while self.bytes > self.limit
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some(entry) = self.entries.remove(&oldest)
        {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u32) -> Row {
        Row { ids: vec![8, id], places: vec![1] }
    }

    /// A row and its logits take 2 · (8 + 8) + 4 · 25 bytes.
    const ENTRY: usize = 132;

    #[test]
    fn drops_what_was_asked_for_longest_ago() {
        let mut cache = Cache::new(2 * ENTRY);
        cache.put(&row(1), vec![vec![1.0; 25]]);
        cache.put(&row(2), vec![vec![2.0; 25]]);
        assert!(cache.get(&row(1)).is_some());
        cache.put(&row(3), vec![vec![3.0; 25]]);
        assert_eq!([1, 2, 3].map(|id| cache.has(&row(id))), [true, false, true]);
        assert_eq!(cache.bytes, 2 * ENTRY);
    }

    #[test]
    fn what_is_larger_than_the_cache_is_not_kept() {
        let mut cache = Cache::new(ENTRY - 1);
        cache.put(&row(1), vec![vec![1.0; 25]]);
        assert!(!cache.has(&row(1)));
        assert_eq!(cache.bytes, 0);
    }

    #[test]
    fn other_places_of_the_same_row_are_another_entry() {
        let mut cache = Cache::new(10 * ENTRY);
        cache.put(&row(1), vec![vec![1.0; 25]]);
        assert!(cache.get(&Row { ids: vec![8, 1], places: vec![0] }).is_none());
    }
}
