//! The text of an output while it is being written, and what was found once it is.

use super::output::Output;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// What has been written so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<'t> {
    /// Number of the source.
    pub source: usize,
    /// The text of the best beginning, never with half a character. A later one need not begin with it: another beam
    /// may have come to be the best.
    pub text: &'t str,
    /// What was found, best first, which is told once and last; nothing while the search for this source goes on.
    pub found: Option<&'t [Output]>,
}

/// Tells each source's text when it has changed.
pub(super) struct Shown<F> {
    texts: Vec<String>,
    notify: F,
}

impl<F: FnMut(Partial<'_>)> Shown<F> {
    /// For this many sources, nothing being told yet.
    pub fn new(sources: usize, notify: F) -> Self {
        Self { texts: vec![String::new(); sources], notify }
    }

    /// Tells the text of these tokens, unless it is what was told last.
    pub fn show(&mut self, source: usize, tokens: &[TokenId]) {
        let text = bytes::decode(tokens);
        if self.texts[source] != text {
            (self.notify)(Partial { source, text: &text, found: None });
            self.texts[source] = text;
        }
    }

    /// Tells what was found for a source, for which the search is over.
    pub fn end(&mut self, source: usize, found: &[Output]) {
        let text = found.first().map_or("", |best| &best.text);
        (self.notify)(Partial { source, text, found: Some(found) });
    }
}
