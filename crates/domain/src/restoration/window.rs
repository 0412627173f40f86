//! Windows for texts that are longer than a row may be.
//!
//! Windows overlap by at least half, begin and end at line boundaries if one is near, and every unit is scored in
//! exactly one: the window whose cut edges are farthest from it.

use super::template::{Slot, Template, UnitIndex};
use std::ops::Range;
use tuppum_text::tokens::LINE_END;

/// Largest number of tokens in a row, `<bos>` included: the length that the torso was trained on.
pub const LONGEST_ROW: usize = 384;

/// A stretch of a template with the units to score in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub slots: Range<usize>,
    /// Units in rising order; never empty.
    pub units: Vec<UnitIndex>,
}

/// Returns windows of at most `longest_row` tokens (`<bos>` included) that score each unit of the template exactly
/// once.
pub fn windows(template: &Template, longest_row: usize) -> Vec<Window> {
    let most = longest_row.saturating_sub(1).max(2);
    let length = template.slots.len();
    let mut all: Vec<Window> =
        tiles(template, most).into_iter().map(|slots| Window { slots, units: Vec::new() }).collect();
    for (unit, &place) in template.places.iter().enumerate() {
        // On a tie the earliest window, so that the choice never depends on iteration order.
        let best = all.iter_mut().rev().max_by_key(|window| margin(&window.slots, place, length));
        if let Some(window) = best {
            window.units.push(unit);
        }
    }
    all.retain(|window| !window.units.is_empty());
    all
}

/// Returns at most `most` slots with `core` in the middle, from a line's beginning if one is near.
pub fn around(template: &Template, core: &Range<usize>, most: usize) -> Range<usize> {
    let length = template.slots.len();
    if length <= most {
        return 0..length;
    }
    let spare = most.saturating_sub(core.len());
    let start = core.start.saturating_sub(spare / 2).min(length - most);
    let snapped = line_beginning(template, start..(start + most / 8).min(core.start + 1)).next();
    let start = snapped.unwrap_or(start);
    start..(start + most).min(length).max(core.end)
}

/// Returns overlapping stretches that cover the template.
fn tiles(template: &Template, most: usize) -> Vec<Range<usize>> {
    let length = template.slots.len();
    let mut tiles = Vec::new();
    let mut start = 0;
    while start + most < length {
        let end = start + most;
        let snapped = line_beginning(template, end - most / 8..end + 1).next_back();
        tiles.push(start..snapped.unwrap_or(end));
        // The next stretch begins between a quarter and a half of this one, so that two overlap by at least half.
        let half = start + most / 2;
        start = line_beginning(template, start + most / 4 + 1..half + 1).next_back().unwrap_or(half);
    }
    tiles.push(start..length);
    tiles
}

/// Returns the distance of a place from the nearer cut edge of a stretch that contains it; the edges of the text are no
/// cuts.
fn margin(slots: &Range<usize>, place: usize, length: usize) -> Option<usize> {
    if !slots.contains(&place) {
        return None;
    }
    let before = if slots.start == 0 { usize::MAX } else { place - slots.start };
    let after = if slots.end == length { usize::MAX } else { slots.end - 1 - place };
    Some(before.min(after))
}

/// Returns the places in `range` where a line begins.
fn line_beginning(template: &Template, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
    let is_end = |place: usize| matches!(template.slots.get(place), Some(Slot::Token(LINE_END)));
    range.filter(move |&place| place.checked_sub(1).is_none_or(is_end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::template::Unit;
    use proptest::prelude::*;

    /// Creates a template: `u` is a unit, `/` a line's end, anything else a token.
    fn template(text: &str) -> Template {
        let mut template = Template::default();
        for letter in text.chars() {
            match letter {
                'u' => template.push_unit(Unit::unknown(0)),
                '/' => template.push_token(LINE_END),
                _ => template.push_token(20),
            }
        }
        template
    }

    #[test]
    fn a_short_text_is_one_window() {
        let found = windows(&template("aua/uu"), 384);
        assert_eq!(found, [Window { slots: 0..6, units: vec![0, 1, 2] }]);
    }

    #[test]
    fn a_unit_near_a_cut_edge_goes_to_the_window_that_has_it_in_the_middle() {
        let text = format!("{}u{}", "a".repeat(14), "a".repeat(15));
        let found = windows(&template(&text), 17);
        assert_eq!(found, [Window { slots: 8..24, units: vec![0] }]);
    }

    #[test]
    fn windows_begin_with_a_line_where_one_is_near() {
        let text = "aaaau/".repeat(10);
        let found = windows(&template(&text), 25);
        assert!(found.len() > 2);
        assert!(found.iter().all(|window| window.slots.start % 6 == 0), "{found:?}");
    }

    #[test]
    fn around_keeps_its_core_and_its_size() {
        let text = "aaaaaaa/".repeat(20);
        assert_eq!(around(&template(&text), &(80..82), 1000), 0..160);
        let found = around(&template(&text), &(80..82), 32);
        assert!(found.start <= 80 && found.end >= 82 && found.len() <= 32, "{found:?}");
        assert_eq!(around(&template(&text), &(0..1), 32), 0..32);
        assert_eq!(around(&template(&text), &(159..160), 32).end, 160);
    }

    proptest! {
        #[test]
        fn every_unit_lies_in_exactly_one_window_that_fits(text in "[aau/]{0,400}", longest in 3usize..90) {
            let template = template(&text);
            let found = windows(&template, longest);
            let mut units: Vec<UnitIndex> = found.iter().flat_map(|window| window.units.clone()).collect();
            units.sort_unstable();
            prop_assert_eq!(units, (0..template.units.len()).collect::<Vec<_>>());
            for window in &found {
                prop_assert!(window.slots.len() < longest);
                prop_assert!(window.units.iter().all(|&unit| window.slots.contains(&template.places[unit])));
                prop_assert!(window.units.is_sorted());
            }
        }

        #[test]
        fn around_always_holds_its_core(
            text in "[aau/]{1,300}",
            start in 0usize..300,
            size in 1usize..10,
            most in 12usize..80,
        ) {
            let template = template(&text);
            let start = start.min(template.slots.len() - 1);
            let core = start..(start + size).min(template.slots.len());
            let found = around(&template, &core, most);
            prop_assert!(found.start <= core.start && found.end >= core.end && found.len() <= most, "{:?}", found);
        }
    }
}
