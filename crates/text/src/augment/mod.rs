//! Augmentations of sources: sign dropout, word shuffle, varied determinatives.
//!
//! They imitate what breaks, word order and editors do to a text, and change the source only. Each draws its decisions
//! from [`Draws`], one after another in the order of the text, so that they match `augment.py`, the reference program,
//! when the decisions match. In canonical form an illegible sign is `x` and a break of unknown length is `...`.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tuppum_random::Draws;

/// Frequency of each augmentation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rates {
    /// Probability that a legible sign becomes `x`.
    pub drop: f64,
    /// Minimum number of legible signs that survive.
    pub keep: usize,
    /// Probability that a word is swapped with another.
    pub shuffle: f64,
    /// Largest distance, in places, of a word from its origin.
    pub within: usize,
    /// Probability that a determinative is written in its other notation.
    pub vary: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self { drop: 0.15, keep: 2, shuffle: 0.3, within: 2, vary: 0.2 }
    }
}

/// Determinatives that editors write in two ways.
const EQUIVALENT: [(&str, &str); 7] = [
    ("{d}", "{DINGIR}"),
    ("{m}", "{DIŠ}"),
    ("{f}", "{MUNUS}"),
    ("{URU}", "{IRI}"),
    ("{KI}", "{ki}"),
    ("{LU₂}", "{lu₂}"),
    ("{GIŠ}", "{giš}"),
];

/// Applies all three augmentations: drops signs, then shuffles words, then varies determinatives.
pub fn augment(text: &str, rates: &Rates, draws: &mut impl Draws) -> String {
    let text = drop_signs(text, rates.drop, rates.keep, draws);
    let text = shuffle_words(&text, rates.shuffle, rates.within, draws);
    vary_determinatives(&text, rates.vary, draws)
}

/// Replaces each legible sign by `x` with this probability; at least `keep` legible signs survive.
///
/// A determinative is a sign of its own; one that is dropped before its word leaves `x-` (`{d}UTU` → `x-UTU`). One that
/// is dropped after its word leaves an `x` joined to it (`TIR{KI}` → `TIRx`), as in the reference program.
pub fn drop_signs(text: &str, probability: f64, keep: usize, draws: &mut impl Draws) -> String {
    let legible = legible(text);
    let most = legible.len().saturating_sub(keep);
    let mut hit: Vec<Range<usize>> = legible.into_iter().filter(|_| draws.uniform() < probability).collect();
    draws.shuffle(&mut hit);
    hit.truncate(most);
    hit.sort_by_key(|sign| std::cmp::Reverse(sign.start));
    let mut text = text.to_string();
    for sign in hit {
        let is_joined = text[sign.start..].starts_with('{')
            && text[sign.end..].chars().next().is_some_and(|next| !matches!(next, ' ' | '-' | '.'));
        text.replace_range(sign, if is_joined { "x-" } else { "x" });
    }
    text
}

/// Swaps each word, with this probability, with a word at most `within` places away, unless one of the two would then
/// be farther than that from its origin.
pub fn shuffle_words(text: &str, probability: f64, within: usize, draws: &mut impl Draws) -> String {
    let mut words: Vec<(usize, &str)> = text.split(' ').enumerate().collect();
    for place in 0..words.len() {
        if draws.uniform() >= probability || within == 0 {
            continue;
        }
        // Distances from −within to −1 and from 1 to within.
        let chosen = draws.below(2 * within);
        let other =
            if chosen < within { (place + chosen).checked_sub(within) } else { Some(place + chosen + 1 - within) };
        let Some(other) = other.filter(|other| *other < words.len()) else { continue };
        if words[place].0.abs_diff(other) <= within && words[other].0.abs_diff(place) <= within {
            words.swap(place, other);
        }
    }
    words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// Writes each determinative, with this probability, in its other notation, if it has one.
pub fn vary_determinatives(text: &str, probability: f64, draws: &mut impl Draws) -> String {
    let mut varied = String::with_capacity(text.len());
    let mut written = 0;
    for Range { start, end } in signs(text).filter(|sign| text[sign.start..].starts_with('{')) {
        varied.push_str(&text[written..start]);
        let determinative = &text[start..end];
        varied.push_str(if draws.uniform() < probability { equivalent(determinative) } else { determinative });
        written = end;
    }
    varied.push_str(&text[written..]);
    varied
}

fn equivalent(determinative: &str) -> &str {
    let other = |(one, other): &(&'static str, &'static str)| {
        (*one == determinative).then_some(*other).or_else(|| (*other == determinative).then_some(*one))
    };
    EQUIVALENT.iter().find_map(other).unwrap_or(determinative)
}

/// Returns the places of the legible signs: those that are not `x` and have a letter or digit.
fn legible(text: &str) -> Vec<Range<usize>> {
    let is_legible = |sign: &Range<usize>| {
        let sign = &text[sign.clone()];
        !matches!(sign, "x" | "X") && sign.contains(char::is_alphanumeric)
    };
    signs(text).filter(is_legible).collect()
}

/// Returns the places of the signs: a determinative in braces, or a stretch without `-`, `.`, space and braces.
fn signs(text: &str) -> impl Iterator<Item = Range<usize>> {
    const BETWEEN: [char; 5] = ['-', '.', ' ', '{', '}'];
    let mut place = 0;
    std::iter::from_fn(move || {
        while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
            let start = place;
            let length = match rest.strip_prefix('{').and_then(|inside| inside.find('}')) {
                Some(inside) => inside + 2,
                None => rest.find(BETWEEN).unwrap_or(rest.len()),
            };
            if length > 0 {
                place = start + length;
                return Some(start..place);
            }
            place += rest.chars().next().map_or(1, char::len_utf8);
        }
        None
    })
}

#[cfg(test)]
mod tests;
