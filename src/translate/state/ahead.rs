//! Corpus lookups for passages while they are translated, always one passage ahead: the results are on the page before
//! the machine's words, and the first translation does not wait until a long text is looked up completely.

use crate::corpora::state::Corpora;
use leptos::prelude::*;
use std::cell::RefCell;
use std::vec::IntoIter;
use tuppum_protocol::translation::Passage;

/// Passages still to be looked up, in the order in which they are translated.
pub struct LookedUpAhead {
    corpora: Corpora,
    waiting: RefCell<IntoIter<Passage>>,
    /// Passages that were due before the corpora were open; they are looked up once the corpora are.
    missed: RefCell<Vec<Passage>>,
}

impl LookedUpAhead {
    /// Looks up the first passages: all that are translated at a time, and the one after them.
    pub fn begin(corpora: Corpora, passages: Vec<Passage>, at_a_time: usize) -> Self {
        let ahead = Self { corpora, waiting: RefCell::new(passages.into_iter()), missed: RefCell::default() };
        (0..=at_a_time).for_each(|_| ahead.go_on());
        ahead
    }

    /// Looks up the next passage; called whenever a passage has been translated.
    pub fn go_on(&self) {
        if let Some(passage) = self.waiting.borrow_mut().next() {
            self.corpora.look_clauses_up(&passage.text);
            self.missed.borrow_mut().push(passage);
        }
        if untrack(|| self.corpora.is_ready()) {
            self.missed.take().iter().for_each(|passage| self.corpora.look_source_up(&passage.text));
        }
    }
}
