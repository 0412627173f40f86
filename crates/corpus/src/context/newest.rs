//! What has been found about the text asked about last: its gaps are asked about one after the other, first by the
//! search and then by whoever looks where a proposal stands.

use super::affinity::Affinity;
use super::question::Context;
use super::search::{Contexts, Witness};
use crate::attested::{AttestedSign, SignClass, TEXT_END, TextNumber};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The witnesses of so many gaps are kept, the first that were looked up: those of a text as it stands come before
/// those of what a search tries in it. They take at most 800 kB.
const KEPT: usize = 256;

/// A gap, and whether a word begins with what stands in it.
type Kind = (Context, bool);

/// What has been found about a text.
#[derive(Debug, Default)]
pub struct AboutText {
    /// What the texts of the corpora share with it.
    pub affinity: Affinity,
    witnesses: Mutex<HashMap<Kind, Arc<[Witness]>>>,
}

impl AboutText {
    /// A text about which nothing else is known yet.
    pub fn new(affinity: Affinity) -> Self {
        Self { affinity, witnesses: Mutex::default() }
    }

    /// The witnesses for a gap, as of [`Contexts::witnesses`].
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

    /// Of how many gaps and kinds the witnesses are kept.
    #[cfg(test)]
    pub fn kept(&self) -> usize {
        self.witnesses.lock().unwrap().len()
    }
}

/// What has been found about the text asked about last.
#[derive(Clone, Debug, Default)]
pub struct Newest(RefCell<Option<(Signs, Arc<AboutText>)>>);

/// The signs of a text by what they are written with, and the text of the corpora that does not count.
type Signs = (Vec<SignClass>, Option<TextNumber>);

impl Newest {
    /// What has been found about a text of these signs. The text `except` of the corpora does not count.
    pub fn about(&self, contexts: &Contexts, signs: &[AttestedSign], except: Option<TextNumber>) -> Arc<AboutText> {
        // Of what cannot be read it makes no difference what else is known.
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

    /// Forgets it: the corpora have become others.
    pub fn forget(&mut self) {
        self.0.take();
    }
}
