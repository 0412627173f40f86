//! Logits that were computed before, so that a new ranking or a step back in the search costs no pass.

use std::collections::{BTreeMap, HashMap};
use tuppum_tasks::restoration::{Logits, Row};

/// The rows asked for last, up to a number of bytes.
#[derive(Debug)]
pub struct Cache {
    entries: HashMap<Row, Entry>,
    /// Rows by the time they were last asked for.
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
    /// An empty cache that keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { entries: HashMap::new(), order: BTreeMap::new(), clock: 0, bytes: 0, limit }
    }

    /// The row's logits, if they are still here.
    pub fn get(&mut self, row: &Row) -> Option<Logits> {
        let entry = self.entries.get_mut(row)?;
        self.clock += 1;
        if let Some(row) = self.order.remove(&entry.asked) {
            self.order.insert(self.clock, row);
        }
        entry.asked = self.clock;
        Some(entry.logits.clone())
    }

    /// Whether the row's logits are here; does not count as asking.
    pub fn has(&self, row: &Row) -> bool {
        self.entries.contains_key(row)
    }

    /// Keeps the row's logits, and drops what was asked for longest ago while there is too much.
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
