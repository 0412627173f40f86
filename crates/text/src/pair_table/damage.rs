//! Share of damaged signs in a text, to compare with the rate of damage in training.

use crate::{Document, SignKind, State};

/// Counts of signs. Breaks of unknown length are not counted: their number of signs is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Number of all signs.
    pub signs: usize,
    /// Number of signs that are damaged, restored by the editor, or illegible.
    pub damaged: usize,
}

impl Damage {
    /// Adds the signs of a document.
    pub fn add(&mut self, document: &Document) {
        for sign in document.signs().filter(|sign| sign.kind != SignKind::Gap) {
            self.signs += 1;
            let legible = matches!(sign.kind, SignKind::Reading(_)) && sign.state == State::Preserved;
            self.damaged += usize::from(!legible);
        }
    }

    /// Returns the share of damaged signs; `None` without signs.
    pub fn rate(&self) -> Option<f64> {
        (self.signs > 0).then(|| self.damaged as f64 / self.signs as f64)
    }
}
