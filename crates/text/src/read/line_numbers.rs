//! Unmarked numbers at the beginnings of lines that the places of their lines make line numbers: they rise with the
//! lines, stand at every fifth line, or number a whole side.

use super::labels::{Label, Mark};
use crate::LineKind;
use std::ops::Range;

/// Returns the numbers of the lines whose unmarked number is a line number by the numbers of the other lines: these
/// rise with the lines, as on Oracc's pages, or fit their place on their side.
pub fn inferred(kinds: &[LineKind], found: &[Option<Label>]) -> Vec<usize> {
    let typed = |label: &Label| label.mark == Mark::Typed && label.words.is_empty();
    if found.iter().flatten().any(typed) {
        return Vec::new();
    }
    let rising = rising(kinds, found);
    if !rising.is_empty() {
        return rising;
    }
    let mut fitting = every_fifth(kinds, found);
    fitting.extend(whole_sides(kinds, found));
    fitting.sort_unstable();
    fitting.dedup();
    fitting
}

/// Returns the lines whose unmarked numbers rise with the lines, where most do.
fn rising(kinds: &[LineKind], found: &[Option<Label>]) -> Vec<usize> {
    let mut fits = vec![false; kinds.len()];
    let (mut pairs, mut rising) = (0, 0);
    // Previous label, the number of its line, and the number of text lines in between.
    let mut before: Option<(&Label, usize, u32)> = None;
    for (place, (kind, label)) in kinds.iter().zip(found).enumerate() {
        let Some(label) = label else {
            before = before.filter(|_| *kind == LineKind::Text).map(|(own, at, between)| (own, at, between + 1));
            continue;
        };
        let goes_on = |own: &Label| label.words.is_empty() || label.words == own.words;
        if let Some((own, at, between)) = before.filter(|(own, ..)| goes_on(own)) {
            pairs += 1;
            if label.value == own.value.saturating_add(between + 1) {
                rising += 1;
                (fits[at], fits[place]) = (true, true);
            }
        }
        before = Some((label, place, 0));
    }
    let has_words = found.iter().flatten().any(|label| !label.words.is_empty());
    let least = if has_words { 1 } else { 2 };
    if rising < least || rising * 10 < pairs * 7 {
        return Vec::new();
    }
    let is_bare = |place: &usize| matches!(found.get(*place), Some(Some(Label { mark: Mark::Bare, .. })));
    (0..kinds.len()).filter(is_bare).filter(|place| fits[*place]).collect()
}

/// Returns the lines with the unmarked numbers 5, 10, 15 … at the fifth, tenth, fifteenth line of a side. Lines are
/// counted again from the first heading, or from any line that is not text, or not at all.
fn every_fifth(kinds: &[LineKind], found: &[Option<Label>]) -> Vec<usize> {
    let counts: [fn(LineKind) -> bool; 3] =
        [|kind| kind != LineKind::Text, |kind| matches!(kind, LineKind::Surface | LineKind::Heading), |_| false];
    let fitting = counts.into_iter().map(|begins| fifths(kinds, found, begins));
    fitting.max_by_key(Vec::len).unwrap_or_default()
}

/// Returns the same lines where counting restarts after lines of the kinds for which `begins` is true. Numerals at the
/// beginnings of other lines do not matter if two fit, or a single 5 is set off by its space.
fn fifths(kinds: &[LineKind], found: &[Option<Label>], begins: fn(LineKind) -> bool) -> Vec<usize> {
    let mut fifth = Vec::new();
    let (mut count, mut places, mut lines, mut fitting, mut others) = (0, 0, 0, 0, 0);
    let (mut is_set_off, mut others_are) = (false, false);
    for (place, (kind, label)) in kinds.iter().zip(found).enumerate() {
        if *kind != LineKind::Text {
            count = if begins(*kind) { 0 } else { count };
            continue;
        }
        (count, lines) = (count + 1, lines + 1);
        let is_place = count % 5 == 0;
        places += usize::from(is_place);
        let Some(label) = label else { continue };
        let fits = is_place && label.value == count && label.words.is_empty();
        match label.mark {
            Mark::Bare if fits => fifth.push(place),
            Mark::Bare => {
                others += 1;
                others_are |= label.is_set_off;
            }
            // A number that is marked as a line number counts differently.
            _ if !fits => return Vec::new(),
            _ => {}
        }
        fitting += usize::from(fits);
        is_set_off |= fits && label.is_set_off;
    }
    let is_enough = others == 0 || (fitting >= 2 && others * 2 <= lines - fitting) || (is_set_off && !others_are);
    if is_enough && fitting * 2 >= places { fifth } else { Vec::new() }
}

/// Returns the lines of the sides under a heading that have an unmarked number before each line: 1, 2 … to their end.
fn whole_sides(kinds: &[LineKind], found: &[Option<Label>]) -> Vec<usize> {
    let is_heading = |place: &usize| matches!(kinds.get(*place), Some(LineKind::Surface));
    let headings: Vec<usize> = (0..kinds.len()).filter(is_heading).collect();
    let ends = headings.iter().copied().skip(1).chain([kinds.len()]);
    let sides = headings.iter().zip(ends).map(|(start, end)| start + 1..end);
    sides.filter_map(|side| whole_side(side, kinds, found)).flatten().collect()
}

fn whole_side(side: Range<usize>, kinds: &[LineKind], found: &[Option<Label>]) -> Option<Vec<usize>> {
    let lines: Vec<usize> = side.filter(|place| kinds.get(*place) == Some(&LineKind::Text)).collect();
    let is_next = |(count, place): (u32, &usize)| match found.get(*place) {
        Some(Some(label)) => label.mark == Mark::Bare && label.words.is_empty() && label.value == count,
        _ => false,
    };
    (lines.len() >= 2 && (1..).zip(&lines).all(is_next)).then_some(lines)
}
