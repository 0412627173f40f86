//! Fifth pass: lexemes become signs, each with its state, its joiner and its canonical print.

mod braces;
mod signs;

use super::brackets::Cover;
use super::habits::Habits;
use super::lexeme::{Lexeme, Lexical, Mark, Scanned, Token};
use super::report::Report;
use super::rules::{Rule, Rules};
use super::unit::{Unit, Word, stays_apart};
use crate::{Joiner, SignKind, State};
use std::ops::Range;

/// Largest number in `x+3` that is written out sign by sign.
const MOST_AT_LEAST: usize = 40;

/// State shared by all words of a text while they are read.
pub struct Reading<'a, 'b> {
    /// The cleaned text.
    pub text: &'a str,
    /// `true` if the text writes names with a capital.
    pub capital_names: bool,
    /// Counts of writing habits.
    pub habits: &'b mut Habits,
    /// Diagnostics.
    pub report: &'b mut Report<'a>,
}

/// Reads the words of a line.
pub fn words(line: &Scanned, covers: &[Cover], reading: &mut Reading) -> (Vec<Unit>, Vec<Word>) {
    let mut units = Vec::with_capacity(line.lexemes.len());
    let mut words = Vec::with_capacity(line.tokens.len());
    let mut logograms = false;
    for token in &line.tokens {
        if token.shift.normalised {
            reading.report.normalised(token.at.clone());
        }
        let mut reader = WordReader::new(line, covers, token, reading, &mut units, logograms);
        reader.run();
        logograms = reader.logograms;
        let first = reader.first;
        let rules = reader.rules;
        words.push(Word { at: token.at.clone(), units: first..units.len(), rules });
    }
    (units, words)
}

/// Numbers of the pairs that flags and cut signs count as: larger than those that brackets get.
const FLAGGED: u32 = 1 << 30;

struct WordReader<'r, 'a, 'b> {
    lexemes: &'r [Lexeme],
    covers: &'r [Cover],
    token: &'r Token,
    reading: &'r mut Reading<'a, 'b>,
    units: &'r mut Vec<Unit>,
    rules: Rules,
    /// Place of the word's first unit.
    first: usize,
    /// Place of the current lexeme.
    place: usize,
    joiner: Joiner,
    /// Pieces of the current sign.
    pieces: Vec<(Range<usize>, Cover)>,
    damaged_flag: bool,
    /// Place of the opening brace, while it is open and nothing stands in it yet.
    brace: Option<usize>,
    in_brace: bool,
    logograms: bool,
    doubtful: bool,
    /// `true` if the next sign is a second reading of the one before.
    alternative: bool,
}

impl<'r, 'a, 'b> WordReader<'r, 'a, 'b> {
    fn new(
        line: &'r Scanned,
        covers: &'r [Cover],
        token: &'r Token,
        reading: &'r mut Reading<'a, 'b>,
        units: &'r mut Vec<Unit>,
        logograms: bool,
    ) -> Self {
        let first = units.len();
        Self {
            lexemes: &line.lexemes,
            covers,
            token,
            reading,
            units,
            rules: Rules::default(),
            first,
            place: token.lexemes.start,
            joiner: Joiner::Space,
            pieces: Vec::new(),
            damaged_flag: false,
            brace: None,
            in_brace: false,
            logograms,
            doubtful: false,
            alternative: false,
        }
    }

    fn run(&mut self) {
        while self.place < self.token.lexemes.end {
            self.step();
            self.place += 1;
        }
        self.flush();
        if self.alternative || (self.joiner != Joiner::Space && self.joiner != Joiner::Nothing) {
            self.rules.add(Rule::Joiner);
        }
    }

