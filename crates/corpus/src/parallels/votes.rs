//! Where a passage may lie: every pattern of three known signs votes for the diagonals on which it stands.

use crate::attested::{AttestedSign, AttestedTexts, SignClass, TEXT_END, TextNumber};

/// The distances of the second and third sign of a pattern. One sign may be missing or differ within.
const PATTERNS: [[usize; 3]; 3] = [[0, 1, 2], [0, 1, 3], [0, 2, 3]];
/// Diagonals this near are one: signs may be missing on one side.
const BAND: usize = 8;

/// Diagonals of a text that lie near one another.
type Band = (TextNumber, usize);

/// A stretch that was voted for: the place at which the passage would begin, and by how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The text.
    pub text: TextNumber,
    /// The first sign of the passage would stand about here; below zero where the text begins later.
    pub begin: isize,
    /// Sum of the patterns' information in nats.
    pub votes: f32,
}

/// The `most` likeliest stretches.
pub(super) fn candidates(corpus: &AttestedTexts, signs: &[AttestedSign], most: usize) -> Vec<Candidate> {
    let all = corpus.len().max(1) as f32;
    let mut votes: Vec<(Band, f32)> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for begin in 0..signs.len() {
        for distances in PATTERNS {
            let Some(pattern) = pattern(corpus, signs, begin, distances) else { continue };
            let places = seen.entry(pattern).or_insert_with(|| corpus.places_of_pattern(&pattern).collect::<Vec<_>>());
            let weight = (all / places.len().max(1) as f32).ln();
            // Shifted by the number of signs, so that no diagonal lies below zero.
            let band =
                |place: &usize| (corpus.text_at(*place).unwrap_or_default(), (place + signs.len() - begin) / BAND);
            votes.extend(places.iter().map(|place| (band(place), weight)));
        }
    }
    votes.sort_unstable_by_key(|(band, _)| *band);
    let mut bands: Vec<(Band, f32)> = Vec::new();
    for (band, weight) in votes {
        match bands.last_mut() {
            Some((last, sum)) if *last == band => *sum += weight,
            _ => bands.push((band, weight)),
        }
    }
    let mut found: Vec<Candidate> = merged(&bands)
        .into_iter()
        .map(|((text, band), votes)| Candidate { text, begin: (band * BAND) as isize - signs.len() as isize, votes })
        .collect();
    found.sort_by(|one, other| {
        other.votes.total_cmp(&one.votes).then(one.text.cmp(&other.text)).then(one.begin.cmp(&other.begin))
    });
    found.truncate(most);
    found
}

/// Neighbouring bands as one, in the place of the stronger: a passage may straddle two.
fn merged(bands: &[(Band, f32)]) -> Vec<(Band, f32)> {
    let mut merged: Vec<(Band, f32)> = Vec::new();
    let mut taken = false;
    for (number, (band, votes)) in bands.iter().enumerate() {
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

/// The classes of three signs at these distances, if all three are known.
fn pattern(
    corpus: &AttestedTexts,
    signs: &[AttestedSign],
    begin: usize,
    distances: [usize; 3],
) -> Option<[(usize, SignClass); 3]> {
    let mut pattern = [(0, 0); 3];
    for (entry, distance) in pattern.iter_mut().zip(distances) {
        let sign = signs.get(begin + distance).filter(|sign| sign.reading > TEXT_END)?;
        *entry = (distance, corpus.readings().class(sign.reading));
    }
    Some(pattern)
}
