//! Several sources through one model, step by step.

use super::beam::Beam;
use super::greedy::greedy;
use super::next_byte::{Continuation, NextByte, Scores};
use super::options::{Method, Options};
use super::output::Output;
use super::sample::Samples;
use tuppum_text::bytes::{self, PAD};
use tuppum_text::random::SplitMix64;
use tuppum_text::tokens::TokenId;

/// A search for one source. All searches of one run have equally many rows in each step.
pub(super) trait Search {
    /// Takes the scores of its rows, `first` being the number of the first, and names those of the next step: which of
    /// its own rows they continue, and with which token. None when it is over.
    fn advance(&mut self, scores: &Scores, first: usize) -> Vec<(usize, TokenId)>;

    /// The tokens of the best beginning.
    fn partial(&self) -> Vec<TokenId>;

    /// What was found, best first, once it is over.
    fn outputs(&self) -> Vec<Output>;
}

/// What has been written so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial<'t> {
    /// Number of the source.
    pub source: usize,
    /// The text of the best beginning, never with half a character. A later one need not begin with it: another beam may
    /// have come to be the best.
    pub text: &'t str,
}

/// Tells each source's text when it has changed.
pub(super) struct Shown<F> {
    texts: Vec<String>,
    tell: F,
}

impl<F: FnMut(Partial<'_>)> Shown<F> {
    fn new(sources: usize, tell: F) -> Self {
        Self { texts: vec![String::new(); sources], tell }
    }

    /// Tells the text of these tokens, unless it is what was told last.
    pub fn show(&mut self, source: usize, tokens: &[TokenId]) {
        let text = bytes::decode(tokens);
        if self.texts[source] != text {
            (self.tell)(Partial { source, text: &text });
            self.texts[source] = text;
        }
    }
}

/// Searches outputs for the sources that the model has read, best first for each. `on_partial` hears what has been written
/// so far whenever that has changed.
///
/// # Errors
/// Those of the model.
pub async fn generate<N: NextByte>(
    model: &mut N,
    sources: usize,
    options: &Options,
    on_partial: impl FnMut(Partial<'_>),
) -> Result<Vec<Vec<Output>>, N::Error> {
    let options = options.in_range();
    let mut shown = Shown::new(sources, on_partial);
    if options.method == Method::Greedy && options.read_every > 1 && !options.attention {
        return greedy(model, sources, &options, shown).await;
    }
    let mut found = vec![Vec::new(); sources];
    let mut live: Vec<(usize, Box<dyn Search>)> =
        (0..sources).map(|source| (source, search(source, &options))).collect();
    let mut rows: Vec<Continuation> = (0..sources).map(|parent| Continuation { parent, token: PAD }).collect();
    while !live.is_empty() {
        let scores = model.next(&rows).await?;
        let each = rows.len() / live.len();
        rows.clear();
        let mut go_on = Vec::new();
        for (number, (source, mut search)) in live.into_iter().enumerate() {
            let next = search.advance(&scores, number * each);
            if next.is_empty() {
                found[source] = search.outputs();
                if let Some(best) = found[source].first() {
                    shown.show(source, &best.tokens);
                }
                continue;
            }
            shown.show(source, &search.partial());
            rows.extend(next.into_iter().map(|(row, token)| Continuation { parent: number * each + row, token }));
            go_on.push((source, search));
        }
        live = go_on;
    }
    Ok(found)
}

fn search(source: usize, options: &Options) -> Box<dyn Search> {
    match options.method {
        Method::Greedy => Box::new(Samples::new(0.0, 1, SplitMix64::new(0), options)),
        Method::Beam { beams, length_penalty, early } => Box::new(Beam::new(beams, length_penalty, early, options)),
        Method::Sample { temperature, seed } => {
            let random = SplitMix64::stream(seed, source as u64);
            Box::new(Samples::new(temperature, options.answers, random, options))
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
