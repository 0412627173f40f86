//! Reports the text of an output while it is being written, and the result at the end.

use super::output::Output;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// Text written so far for a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<'t> {
    /// Index of the source.
    pub source: usize,
    /// Text of the best beginning, never with half a character. A later text need not begin with it, since another beam
    /// can become the best.
    pub text: &'t str,
    /// Outputs, best first; reported once, at the end. `None` while the search for this source continues.
    pub found: Option<&'t [Output]>,
}

/// Reports each source's text when it has changed.
pub(super) struct Shown<F> {
    texts: Vec<String>,
    notify: F,
}

impl<F: FnMut(Partial<'_>)> Shown<F> {
    /// Starts with nothing reported for any of the sources.
    pub fn new(sources: usize, notify: F) -> Self {
        Self { texts: vec![String::new(); sources], notify }
    }

    /// Reports the text of these tokens, unless it was the last text reported.
    pub fn show(&mut self, source: usize, tokens: &[TokenId]) {
        let text = bytes::decode(tokens);
        if self.texts[source] != text {
            (self.notify)(Partial { source, text: &text, found: None });
            self.texts[source] = text;
        }
    }

    /// Reports the outputs of a source whose search has ended.
    pub fn end(&mut self, source: usize, found: &[Output]) {
        let text = found.first().map_or("", |best| &best.text);
        (self.notify)(Partial { source, text, found: Some(found) });
    }
}
