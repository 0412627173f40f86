//! Where a passage may lie: every pattern of three known signs votes for the diagonals on which it stands.

use crate::attested::{AttestedSign, AttestedTexts, SignClass, TEXT_END, TextNumber};

/// The distances of the signs of a pattern. One sign may be missing or differ within.
const PATTERNS: [&[usize]; 3] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3]];
/// Those of a passage with so few signs that it has hardly a pattern of three.
const SHORT_PATTERNS: [&[usize]; 3] = [&[0, 1], &[0, 2], &[0]];
/// A passage with fewer known signs is short.
const SHORT: usize = 6;
/// Diagonals this near are one: signs may be missing on one side.
const BAND: usize = 8;

/// Diagonals of a text that lie near one another.
type Band = (TextNumber, usize);

/// A stretch that was voted for: the place at which the passage would begin, and by how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The text.
    pub text: TextNumber,
    /// The first sign of the passage would stand about here; below zero where the text begins later.
    pub begin: isize,
    /// Sum of the patterns' information in nats.
    pub votes: f32,
}

/// The `most` likeliest stretches.
pub(crate) fn candidates(corpus: &AttestedTexts, signs: &[AttestedSign], most: usize) -> Vec<Candidate> {
    let all = corpus.len().max(1) as f32;
    let mut votes: Vec<(Band, f32)> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    let is_short = signs.iter().filter(|sign| sign.reading > TEXT_END).count() < SHORT;
    let short: &[&[usize]] = if is_short { &SHORT_PATTERNS } else { &[] };
    for begin in 0..signs.len() {
        for distances in PATTERNS.iter().chain(short) {
            let Some(pattern) = pattern(corpus, signs, begin, distances) else { continue };
            let find = || corpus.places_of_pattern(&pattern).collect::<Vec<_>>();
            let places = seen.entry(pattern.clone()).or_insert_with(find);
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

/// The classes of the signs at these distances, if all of them are known.
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
