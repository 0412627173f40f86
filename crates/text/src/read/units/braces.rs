//! Determinatives: in braces, raised, or set off by a dot.

use super::WordReader;
use crate::read::brackets::Cover;
use crate::read::clean::composed;
use crate::read::lexeme::Lexical;
use crate::read::rules::Rule;
use crate::read::sign::{Normal, Surroundings, normalise};
use crate::read::unit::Unit;
use crate::{Joiner, Severity, SignKind, letters};
use std::ops::Range;

impl WordReader<'_, '_, '_> {
    /// Returns `true` for a dot that stands for a brace: `d.UTU`, as in print editions made on a typewriter.
    pub(super) fn stands_for_brace(&self) -> bool {
        let [(at, _)] = self.pieces.as_slice() else { return false };
        let starts = self.units.len() == self.first || self.joiner == Joiner::Hyphen;
        let next = self.peek(1).filter(|next| next.what == Lexical::Letters).map(|next| self.slice(next.at.clone()));
        starts
            && !self.in_brace
            && !self.logograms
            && matches!(self.slice(at.clone()), "d" | "m" | "f")
            && next.is_some_and(|next| next.chars().next().is_some_and(char::is_uppercase))
    }

    pub(super) fn open_brace(&mut self, at: &Range<usize>) {
        self.flush();
        if self.in_brace || !self.brace_closes(at) {
            self.set_brace_aside(at);
        } else {
            self.in_brace = true;
            self.brace = Some(at.start);
        }
    }

    pub(super) fn close_brace(&mut self, at: &Range<usize>) {
        self.flush();
        if !self.in_brace {
            self.set_brace_aside(at);
            return;
        }
        self.in_brace = false;
        if self.brace.take().is_some() {
            self.rules.add(Rule::Ignored);
        } else if let Some(unit) = self.units.get_mut(self.first..).and_then(<[Unit]>::last_mut) {
            unit.at.end = at.end;
            unit.print.push('}');
        }
        if self.units.len() > self.first {
            self.joiner = Joiner::Nothing;
        }
    }

    pub(super) fn set_brace_aside(&mut self, at: &Range<usize>) {
        self.rules.add(Rule::Ignored);
        self.reading.report.remark(
            at.clone(),
            None,
            Severity::Warning,
            "This brace has no partner in its word, so it is not counted.",
            Some("Write a determinative in one pair of braces: {d}UTU."),
        );
    }

    pub(super) fn raised(&mut self, at: &Range<usize>, cover: Cover) {
        self.flush();
        self.reading.habits.raised += 1;
        self.rules.add(Rule::Raised);
        let raw: String = self
            .slice(at.clone())
            .chars()
            .filter(|letter| !matches!(letter, '(' | ')'))
            .map(|letter| letters::lowered(letter).unwrap_or(letter))
            .collect();
        let raw = composed(&raw);
        let raw = if raw == "I" { "1".to_owned() } else { raw };
        let two = matches!(raw.as_str(), "md" | "fd");
        for name in if two { vec![&raw[..1], &raw[1..]] } else { vec![raw.as_str()] } {
            self.braced(name, at.clone(), cover);
        }
    }

    /// Adds a determinative that was written without braces.
    pub(super) fn braced(&mut self, name: &str, at: Range<usize>, cover: Cover) {
        let (state, pair) = cover.state();
        let around = Surroundings { determinative: true, ..Surroundings::default() };
        let (kind, reading) = match normalise(name, around) {
            Ok(Normal { reading, rules }) => {
                self.rules.extend(rules);
                (SignKind::Reading(format!("{{{reading}}}")), reading)
            }
            Err(reason) => {
                self.reading.report.unreadable(at.clone(), name, reason);
                (SignKind::Unreadable, name.to_owned())
            }
        };
        let print = if self.in_brace { reading } else { format!("{{{reading}}}") };
        self.add(at, Some(kind), print, state, pair);
    }

    /// Returns `true` if the brace that opens here closes within the word, with none opened before.
    pub(super) fn brace_closes(&self, at: &Range<usize>) -> bool {
        let rest = self.slice(at.end..self.token.at.end);
        rest.find(['{', '}']).is_some_and(|place| rest.as_bytes().get(place) == Some(&b'}'))
    }
}