    fn peek(&self, ahead: usize) -> Option<&'r Lexeme> {
        self.lexemes.get(self.place + ahead).filter(|_| self.place + ahead < self.token.lexemes.end)
    }

    fn step(&mut self) {
        let Some(Lexeme { at, what }) = self.lexemes.get(self.place) else { return };
        let cover = self.covers.get(self.place).copied().unwrap_or_default();
        if cover.dropped {
            self.flush();
            let unread = matches!(what, Lexical::Open(Mark::Unread) | Lexical::Close(Mark::Unread));
            self.rules.add(if unread { Rule::Unread } else { Rule::Excised });
            return;
        }
        match *what {
            Lexical::Letters => self.pieces.push((at.clone(), cover)),
            Lexical::Split => self.flush(),
            Lexical::Raised => self.raised(at, cover),
            Lexical::Joiner(joiner) => self.join(joiner, at),
            Lexical::Open(mark) | Lexical::Close(mark) => self.bracket(mark, *what == Lexical::Open(mark)),
            Lexical::BraceOpen => self.open_brace(at),
            Lexical::BraceClose => self.close_brace(at),
            Lexical::Flag(flag) => self.flag(flag, at, cover),
            Lexical::Gap | Lexical::HintedGap => {
                self.flush();
                self.rules.add(match self.slice(at.clone()) {
                    "..." => Rule::Nothing,
                    _ if *what == Lexical::Gap => Rule::Gap,
                    _ => Rule::HintedGap,
                });
                self.gap(at.clone(), cover);
            }
            Lexical::Logograms => {
                self.flush();
                self.logograms = !self.logograms;
                self.rules.add(Rule::Logogram);
            }
            Lexical::Missing(count) => self.missing(at, count),
            Lexical::Decimal => self.decimal(at, cover),
            Lexical::Glyph => self.glyph(at, cover),
            Lexical::Alternative => {
                self.flush();
                self.alternative = true;
            }
            Lexical::Repeated => self.rules.add(Rule::Brackets),
            Lexical::Divider => self.divider(at, cover),
            Lexical::Ignored => {
                self.flush();
                self.rules.add(Rule::Ignored);
            }
        }
    }

    fn slice(&self, at: Range<usize>) -> &'a str {
        self.reading.text.get(at).unwrap_or("")
    }

    fn bracket(&mut self, mark: Mark, opens: bool) {
        match mark {
            Mark::Round => {
                self.flush();
                self.doubtful = opens;
                self.rules.add(Rule::Doubtful);
            }
            Mark::Omitted => {
                self.flush();
                self.rules.add(Rule::Omitted);
            }
            _ => self.rules.add(Rule::Brackets),
        }
    }

    fn join(&mut self, joiner: Joiner, at: &Range<usize>) {
        if joiner == Joiner::Plus && self.at_least() {
            return;
        }
        if joiner == Joiner::Dot && self.stands_for_brace() {
            self.reading.habits.raised += 1;
            self.rules.add(Rule::Raised);
            for (at, cover) in std::mem::take(&mut self.pieces) {
                self.braced(self.slice(at.clone()), at, cover);
            }
            return;
        }
        self.flush();
        if self.brace.is_some() {
            self.rules.add(Rule::Ignored); // {+ki} is {KI}
            return;
        }
        self.joiner = joiner;
        // Nothing is typed between the parts of 1⅓.
        if !matches!(self.slice(at.clone()), "-" | "." | "+" | "") {
            self.rules.add(Rule::Joiner);
        }
    }

    /// Reads `[x+3]`: a break and three illegible signs. Outside brackets `x+3` is a numeral whose beginning is lost.
    fn at_least(&mut self) -> bool {
        let [(at, cover)] = self.pieces.as_slice() else { return false };
        let (start, cover) = (at.start, *cover);
        let is_lost = cover.state().0 == State::Missing;
        if !matches!(self.slice(at.clone()), "x" | "X") || self.in_brace || !is_lost {
            return false;
        }
        let Some(next) = self.peek(1).filter(|next| next.what == Lexical::Letters) else { return false };
        let next_cover = self.covers.get(self.place + 1).copied().unwrap_or_default();
        if next_cover.state().0 != State::Missing {
            return false; // [x]+3
        }
        let is_aside =
            |lexeme: &&Lexeme| matches!(lexeme.what, Lexical::Flag(_) | Lexical::Open(_) | Lexical::Close(_));
        let after = (2..).map_while(|ahead| self.peek(ahead)).find(|lexeme| !is_aside(lexeme));
        if after.is_some_and(|lexeme| lexeme.what == Lexical::Letters) {
            return false; // x+3#(diš)
        }
        let end = next.at.end;
        let Some(count) =
            self.slice(next.at.clone()).parse::<usize>().ok().filter(|count| (1..=MOST_AT_LEAST).contains(count))
        else {
            return false;
        };
        self.pieces.clear();
        self.place += 1;
        self.rules.add(Rule::AtLeast);
        self.gap(start..end, cover);
        for _ in 0..count {
            self.joiner = Joiner::Space;
            self.illegible(start..end, cover);
        }
        true
    }

    fn flag(&mut self, flag: char, at: &Range<usize>, cover: Cover) {
        let stands_alone = self.pieces.is_empty() && self.touches_joiner();
        if flag == '?' && stands_alone {
            self.rules.add(Rule::LoneFlag);
            self.illegible(at.clone(), cover);
        } else if flag == '#' && (!self.pieces.is_empty() || self.units.len() > self.first) {
            self.damaged_flag |= !self.pieces.is_empty();
            self.reading.habits.flags += 1;
            self.rules.add(Rule::DamageFlag);
        } else {
            self.rules.add(Rule::OtherFlag);
        }
    }

    /// Returns `true` if the current lexeme has a joiner or the word's edge on both sides.
    fn touches_joiner(&self) -> bool {
        let is_joiner = |lexeme: Option<&Lexeme>| lexeme.is_none_or(|lexeme| matches!(lexeme.what, Lexical::Joiner(_)));
        let before = (self.place > self.token.lexemes.start).then(|| self.lexemes.get(self.place - 1)).flatten();
        is_joiner(before) && is_joiner(self.peek(1))
    }

    /// Keeps characters that are not a sign as typed; the next characters of the word begin another sign.
    fn divider(&mut self, at: &Range<usize>, cover: Cover) {
        self.flush();
        let is_first = self.units.len() == self.first;
        let joiner = if is_first { Joiner::Space } else { Joiner::Nothing };
        let (state, pair) = cover.state();
        let (language, print) = (self.token.shift.language, self.slice(at.clone()).to_owned());
        self.units.push(Unit { at: at.clone(), kind: None, state, pair, joiner, language, print });
        self.joiner = Joiner::Space;
    }

    fn gap(&mut self, at: Range<usize>, cover: Cover) {
        let (state, pair) = cover.state();
        self.add(at, Some(SignKind::Gap), "...".to_owned(), state, pair);
    }

    fn illegible(&mut self, at: Range<usize>, cover: Cover) {
        let (state, pair) = cover.state();
        self.add(at, Some(SignKind::Illegible), "x".to_owned(), state, pair);
    }

    /// Adds a sign; a determinative gets its brace, and signs that would run together in print get a hyphen.
    fn add(&mut self, mut at: Range<usize>, kind: Option<SignKind>, mut print: String, state: State, pair: u32) {
        if std::mem::take(&mut self.alternative) {
            if self.takes_alternative(kind.as_ref(), &print) {
                self.add_alternative(&at, &print);
                return;
            }
            // After a hyphen the slash marks the end of the line: pi₂-/i
            if self.joiner == Joiner::Nothing {
                self.joiner = Joiner::Dot;
            }
        }
        if self.in_brace {
            match self.brace.take() {
                Some(start) => {
                    at.start = start;
                    print.insert(0, '{');
                }
                None if self.joiner == Joiner::Nothing => self.joiner = Joiner::Dot,
                None => {}
            }
        }
        if self.units.len() > self.first {
            self.joiner = self.fitting_joiner(kind.as_ref(), &print, state, pair);
        } else if matches!(self.joiner, Joiner::Dot | Joiner::Plus) {
            self.joiner = Joiner::Hyphen;
            self.rules.add(Rule::Joiner);
        }
        let joiner = self.joiner;
        let language = self.token.shift.language;
        let unit = Unit { at, kind, state, pair, joiner, language, print };
        let merges = unit.joiner == Joiner::Nothing
            && unit.kind == Some(SignKind::Gap)
            && self.units.get(self.first..).and_then(<[Unit]>::last).is_some_and(|last| {
                last.kind == Some(SignKind::Gap) && last.pair == unit.pair && !last.print.contains('{')
            });
        if !merges {
            self.units.push(unit);
        }
        self.joiner = Joiner::Nothing;
    }

    /// Returns `true` if the sign before can have this one as its second reading.
    fn takes_alternative(&self, kind: Option<&SignKind>, print: &str) -> bool {
        let is_sign = |kind: Option<&SignKind>| kind.is_some_and(|kind| *kind != SignKind::Gap);
        let last = self.units.get(self.first..).and_then(<[Unit]>::last);
        self.joiner == Joiner::Nothing
            && is_sign(kind)
            && self.brace.is_none()
            && !print.starts_with('{')
            && last.is_some_and(|last| is_sign(last.kind.as_ref()) && !last.print.ends_with('}'))
    }

    /// Writes a second reading after the first, which stays the reading of the sign.
    fn add_alternative(&mut self, at: &Range<usize>, print: &str) {
        let Some(last) = self.units.last_mut() else { return };
        last.at.end = at.end;
        last.print.push('/');
        last.print.push_str(print);
        let (at, first) = (last.at.clone(), last.kind.clone());
        self.reading.habits.alternatives += 1;
        self.reading.report.alternative(at, first.as_ref());
    }

    fn fitting_joiner(&mut self, kind: Option<&SignKind>, print: &str, state: State, pair: u32) -> Joiner {
        let Some(last) = self.units.last() else { return self.joiner };
        let is_gap = |kind: Option<&SignKind>| kind == Some(&SignKind::Gap);
        let touches_gap = is_gap(kind) || is_gap(last.kind.as_ref());
        match self.joiner {
            Joiner::Dot if touches_gap => {
                self.rules.add(Rule::Joiner);
                Joiner::Hyphen
            }
            // Written together they would be read as “at least”.
            Joiner::Plus
                if last.print == "x"
                    && [last.state, state] == [State::Missing; 2]
                    && print.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                Joiner::Hyphen
            }
            Joiner::Nothing
                if touches_gap && last.print.ends_with('.') && print.starts_with('.') && last.pair == pair =>
            {
                Joiner::Nothing
            }
            Joiner::Nothing if !touches_gap && !stays_apart(&last.print, print) => {
                self.rules.add(Rule::Joiner);
                Joiner::Hyphen
            }
            other => other,
        }
    }
}
