//! Letters become a sign: its reading, its state of preservation, its place.

use super::{FLAGGED, WordReader};
use crate::read::brackets::Cover;
use crate::read::clean::composed;
use crate::read::dividers::is_divider;
use crate::read::lexeme::{Lexeme, Lexical};
use crate::read::numerals::decimal;
use crate::read::rules::Rule;
use crate::read::sign::{Normal, Surroundings, normalise};
use crate::read::unit::Unit;
use crate::signs::{SignList, fold};
use crate::{Joiner, SignKind, State, letters};
use std::ops::Range;

impl WordReader<'_, '_, '_> {
    /// Makes a sign of the current letters.
    pub(super) fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        let flagged = std::mem::take(&mut self.damaged_flag);
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let at = first.0.start..last.0.end;
        if pieces.iter().all(|(at, _)| self.slice(at.clone()).bytes().all(|byte| matches!(byte, b'x' | b'X'))) {
            self.illegibles(&pieces);
            return;
        }
        let (state, pair) = self.state(&pieces, flagged);
        let raw: String = match pieces.as_slice() {
            [(at, _)] => self.slice(at.clone()).to_owned(),
            _ => composed(&pieces.iter().map(|(at, _)| self.slice(at.clone())).collect::<String>()),
        };
        if !self.in_brace && (raw == "o" || is_divider(&raw)) {
            self.add(at, None, raw, state, pair);
            return;
        }
        let capital_of_name = self.reading.capital_names && self.joins_small_letters();
        let around = Surroundings { logogram: self.logograms, determinative: self.in_brace, capital_of_name };
        match normalise(&raw, around) {
            Ok(Normal { reading, rules }) => {
                self.rules.extend(rules);
                self.reading.habits.note(&raw, rules, self.in_brace);
                let kind = if self.in_brace { format!("{{{reading}}}") } else { reading.clone() };
                self.add(at, Some(SignKind::Reading(kind)), reading, state, pair);
            }
            Err(reason) => {
                self.reading.report.unreadable(at.clone(), &raw, reason);
                self.add(at, Some(SignKind::Unreadable), raw, state, pair);
            }
        }
    }

    /// Returns `true` if the current sign is joined by a hyphen, typed or printed, to one in small letters.
    pub(super) fn joins_small_letters(&self) -> bool {
        let mut joiner = Joiner::Hyphen;
        let rest = self.lexemes.get(self.place..self.token.lexemes.end).unwrap_or_default();
        for Lexeme { at, what } in rest {
            match what {
                Lexical::Joiner(found) => joiner = *found,
                Lexical::Letters => {
                    let is_small = self.slice(at.clone()).starts_with(letters::is_small);
                    return joiner == Joiner::Hyphen && is_small;
                }
                Lexical::Open(_) | Lexical::Close(_) | Lexical::Flag(_) => {}
                Lexical::Ignored | Lexical::Split | Lexical::Logograms => {}
                Lexical::BraceOpen if !self.brace_closes(at) => {}
                Lexical::BraceClose if !self.in_brace => {}
                _ => return false,
            }
        }
        false
    }

    pub(super) fn illegibles(&mut self, pieces: &[(Range<usize>, Cover)]) {
        if self.doubtful {
            self.rules.add(Rule::Doubtful);
        }
        for (at, cover) in pieces {
            for place in at.clone() {
                self.illegible(place..place + 1, *cover);
            }
        }
    }

    /// Returns the state of a sign of several pieces: damaged when a bracket cuts through it.
    pub(super) fn state(&mut self, pieces: &[(Range<usize>, Cover)], flagged: bool) -> (State, u32) {
        let (state, pair) = pieces.first().map(|piece| piece.1.state()).unwrap_or((State::Preserved, 0));
        if pieces.iter().any(|piece| piece.1.state() != (state, pair)) {
            return (State::Damaged, FLAGGED + self.units.len() as u32 + 1);
        }
        if !flagged || state != State::Preserved {
            return (state, pair);
        }
        let before = self.units.get(self.first..).and_then(<[Unit]>::last);
        match before {
            Some(last) if last.pair > FLAGGED => (State::Damaged, last.pair),
            _ => (State::Damaged, FLAGGED + self.units.len() as u32 + 1),
        }
    }

    /// Adds missing signs one by one.
    pub(super) fn missing(&mut self, at: &Range<usize>, count: usize) {
        self.flush();
        self.rules.add(Rule::Missing);
        let pair = FLAGGED + self.units.len() as u32 + 1;
        for _ in 0..count {
            self.joiner = Joiner::Space;
            self.add(at.clone(), Some(SignKind::Illegible), "x".to_owned(), State::Missing, pair);
        }
    }

    /// Adds a decimal fraction as editions write it: `1.33333` as `1.1/3`.
    pub(super) fn decimal(&mut self, at: &Range<usize>, cover: Cover) {
        self.flush();
        let Some((_, whole, fraction)) = decimal(self.slice(at.clone())) else { return };
        self.rules.add(Rule::Fraction);
        let (state, pair) = cover.state();
        let number = |digits: &str| (Some(SignKind::Reading(digits.to_owned())), digits.to_owned());
        let cut = at.start + whole.len();
        if whole != "0" {
            let (kind, print) = number(whole);
            self.add(at.start..cut, kind, print, state, pair);
            self.joiner = Joiner::Dot;
        }
        let (kind, print) = number(fraction);
        self.add(if whole == "0" { at.clone() } else { cut + 1..at.end }, kind, print, state, pair);
    }

    /// Adds a cuneiform sign, read by its name: in small letters if that is a syllable, else as a logogram.
    pub(super) fn glyph(&mut self, at: &Range<usize>, cover: Cover) {
        self.flush();
        self.rules.add(Rule::Glyph);
        self.reading.report.glyph(at.clone());
        let (state, pair) = cover.state();
        let glyph = self.slice(at.clone());
        let name = reading_of_glyph(glyph).unwrap_or_else(|| glyph.to_owned());
        let before = self.units.get(self.first..).and_then(<[Unit]>::last);
        if let Some(before) = before.filter(|_| self.joiner == Joiner::Nothing) {
            let are_small = [before.print.as_str(), &name].iter().all(|own| own.starts_with(letters::is_small));
            self.joiner = if are_small { Joiner::Hyphen } else { Joiner::Dot };
        }
        match normalise(&name, Surroundings::default()) {
            Ok(Normal { reading, .. }) => {
                self.add(at.clone(), Some(SignKind::Reading(reading.clone())), reading, state, pair);
            }
            Err(reason) => {
                self.reading.report.unreadable(at.clone(), glyph, reason);
                self.add(at.clone(), Some(SignKind::Unreadable), glyph.to_owned(), state, pair);
            }
        }
    }
}

/// Returns the reading of a glyph: the name of its sign, in small letters if that is a syllable, else as a logogram;
/// for a sign named after its parts, its commonest reading.
fn reading_of_glyph(glyph: &str) -> Option<String> {
    let list = SignList::shared();
    let name = list.name_of(glyph)?;
    if name.contains(['|', '@', '(']) {
        // Short readings with a low index are the common ones.
        let rank = |reading: &&str| {
            let index = reading.chars().filter_map(letters::digit_of_subscript).collect::<String>();
            let count = reading.chars().filter(|letter| letter.is_alphabetic() && !letters::is_index(*letter)).count();
            (count > 3 || reading.ends_with('ₓ'), index.parse().unwrap_or(1_u32), count)
        };
        let reading = list.readings_of(glyph).into_iter().min_by_key(rank);
        return Some(reading.map_or_else(|| name.to_owned(), fold));
    }
    let is_syllable = name.chars().filter(|letter| letter.is_alphabetic()).count() <= 3;
    Some(if is_syllable { fold(name) } else { name.replace('Ŋ', "G") })
}
