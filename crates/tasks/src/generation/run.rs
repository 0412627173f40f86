//! Runs several sources through one model, step by step.

use super::beam::Beam;
use super::greedy::greedy;
use super::next_byte::{Continuation, NextByte};
use super::options::{Method, Options};
use super::output::Output;
use super::partial::{Partial, Shown};
use super::sample::Samples;
use super::search::Search;
use tuppum_random::Random;
use tuppum_text::bytes::PAD;

/// Searches outputs for the sources that the model has read, best first for each. `on_partial` gets the text so far
/// whenever it has changed, and the outputs of a source as soon as they are found.
///
/// # Errors
/// Returns the model's errors.
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
                shown.end(source, &found[source]);
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
        Method::Greedy => Box::new(Samples::new(0.0, 1, Random::new(0), options)),
        Method::Beam { beams, length_penalty, early } => Box::new(Beam::new(beams, length_penalty, early, options)),
        Method::Sample { temperature, seed } => {
            let random = Random::stream(seed, source as u64);
            Box::new(Samples::new(temperature, options.answers, random, options))
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
