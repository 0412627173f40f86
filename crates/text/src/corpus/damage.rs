//! How much of a text is damaged, to compare with how often training damages a sign.

use crate::{Document, SignKind, State};

/// Counts of signs. Breaks of unknown length are left out: their number of signs is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// All signs.
    pub signs: usize,
    /// Those that are damaged, restored by the editor, or illegible.
    pub damaged: usize,
}

impl Damage {
    /// Counts the signs of a document too.
    pub fn add(&mut self, document: &Document) {
        for sign in document.signs().filter(|sign| sign.kind != SignKind::Gap) {
            self.signs += 1;
            let legible = matches!(sign.kind, SignKind::Reading(_)) && sign.state == State::Preserved;
            self.damaged += usize::from(!legible);
        }
    }

    /// The share of damaged signs; `None` without signs.
    pub fn rate(&self) -> Option<f64> {
        (self.signs > 0).then(|| self.damaged as f64 / self.signs as f64)
    }
}
