//! Cache of what was found about the last text: its gaps are asked about one after the other, first by the search and
//! then by whoever looks where a proposal stands.

use super::affinity::Affinity;
use super::question::Context;
use super::search::{Contexts, Witness};
use crate::attested::{AttestedSign, SignClass, TEXT_END, TextNumber};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Cache size, in gaps. Entries are never evicted: the first ones belong to the text itself, later ones to what a
/// search tries in it. At most 800 kB.
const KEPT: usize = 256;

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
        if kept.len() + unknown.len() > KEPT {
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

    /// Number of cached gaps and kinds.
    #[cfg(test)]
    pub fn kept(&self) -> usize {
        self.witnesses.lock().unwrap().len()
    }
}

/// Cache of the findings about the last text.
#[derive(Clone, Debug, Default)]
pub struct Newest(RefCell<Option<(Signs, Arc<AboutText>)>>);

/// Signs of a text by class, and the text of the corpora that does not count.
type Signs = (Vec<SignClass>, Option<TextNumber>);

impl Newest {
    /// Returns the findings about the text of these signs. The text `except` of the corpora does not count.
    pub fn about(&self, contexts: &Contexts, signs: &[AttestedSign], except: Option<TextNumber>) -> Arc<AboutText> {
        // All unreadable signs compare equal, whatever else is known of them.
        let class = |sign: &AttestedSign| contexts.corpus.readings().class(sign.reading.max(TEXT_END));
        let signs_of_it = (signs.iter().map(class).collect(), except);
        let mut newest = self.0.borrow_mut();
        match &*newest {
            Some((known, about)) if *known == signs_of_it => about.clone(),
            _ => {
                let about = Arc::new(AboutText::new(Affinity::of(contexts.corpus, signs, except)));
                *newest = Some((signs_of_it, about.clone()));
                about
            }
        }
    }

    /// Empties the cache, after the corpora have changed.
    pub fn forget(&mut self) {
        self.0.take();
    }
}
