//! Fourth pass: brackets find their partners, within words, across words and across lines.

use super::lexeme::{Lexeme, Lexical, Mark, Scanned};
use super::report::Report;
use crate::{Severity, State};

/// Brackets around a lexeme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// Number of the pair of square brackets around the lexeme; 0 for none.
    pub square: u32,
    /// Number of the pair of half brackets around the lexeme; 0 for none.
    pub half: u32,
    /// `true` if the lexeme is not read: struck out, erased, or quoted as written.
    pub dropped: bool,
}

impl Cover {
    /// Returns the state of a sign under this cover, and the number of the pair that gives it.
    pub fn state(self) -> (State, u32) {
        match self {
            Cover { square: 1.., .. } => (State::Missing, self.square),
            Cover { half: 1.., .. } => (State::Damaged, self.half),
            Cover { .. } => (State::Preserved, 0),
        }
    }
}

/// Open bracket waiting for its partner.
#[derive(Clone, Copy)]
struct Open {
    pair: u32,
    /// Place in this line's lexemes; `None` if it was opened on an earlier line.
    place: Option<usize>,
    has_content: bool,
}

/// Pairs the brackets of consecutive lines.
#[derive(Default)]
pub struct Pairing {
    pairs: u32,
    square: Option<Open>,
    half: Option<Open>,
}

/// Next brackets of either kind on later lines: an open bracket runs on to one that closes after signs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// `true` if the next square bracket closes.
    pub square: bool,
    /// `true` if the next half bracket closes.
    pub half: bool,
}

impl Ahead {
    /// Returns what the line before `line` sees, given what follows `line`.
    pub fn before(self, line: &Scanned) -> Self {
        let closes = |mark, after| {
            let mut has_content = false;
            for lexeme in &line.lexemes {
                match lexeme.what {
                    Lexical::Close(found) if found == mark => return has_content,
                    Lexical::Open(found) if found == mark => return false,
                    what => has_content |= is_content(what),
                }
            }
            after
        };
        Self { square: closes(Mark::Square, self.square), half: closes(Mark::Half, self.half) }
    }
}

fn is_content(what: Lexical) -> bool {
    matches!(what, Lexical::Letters | Lexical::Raised | Lexical::Glyph | Lexical::Decimal)
        || matches!(what, Lexical::Gap | Lexical::HintedGap | Lexical::Missing(_) | Lexical::Divider)
}

impl Pairing {
    /// Returns the cover of each lexeme of a line. Brackets that stand for a break become one.
    pub fn cover(&mut self, line: &mut Scanned, ahead: Ahead, report: &mut Report) -> Vec<Cover> {
        let mut covers = vec![Cover::default(); line.lexemes.len()];
        let dropped = drops(&mut line.lexemes, report);
        self.pair(Mark::Square, &mut line.lexemes, &mut covers, ahead.square, report);
        self.pair(Mark::Half, &mut line.lexemes, &mut covers, ahead.half, report);
        for (cover, dropped) in covers.iter_mut().zip(dropped) {
            cover.dropped = dropped;
        }
        covers
    }

    fn next_pair(&mut self) -> u32 {
        self.pairs += 1;
        self.pairs
    }

