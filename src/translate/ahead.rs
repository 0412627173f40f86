//! What is looked up about passages while they are translated, always one ahead: so it stands there before the
//! machine's words, and the first of these need not wait until a long text is looked up to its end.

use crate::corpora::state::Corpora;
use leptos::prelude::*;
use std::cell::RefCell;
use std::vec::IntoIter;
use tuppum_protocol::translation::Passage;

/// The passages that are still to be looked up, in the order in which they are translated.
pub struct LookedUpAhead {
    corpora: Corpora,
    waiting: RefCell<IntoIter<Passage>>,
    /// Those whose time came before the corpora were open.
    missed: RefCell<Vec<Passage>>,
}

impl LookedUpAhead {
    /// Looks the first passages up: those that are translated at a time, which must wait for it, and the next one.
    pub fn begin(corpora: Corpora, passages: Vec<Passage>, at_a_time: usize) -> Self {
        let ahead = Self { corpora, waiting: RefCell::new(passages.into_iter()), missed: RefCell::default() };
        (0..=at_a_time).for_each(|_| ahead.go_on());
        ahead
    }

    /// Looks the next passage up, since one is translated.
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
