//! The text as the search sees it: a sequence of tokens with open places.

use super::{Boundary, Row, Traces};
use std::ops::Range;
use tuppum_text::tokens::{BEGIN, GAP, INNER_MASK, LINE_END, MASK, TokenId};

/// Index of an open place among all open places of a template, in order of place, from 0.
pub type UnitIndex = usize;

/// Content of one place of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A token that is read, or a special one that stays.
    Token(TokenId),
    /// A place for one sign to be restored.
    Unit(UnitIndex),
    /// Break of unknown length, with its index among the gaps of the plan; a `<gap>` to the model.
    Break(usize),
}

/// A place for one sign to be restored.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Index of its gap in the plan; a break of known length has several units.
    pub gap: usize,
    /// Boundary, if the user fixed it.
    pub boundary: Boundary,
    /// Probability that a word begins here, if the typed joiners tell it better than the neighbours.
    pub typed_word_start: Option<f32>,
    /// Visible traces of the sign.
    pub traces: Traces,
}

impl Unit {
    /// Creates a unit of `gap` about which nothing is known.
    pub fn unknown(gap: usize) -> Self {
        Self { gap, boundary: Boundary::Unknown, typed_word_start: None, traces: Traces::default() }
    }
}

/// Tokens filled in so far, one entry per unit.
pub type Filling = Vec<Option<TokenId>>;

/// The whole text without its `<bos>`, which every row gets in front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Slots of the row, in order.
    pub slots: Vec<Slot>,
    /// Open places, in order of place.
    pub units: Vec<Unit>,
    /// Place of each unit in `slots`.
    pub places: Vec<usize>,
}

impl Template {
    /// Appends a token.
    pub fn push_token(&mut self, token: TokenId) {
        self.slots.push(Slot::Token(token));
    }

    /// Appends an open place.
    pub fn push_unit(&mut self, unit: Unit) {
        self.places.push(self.slots.len());
        self.slots.push(Slot::Unit(self.units.len()));
        self.units.push(unit);
    }

    /// Returns a filling in which all places are open.
    pub fn nothing_filled(&self) -> Filling {
        vec![None; self.units.len()]
    }

    /// Returns the tokens before and after a unit; an open place is [`MASK`], the end of the text [`LINE_END`].
    pub fn neighbours(&self, unit: UnitIndex, filling: &Filling) -> (TokenId, TokenId) {
        let Some(&place) = self.places.get(unit) else { return (LINE_END, LINE_END) };
        let token = |place: Option<usize>| match place.and_then(|place| self.slots.get(place)) {
            Some(Slot::Token(BEGIN)) | None => LINE_END,
            Some(Slot::Token(token)) => *token,
            Some(Slot::Unit(other)) => filling.get(*other).copied().flatten().unwrap_or(MASK),
            Some(Slot::Break(_)) => GAP,
        };
        (token(place.checked_sub(1)), token(Some(place + 1)))
    }

    /// Returns the row for the slots in `window`, asking for the units in `wanted` (rising). It begins with `<bos>`;
    /// each open place has `<mask>` where `starts` is `true`, `-<mask>` otherwise.
    pub fn row(&self, window: &Range<usize>, filling: &Filling, starts: &[bool], wanted: &[UnitIndex]) -> Row {
        let mut row = Row { ids: vec![BEGIN], places: Vec::with_capacity(wanted.len()) };
        for slot in self.slots.get(window.clone()).unwrap_or_default() {
            let id = match *slot {
                Slot::Token(token) => token,
                Slot::Break(_) => GAP,
                Slot::Unit(unit) => {
                    // `<bos>` is in the row already, so its length is the place of the next token.
                    if wanted.binary_search(&unit).is_ok() {
                        row.places.push(row.ids.len());
                    }
                    let begins = starts.get(unit).copied().unwrap_or(true);
                    let mask = if begins { MASK } else { INNER_MASK };
                    filling.get(unit).copied().flatten().unwrap_or(mask)
                }
            };
            row.ids.push(id);
        }
        row
    }

    /// Returns the text with `filling` written in and the break `gap` opened to `length` units, the only open ones.
    pub fn opened(&self, gap: usize, length: usize, first: &Unit, filling: &Filling) -> Template {
        let mut template = Template::default();
        for slot in &self.slots {
            match *slot {
                Slot::Break(found) if found == gap => {
                    for offset in 0..length {
                        template.push_unit(if offset == 0 { first.clone() } else { Unit::unknown(gap) });
                    }
                }
                Slot::Unit(unit) => {
                    // A place that nothing fits stays a mask, since its sign is still unknown.
                    template.push_token(filling.get(unit).copied().flatten().unwrap_or(MASK));
                }
                other => template.slots.push(other),
            }
        }
        template
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template() -> Template {
        let mut template = Template::default();
        template.push_token(20);
        template.push_unit(Unit::unknown(0));
        template.push_unit(Unit::unknown(1));
        template.slots.push(Slot::Break(2));
        template.push_token(LINE_END);
        template
    }

    #[test]
    fn a_row_has_masks_fillings_and_the_places_asked_for() {
        let template = template();
        let row = template.row(&(0..5), &vec![None, None], &[true, false], &[1]);
        assert_eq!(row.ids, [BEGIN, 20, MASK, INNER_MASK, GAP, LINE_END]);
        assert_eq!(row.places, [3]);
        let row = template.row(&(1..3), &vec![Some(30), None], &[true, true], &[1]);
        assert_eq!(row.ids, [BEGIN, 30, MASK]);
        assert_eq!(row.places, [2]);
    }

    #[test]
    fn neighbours_know_fillings_open_places_and_edges() {
        let template = template();
        assert_eq!(template.neighbours(0, &vec![None, None]), (20, MASK));
        assert_eq!(template.neighbours(1, &vec![Some(31), None]), (31, GAP));
        let mut alone = Template::default();
        alone.push_unit(Unit::unknown(0));
        assert_eq!(alone.neighbours(0, &vec![None]), (LINE_END, LINE_END));
    }

    #[test]
    fn opening_a_break_leaves_only_its_units_open() {
        let opened = template().opened(2, 3, &Unit::unknown(2), &vec![Some(31), None]);
        assert_eq!(opened.units.len(), 3);
        assert_eq!(opened.places, [3, 4, 5]);
        assert_eq!(opened.slots[1], Slot::Token(31));
        assert_eq!(opened.slots[2], Slot::Token(MASK));
    }
}
