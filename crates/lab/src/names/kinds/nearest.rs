//! A baseline: the kind of the most similar spelling, by the edit distance of readings.

use super::examples::NameExamples;
use std::collections::HashMap;
use tuppum_corpus::names::NameClasses;

/// Spellings to learn from, found by their readings.
#[derive(Clone, Debug)]
pub struct NearestSpelling {
    determinatives: bool,
    /// Numbers of readings.
    numbers: HashMap<String, u32>,
    /// Readings of each spelling, and its number of examples of each class.
    spellings: Vec<(Vec<u32>, [u32; NameClasses::COUNT])>,
    /// Spellings that have a reading, for each reading.
    places: Vec<Vec<u32>>,
    commonest: usize,
}

impl NearestSpelling {
    /// Returns the spellings of these examples, with determinatives or without.
    pub fn of(examples: &NameExamples, learnt: &[u32], determinatives: bool) -> Self {
        let mut own = Self {
            determinatives,
            numbers: HashMap::new(),
            spellings: Vec::new(),
            places: Vec::new(),
            commonest: commonest(examples, learnt),
        };
        let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
        for number in learnt {
            let example = &examples.all[*number as usize];
            let readings: Vec<u32> = own.readings(&examples.spellings[example.spelling as usize].0);
            let place = *known.entry(readings.clone()).or_insert_with(|| {
                own.spellings.push((readings, [0; NameClasses::COUNT]));
                own.spellings.len() - 1
            });
            own.spellings[place].1[example.class] += 1;
        }
        own.places = vec![Vec::new(); own.numbers.len()];
        for (place, (readings, _)) in own.spellings.iter().enumerate() {
            let mut readings = readings.clone();
            readings.sort_unstable();
            readings.dedup();
            readings.into_iter().for_each(|reading| own.places[reading as usize].push(place as u32));
        }
        own
    }

    fn readings(&mut self, spelling: &str) -> Vec<u32> {
        let seen = spelling.split(' ').filter(|reading| self.determinatives || !reading.starts_with('{'));
        let mut numbers = Vec::new();
        for reading in seen {
            let next = self.numbers.len() as u32;
            numbers.push(*self.numbers.entry(reading.to_owned()).or_insert(next));
        }
        numbers
    }

    /// Returns the class of the spelling with the fewest edits for its length; of several the commonest class of all of
    /// them.
    pub fn class(&self, spelling: &str) -> usize {
        let seen = spelling.split(' ').filter(|reading| self.determinatives || !reading.starts_with('{'));
        // A reading that is in no spelling to learn from equals none of theirs.
        let readings: Vec<u32> = seen.map(|reading| self.numbers.get(reading).copied().unwrap_or(u32::MAX)).collect();
        let (mut best, mut votes) = (f64::INFINITY, [0; NameClasses::COUNT]);
        let mut looked_at = vec![false; self.spellings.len()];
        for place in readings.iter().filter_map(|reading| self.places.get(*reading as usize)).flatten() {
            if std::mem::replace(&mut looked_at[*place as usize], true) {
                continue;
            }
            let (other, counts) = &self.spellings[*place as usize];
            let longest = readings.len().max(other.len()) as f64;
            if readings.len().abs_diff(other.len()) as f64 / longest > best {
                continue;
            }
            let distance = edits(&readings, other) as f64 / longest;
            if distance < best {
                (best, votes) = (distance, [0; NameClasses::COUNT]);
            }
            if distance <= best {
                votes.iter_mut().zip(counts).for_each(|(vote, count)| *vote += count);
            }
        }
        if best.is_infinite() {
            return self.commonest;
        }
        (0..votes.len()).rev().max_by_key(|class| votes[*class]).unwrap_or(0)
    }
}

/// Returns the commonest class of examples.
pub fn commonest(examples: &NameExamples, learnt: &[u32]) -> usize {
    let mut counts = [0; NameClasses::COUNT];
    learnt.iter().for_each(|number| counts[examples.all[*number as usize].class] += 1);
    (0..counts.len()).rev().max_by_key(|class| counts[*class]).unwrap_or(0)
}

/// Returns the number of readings to insert, delete or replace (Levenshtein).
fn edits(one: &[u32], other: &[u32]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (down, own) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = down + 1;
        for (across, reading) in other.iter().enumerate() {
            let replaced = corner + usize::from(own != reading);
            corner = row[across + 1];
            row[across + 1] = replaced.min(row[across] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}
