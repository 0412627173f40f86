//! Span corruption, by which a translator learns both languages before it sees any pair (Raffel et al. 2020, §3.1.4;
//! over bytes, with longer spans, Xue et al. 2022, §3.2): parts of a text are removed, each leaves a sentinel, and the
//! target is each sentinel followed by the removed part.

use tuppum_random::Draws;
use tuppum_text::bytes::{AFTER_BYTES, END};
use tuppum_text::tokens::TokenId;

/// Number of sentinels in ByT5's vocabulary of 384.
const SENTINELS: usize = 125;

/// Returns the number of tokens to remove from `length`, and the number of spans.
pub fn counts(length: usize, share: f64, mean: usize) -> [usize; 2] {
    let taken = ((length as f64 * share).round() as usize).clamp(1, length.saturating_sub(1).max(1));
    let spans = (taken as f64 / mean.max(1) as f64).round() as usize;
    [taken, spans.clamp(1, taken.min(length.saturating_sub(taken).max(1)).min(SENTINELS))]
}

/// Returns a text with spans removed, and the removed spans: source and target, each with its end. `ids` have no end.
pub fn corrupted(ids: &[TokenId], share: f64, mean: usize, draws: &mut impl Draws) -> [Vec<TokenId>; 2] {
    let [taken, spans] = counts(ids.len(), share, mean);
    let (taken, kept) = (pieces(taken, spans, draws), pieces(ids.len().saturating_sub(taken), spans, draws));
    let (mut source, mut target, mut rest) = (Vec::new(), Vec::new(), ids);
    for (number, (kept, taken)) in kept.into_iter().zip(taken).enumerate() {
        let sentinel = AFTER_BYTES + number as TokenId;
        let (own, after) = rest.split_at(kept.min(rest.len()));
        let (span, after) = after.split_at(taken.min(after.len()));
        source.extend(own);
        source.push(sentinel);
        target.push(sentinel);
        target.extend(span);
        rest = after;
    }
    source.extend(rest);
    source.push(END);
    target.push(END);
    [source, target]
}

/// Cuts `whole` into `count` pieces of 1 or more, uniformly among all ways to cut it. If `whole` is less than `count`,
/// some pieces are empty.
fn pieces(whole: usize, count: usize, draws: &mut impl Draws) -> Vec<usize> {
    let mut cuts: Vec<usize> = (1..whole.max(1)).collect();
    draws.shuffle(&mut cuts);
    cuts.truncate(count.saturating_sub(1));
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([whole]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let mut pieces: Vec<usize> = starts.zip(ends).map(|(start, end)| end - start).collect();
    pieces.resize(count, 0);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_random::Random;

    /// Puts the spans back.
    fn restored(source: &[TokenId], target: &[TokenId]) -> Vec<TokenId> {
        let is_sentinel = |id: &TokenId| (AFTER_BYTES..).contains(id);
        let mut whole = Vec::new();
        for id in source.iter().filter(|id| **id != END) {
            if is_sentinel(id) {
                let start = target.iter().position(|own| own == id).unwrap() + 1;
                whole.extend(target[start..].iter().take_while(|own| !is_sentinel(own) && **own != END));
            } else {
                whole.push(*id);
            }
        }
        whole
    }

    #[test]
    fn what_is_taken_out_can_be_put_back() {
        let mut draws = Random::new(1);
        for length in 1..200 {
            let ids: Vec<TokenId> = (0..length).map(|at| 3 + at % 256).collect();
            let [source, target] = corrupted(&ids, 0.15, 5, &mut draws);
            assert_eq!(restored(&source, &target), ids, "{source:?} {target:?}");
            let [taken, spans] = counts(ids.len(), 0.15, 5);
            assert_eq!((source.len(), target.len()), (ids.len() - taken + spans + 1, taken + spans + 1));
        }
    }

    #[test]
    fn as_much_is_taken_out_as_asked_for() {
        assert_eq!(counts(200, 0.15, 20), [30, 2]);
        assert_eq!(counts(40, 0.15, 20), [6, 1]);
        assert_eq!(counts(4_000, 0.5, 1), [2_000, 125]);
        assert_eq!(counts(1, 0.15, 20), [1, 1]);
    }

    #[test]
    fn spans_fall_everywhere() {
        let ids: Vec<TokenId> = (3..103).collect();
        let (mut hit, mut draws) = ([false; 100], Random::new(1));
        for _ in 0..400 {
            let [_, target] = corrupted(&ids, 0.15, 5, &mut draws);
            target.iter().filter(|id| (3..103).contains(*id)).for_each(|id| hit[*id as usize - 3] = true);
        }
        // The first byte always stays: a span follows kept text.
        assert!(hit[1..].iter().all(|hit| *hit) && !hit[0]);
    }
}
