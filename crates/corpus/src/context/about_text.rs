//! What was found about a text: the similarity of the corpora's texts, the witnesses of its gaps, and their readings
//! with places for a scholar to check.
//!
//! The findings about the last text are cached: its gaps are asked about one after the other, first by the search and
//! then by whoever looks where a proposal stands.

use super::affinity::Affinity;
use super::gap::Context;
use super::search::{Contexts, Witness};
use crate::attested::{AttestedSign, ReadingId, SignClass, TEXT_END, TextNumber};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use tuppum_domain::attested::{AttestedPlace, AttestedReading};
use tuppum_text::SignState;

/// Cache size, in gaps. Entries are never evicted: the first ones belong to the text itself, later ones to what a
/// search tries in it. At most 800 kB.
const MAX_CACHED_GAPS: usize = 256;

/// A gap, and `true` for witnesses that begin a word.
type Kind = (Context, bool);

/// Everything found about a text.
#[derive(Debug, Default)]
pub struct AboutText {
    /// Similarity of the corpora's texts to this text.
    pub affinity: Affinity,
    witnesses: Mutex<HashMap<Kind, Arc<[Witness]>>>,
}

impl AboutText {
    /// Starts with the similarities and no witnesses.
    pub fn new(affinity: Affinity) -> Self {
        Self { affinity, witnesses: Mutex::default() }
    }

    /// Returns the witnesses for a gap, like [`Contexts::witnesses`].
    pub fn witnesses(&self, contexts: &Contexts, context: &Context, kinds: &[bool]) -> Vec<Witness> {
        let mut kept = self.witnesses.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unknown = |kind: &bool| !kept.contains_key(&(context.clone(), *kind));
        let unknown: Vec<bool> = kinds.iter().copied().filter(is_unknown).collect();
        if kept.len() + unknown.len() > MAX_CACHED_GAPS {
            return contexts.witnesses(context, kinds, &self.affinity);
        }
        if !unknown.is_empty() {
            let found = contexts.witnesses(context, &unknown, &self.affinity);
            for kind in unknown {
                let reads = |witness: &&Witness| contexts.corpus.sign(witness.place as usize).starts_word == kind;
                kept.insert((context.clone(), kind), found.iter().filter(reads).copied().collect());
            }
        }
        let own = kinds.iter().filter_map(|kind| kept.get(&(context.clone(), *kind)));
        let mut all: Vec<Witness> = own.flat_map(|own| own.iter().copied()).collect();
        Witness::sort(&mut all);
        all
    }

    /// Returns the number of cached gaps and kinds.
    #[cfg(test)]
    pub fn kept(&self) -> usize {
        self.witnesses.lock().unwrap().len()
    }
}

/// Cache of the findings about the last text.
#[derive(Clone, Debug, Default)]
pub struct LastTextCache(RefCell<Option<(Signs, Arc<AboutText>)>>);

/// Signs of a text by class, and the text of the corpora that does not count.
type Signs = (Vec<SignClass>, Option<TextNumber>);

impl LastTextCache {
    /// Returns the findings about the text of these signs. The text `except` of the corpora does not count.
    pub fn about(&self, contexts: &Contexts, signs: &[AttestedSign], except: Option<TextNumber>) -> Arc<AboutText> {
        // All unreadable signs compare equal, whatever else is known of them.
        let class = |sign: &AttestedSign| contexts.corpus.readings().class(sign.reading.max(TEXT_END));
        let signs_of_it = (signs.iter().map(class).collect(), except);
        let mut last = self.0.borrow_mut();
        match &*last {
            Some((known, about)) if *known == signs_of_it => about.clone(),
            _ => {
                let about = Arc::new(AboutText::new(Affinity::of(contexts.corpus, signs, except)));
                *last = Some((signs_of_it, about.clone()));
                about
            }
        }
    }

    /// Empties the cache, after the corpora have changed.
    pub fn forget(&mut self) {
        self.0.take();
    }
}

/// Largest number of readings listed.
const MAX_READINGS: usize = 8;
/// Largest number of places listed for each reading.
const MAX_PLACES: usize = 5;
/// Number of signs quoted on each side of a place.
const QUOTED_SIGNS: usize = 8;

/// Witnesses of one reading.
#[derive(Default)]
struct GatheredReading {
    weight: f32,
    texts: BTreeSet<TextNumber>,
    places: Vec<u32>,
}

/// Returns the readings of the witnesses at a gap, heaviest first. `kinds` lists the kinds of sign that may stand
/// there: `true` for word-initial, `false` for word-internal.
pub fn evidence(contexts: &Contexts, context: &Context, about: &AboutText, kinds: &[bool]) -> Vec<AttestedReading> {
    let corpus = contexts.corpus;
    let mut found: BTreeMap<(ReadingId, bool), GatheredReading> = BTreeMap::new();
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
    let reading = |((reading, starts_word), gathered): ((ReadingId, bool), GatheredReading)| AttestedReading {
        reading: corpus.readings().name(reading).to_owned(),
        starts_word,
        share: gathered.weight / all,
        texts: gathered.texts.len(),
        places: gathered.places.iter().take(MAX_PLACES).filter_map(|place| quoted(contexts, *place as usize)).collect(),
    };
    found.into_iter().take(MAX_READINGS).map(reading).collect()
}

/// Quotes a place with the signs around it.
fn quoted(contexts: &Contexts, place: usize) -> Option<AttestedPlace> {
    let corpus = contexts.corpus;
    let number = corpus.text_at(place)?;
    let own = corpus.signs_of(number);
    let start = place.saturating_sub(QUOTED_SIGNS).max(own.start);
    let end = (place + 1 + QUOTED_SIGNS).min(own.end);
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
