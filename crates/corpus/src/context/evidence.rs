//! Groups the witnesses of a gap by reading, with the places where they stand, for a scholar to check.

use super::newest::AboutText;
use super::question::Context;
use super::search::{Contexts, Witness};
use crate::attested::{ReadingId, TextNumber};
use std::collections::{BTreeMap, BTreeSet};
use tuppum_tasks::attested::{AttestedPlace, AttestedReading};
use tuppum_text::SignState;

/// Largest number of readings listed.
const READINGS: usize = 8;
/// Largest number of places listed for each reading.
const PLACES: usize = 5;
/// Number of signs quoted on each side of a place.
const QUOTED: usize = 8;

/// Witnesses of one reading.
#[derive(Default)]
struct Gathered {
    weight: f32,
    texts: BTreeSet<TextNumber>,
    places: Vec<u32>,
}

/// Returns the readings of the witnesses at a gap, heaviest first. `kinds` lists the kinds of sign that may stand
/// there: `true` for word-initial, `false` for word-internal.
pub fn evidence(contexts: &Contexts, context: &Context, about: &AboutText, kinds: &[bool]) -> Vec<AttestedReading> {
    let corpus = contexts.corpus;
    let mut found: BTreeMap<(ReadingId, bool), Gathered> = BTreeMap::new();
    let mut all = contexts.weights.of_network();
    for Witness { place, weight } in about.witnesses(contexts, context, kinds) {
        let sign = corpus.sign(place as usize);
        let gathered = found.entry((sign.reading, sign.starts_word)).or_default();
        all += weight;
        gathered.weight += weight;
        // One place per text: a formula that a text repeats counts as one witness for the reader.
        if gathered.texts.insert(corpus.text_at(place as usize).unwrap_or_default()) {
            gathered.places.push(place);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by(|one, other| other.1.weight.total_cmp(&one.1.weight).then(one.0.cmp(&other.0)));
    let reading = |((reading, starts_word), gathered): ((ReadingId, bool), Gathered)| AttestedReading {
        reading: corpus.readings().name(reading).to_owned(),
        starts_word,
        share: gathered.weight / all,
        texts: gathered.texts.len(),
        places: gathered.places.iter().take(PLACES).filter_map(|place| quoted(contexts, *place as usize)).collect(),
    };
    found.into_iter().take(READINGS).map(reading).collect()
}

/// Quotes a place with the signs around it.
fn quoted(contexts: &Contexts, place: usize) -> Option<AttestedPlace> {
    let corpus = contexts.corpus;
    let number = corpus.text_at(place)?;
    let own = corpus.signs_of(number);
    let start = place.saturating_sub(QUOTED).max(own.start);
    let end = (place + 1 + QUOTED).min(own.end);
    // The joiner before a sign, if another sign stands before it.
    let joiner = |place: usize, first: usize| corpus.written_sign(place, (place > first).then(|| place - 1)).joiner;
    let behind = Some(place + 1).filter(|next| *next < end);
    Some(AttestedPlace {
        edition: corpus.edition(number, place..place + 1),
        before: corpus.written(start..place) + &joiner(place, start),
        sign: corpus.written(place..place + 1),
        behind: behind.map(|next| joiner(next, start) + &corpus.written(next..end)).unwrap_or_default(),
        restored: corpus.state(place) == SignState::Restored,
    })
}
