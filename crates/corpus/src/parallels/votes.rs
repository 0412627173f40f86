//! Votes for the places of similar passages: every pattern of three known signs votes for the diagonals on which it
//! stands.

use crate::attested::{AttestedSign, AttestedTexts, SignClass, TEXT_END, TextNumber};

/// Distances of the signs of a pattern. One sign within a pattern may be missing or differ.
const PATTERNS: [&[usize]; 3] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3]];
/// Distances used in addition for short passages, which hardly have a pattern of three.
const SHORT_PATTERNS: [&[usize]; 3] = [&[0, 1], &[0, 2], &[0]];
/// Number of known signs below which a passage is short.
const SHORT_PASSAGE_SIGNS: usize = 6;
/// Width of a band: diagonals this near count as one, since signs may be missing on one side.
const BAND_WIDTH: usize = 8;

/// Neighbouring diagonals of a text.
type Band = (TextNumber, usize);

/// A stretch that received votes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VotedStretch {
    pub text: TextNumber,
    /// Approximate place of the passage's first sign; negative if the text begins later.
    pub begin: isize,
    /// Sum of the patterns' information in nats.
    pub votes: f32,
}

/// Returns the `most` likeliest stretches.
pub(crate) fn candidates(corpus: &AttestedTexts, signs: &[AttestedSign], most: usize) -> Vec<VotedStretch> {
    let all = corpus.len().max(1) as f32;
    let mut votes = Votes::new(corpus, signs.len());
    let mut seen = std::collections::HashMap::new();
    let is_short = signs.iter().filter(|sign| sign.reading > TEXT_END).count() < SHORT_PASSAGE_SIGNS;
    let short: &[&[usize]] = if is_short { &SHORT_PATTERNS } else { &[] };
    for begin in 0..signs.len() {
        for distances in PATTERNS.iter().chain(short) {
            let Some(pattern) = pattern(corpus, signs, begin, distances) else { continue };
            let find = || corpus.places_of_pattern(&pattern).collect::<Vec<_>>();
            let places = seen.entry(pattern.clone()).or_insert_with(find);
            let weight = (all / places.len().max(1) as f32).ln();
            for place in places {
                votes.add(*place, begin, weight);
            }
        }
    }
    let mut found: Vec<VotedStretch> = merged(&votes.bands())
        .into_iter()
        .map(|((text, band), votes)| VotedStretch {
            text,
            begin: (band * BAND_WIDTH) as isize - signs.len() as isize,
            votes,
        })
        .collect();
    let likelier = |one: &VotedStretch, other: &VotedStretch| {
        other.votes.total_cmp(&one.votes).then(one.text.cmp(&other.text)).then(one.begin.cmp(&other.begin))
    };
    // A common wording has tens of thousands of stretches, so only the likeliest are sorted.
    if found.len() > most {
        found.select_nth_unstable_by(most, likelier);
        found.truncate(most);
    }
    found.sort_unstable_by(likelier);
    found
}

/// Votes for every band. The bands of one text are adjacent, followed by those of the next text.
struct Votes<'a> {
    corpus: &'a AttestedTexts,
    /// Number of signs of the passage.
    length: usize,
    sums: Vec<f32>,
}

impl<'a> Votes<'a> {
    fn new(corpus: &'a AttestedTexts, length: usize) -> Self {
        let last = corpus.texts().len().saturating_sub(1);
        // A flat table for all bands of all texts: adding a vote is one addition, without hashing.
        let mut votes = Self { corpus, length, sums: Vec::new() };
        let end = votes.sum_of(last, votes.band(corpus.len(), 0)) + 1;
        votes.sums.resize(end, 0.0);
        votes
    }

    /// Returns the band of a place that agrees with the sign `begin` of the passage. Bands are shifted by the passage's
    /// length, so that no diagonal is negative.
    fn band(&self, place: usize, begin: usize) -> usize {
        (place + self.length - begin) / BAND_WIDTH
    }

    /// Returns the index of a band's sum: the bands of a text and of the next one overlap by at most the passage's
    /// length.
    fn sum_of(&self, text: usize, band: usize) -> usize {
        band + text * (self.length / BAND_WIDTH + 2)
    }

    fn add(&mut self, place: usize, begin: usize, weight: f32) {
        let text = usize::from(self.corpus.text_at(place).unwrap_or_default());
        let sum = self.sum_of(text, self.band(place, begin));
        if let Some(sum) = self.sums.get_mut(sum) {
            *sum += weight;
        }
    }

    /// Returns the bands with votes, in order.
    fn bands(&self) -> Vec<(Band, f32)> {
        let of_text = |text: TextNumber| {
            let signs = self.corpus.signs_of(text);
            let bands = self.band(signs.start, self.length)..self.band(signs.end, 0) + 1;
            let number = usize::from(text);
            let sums = self.sums.get(self.sum_of(number, bands.start)..self.sum_of(number, bands.end));
            let with_band = bands.zip(sums.unwrap_or_default());
            with_band.filter(|(_, sum)| **sum > 0.0).map(move |(band, sum)| ((text, band), *sum))
        };
        (0..self.corpus.texts().len()).filter_map(|text| TextNumber::try_from(text).ok()).flat_map(of_text).collect()
    }
}

/// Merges neighbouring bands into the stronger one, since a passage may straddle two.
fn merged(bands: &[(Band, f32)]) -> Vec<(Band, f32)> {
    let mut merged: Vec<(Band, f32)> = Vec::new();
    let mut taken = false;
    for (number, (band, votes)) in bands.iter().enumerate() {
        // This band was merged into the one before.
        if std::mem::take(&mut taken) {
            continue;
        }
        match bands.get(number + 1) {
            Some((next, more)) if *next == (band.0, band.1 + 1) => {
                merged.push((if more > votes { *next } else { *band }, votes + more));
                taken = true;
            }
            _ => merged.push((*band, *votes)),
        }
    }
    merged
}

/// Returns the classes of the signs at these distances, if all of them are known.
fn pattern(
    corpus: &AttestedTexts,
    signs: &[AttestedSign],
    begin: usize,
    distances: &[usize],
) -> Option<Vec<(usize, SignClass)>> {
    let class = |distance: &usize| {
        let sign = signs.get(begin + distance).filter(|sign| sign.reading > TEXT_END)?;
        Some((*distance, corpus.readings().class(sign.reading)))
    };
    distances.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::corpus;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_vote_counts_for_its_band_alone(
            texts in prop::collection::vec(prop::collection::vec(0..10_usize, 1..20), 1..8),
            length in 1_usize..70,
            cast in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..60),
        ) {
            let corpus = corpus(&texts);
            let mut votes = Votes::new(&corpus, length);
            let mut expected: BTreeMap<Band, f32> = BTreeMap::new();
            for (place, begin) in cast {
                let (place, begin) = (place.index(corpus.len()), begin.index(length));
                votes.add(place, begin, 1.0);
                let text = corpus.text_at(place).unwrap();
                *expected.entry((text, (place + length - begin) / BAND_WIDTH)).or_default() += 1.0;
            }
            prop_assert_eq!(votes.bands(), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