    fn pair(&mut self, mark: Mark, lexemes: &mut [Lexeme], covers: &mut [Cover], runs_on: bool, report: &mut Report) {
        let mut open = if mark == Mark::Square { self.square.take() } else { self.half.take() };
        let mut content_since = 0; // start of an unopened bracket: after the last closing one
        let mut seen_content = false;
        for place in 0..lexemes.len() {
            match lexemes[place].what {
                Lexical::Open(found) if found == mark => match open {
                    Some(first) => {
                        let other = first.place.map(|place| lexemes[place].at.clone());
                        report.opened_twice(lexemes[place].at.clone(), other);
                    }
                    None => open = Some(Open { pair: self.next_pair(), place: Some(place), has_content: false }),
                },
                Lexical::Close(found) if found == mark => {
                    match open.take() {
                        // `[ ]` with nothing inside is a break.
                        Some(Open { place: Some(start), has_content: false, pair }) if mark == Mark::Square => {
                            let end = lexemes[place].at.end;
                            lexemes[start].at.end = end;
                            lexemes[start].what = Lexical::HintedGap;
                            set(mark, &mut covers[start], pair);
                        }
                        Some(_) => {}
                        // `]` before any sign: the break began before the line.
                        None if !seen_content && mark == Mark::Square => {
                            lexemes[place].what = Lexical::HintedGap;
                            let pair = self.next_pair();
                            set(mark, &mut covers[place], pair);
                        }
                        None => {
                            let pair = self.next_pair();
                            // The opening bracket was forgotten: everything since the last closing bracket counts as
                            // covered.
                            covers[content_since..place].iter_mut().for_each(|cover| set(mark, cover, pair));
                            report.not_opened(lexemes[place].at.clone(), seen_content);
                        }
                    }
                    content_since = place + 1;
                    seen_content = true;
                }
                what => {
                    seen_content |= is_content(what);
                    if let Some(open) = &mut open {
                        open.has_content |= is_content(what);
                        set(mark, &mut covers[place], open.pair);
                    }
                }
            }
        }
        let carried = self.end_of_line(mark, open, lexemes, covers, runs_on, report);
        if mark == Mark::Square { self.square = carried } else { self.half = carried }
    }

    /// Handles a bracket that is open at the end of a line.
    fn end_of_line(
        &self,
        mark: Mark,
        open: Option<Open>,
        lexemes: &mut [Lexeme],
        covers: &mut [Cover],
        runs_on: bool,
        report: &mut Report,
    ) -> Option<Open> {
        let open = open?;
        if runs_on {
            return Some(Open { place: None, has_content: true, ..open });
        }
        let place = open.place?;
        if !open.has_content && mark == Mark::Square {
            lexemes[place].what = Lexical::HintedGap;
            set(mark, &mut covers[place], open.pair);
        } else {
            report.not_closed(lexemes[place].at.clone());
        }
        None
    }
}

fn set(mark: Mark, cover: &mut Cover, pair: u32) {
    if mark == Mark::Square { cover.square = pair } else { cover.half = pair }
}

/// Returns `true` for each lexeme that is not read because it is struck out or quoted as written; brackets without a
/// partner are ignored.
fn drops(lexemes: &mut [Lexeme], report: &mut Report) -> Vec<bool> {
    const PAIRED: [Mark; 5] = [Mark::Omitted, Mark::Excised, Mark::Unread, Mark::Erased, Mark::Round];
    let mut dropped = vec![false; lexemes.len()];
    let mut open: [Option<usize>; 5] = [None; 5];
    for place in 0..lexemes.len() {
        let (mark, opens) = match lexemes[place].what {
            Lexical::Open(mark) => (mark, true),
            Lexical::Close(mark) => (mark, false),
            _ => continue,
        };
        let Some(kind) = PAIRED.iter().position(|&paired| paired == mark) else { continue };
        let partner = if opens { open[kind].replace(place) } else { open[kind].take() };
        match (opens, partner) {
            (true, Some(alone)) => set_aside(&mut lexemes[alone], report),
            (false, None) => set_aside(&mut lexemes[place], report),
            (false, Some(start)) if matches!(mark, Mark::Excised | Mark::Unread | Mark::Erased) => {
                dropped[start..=place].iter_mut().for_each(|dropped| *dropped = true);
            }
            _ => {}
        }
    }
    for alone in open.into_iter().flatten() {
        set_aside(&mut lexemes[alone], report);
    }
    dropped
}

fn set_aside(lexeme: &mut Lexeme, report: &mut Report) {
    report.remark(
        lexeme.at.clone(),
        None,
        Severity::Warning,
        "This bracket has no partner on its line, so it is not counted.",
        Some("Add the missing half, or delete this one."),
    );
    lexeme.what = Lexical::Ignored;
}
