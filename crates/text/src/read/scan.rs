//! Third pass: a line becomes lexemes — letters, joiners, brackets, flags — each with its place.

use super::accents::is_combining_mark;
use super::dividers::{INDENTATION, Shift, is_divider, shift};
use super::headings::{Aside, aside};
use super::inner_space;
use super::lexeme::{Lexeme, Lexical, Mark, Scanned, Token};
use super::numerals::decimal;
use crate::letters;
use crate::{Joiner, Language};
use std::ops::Range;

/// Scans the body of a text line. Its words are in `language` until one says otherwise.
pub fn scan(text: &str, body: Range<usize>, language: Language) -> Scanned {
    let mut scanned = Scanned::default();
    let line = text.get(body.clone()).unwrap_or("");
    let mut now = Shift { language, normalised: false };
    let mut erasure = Erasure::Nothing;
    let mut place = 0;
    while let Some(rest) = line.get(place..).filter(|rest| !rest.is_empty()) {
        let spaces = rest.len() - rest.trim_start().len();
        let word = rest.trim_start();
        let mut length = inner_space::word_length(word);
        if length > 0 {
            let start = body.start + place + spaces;
            let first = scanned.lexemes.len();
            now = shift(bare(&word[..length]).trim_start_matches('_')).unwrap_or(now);
            let mut scanner =
                TokenScanner::new(text, start..start + length, body.end, &mut scanned.lexemes, &mut erasure);
            scanner.run(now.normalised);
            let at = start..scanner.end;
            length = at.len();
            repeat_brackets(&mut scanned.lexemes[first..]);
            scanned.tokens.push(Token { at, lexemes: first..scanned.lexemes.len(), shift: now });
        }
        place += spaces + length;
    }
    scanned
}

/// Returns a word without the brackets around it.
fn bare(word: &str) -> &str {
    let is_around = |brackets: [char; 2]| move |letter| brackets.contains(&letter) || char::is_whitespace(letter);
    word.trim_start_matches(is_around(['[', '⸢'])).trim_end_matches(is_around([']', '⸣']))
}

/// Marks the brackets of second readings that repeat those of the first: `k]u/k]i`, `ša[r/š[u`.
fn repeat_brackets(lexemes: &mut [Lexeme]) {
    let is_bracket = |what| {
        use Mark::{Half, Square};
        matches!(what, Lexical::Open(Square | Half) | Lexical::Close(Square | Half))
    };
    let ends = |what| matches!(what, Lexical::Joiner(_) | Lexical::BraceOpen | Lexical::BraceClose | Lexical::Split);
    let mut first: Vec<Lexical> = Vec::new();
    let mut place = 0;
    while place < lexemes.len() {
        let is_second = place > 0 && lexemes[place - 1].what == Lexical::Alternative;
        let end = lexemes.iter().skip(place).position(|own| ends(own.what) || own.what == Lexical::Alternative);
        let end = end.map_or(lexemes.len(), |length| place + length);
        let group = &mut lexemes[place..end];
        let brackets: Vec<Lexical> = group.iter().map(|own| own.what).filter(|what| is_bracket(*what)).collect();
        if !is_second {
            first = brackets;
        } else if first == brackets {
            group.iter_mut().filter(|own| is_bracket(own.what)).for_each(|own| own.what = Lexical::Repeated);
        }
        place = end + 1;
    }
}

struct TokenScanner<'a> {
    text: &'a str,
    place: usize,
    end: usize,
    /// End of the line.
    line_end: usize,
    out: &'a mut Vec<Lexeme>,
    /// Sign before this place as far as it is read, without brackets and flags.
    sign: String,
    after_flag: bool,
    /// Number of open parentheses that belong to a sign, as in `1(diš)`.
    qualifier: usize,
    in_compound: bool,
    in_brace: bool,
    unread: bool,
    erasure: &'a mut Erasure,
}

/// Progress in reading an erasure, `°erased\written°`.
#[derive(Clone, Copy, PartialEq)]
enum Erasure {
    Nothing,
    Erased,
    Written,
}

impl<'a> TokenScanner<'a> {
    fn new(
        text: &'a str,
        at: Range<usize>,
        line_end: usize,
        out: &'a mut Vec<Lexeme>,
        erasure: &'a mut Erasure,
    ) -> Self {
        Self {
            text,
            place: at.start,
            end: at.end,
            line_end,
            out,
            sign: String::new(),
            after_flag: false,
            qualifier: 0,
            in_compound: false,
            in_brace: false,
            unread: false,
            erasure,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.place..self.end).unwrap_or("")
    }

    fn run(&mut self, normalised: bool) {
        let is_bracket = |letter: char| matches!(letter, '[' | ']' | '⸢' | '⸣');
        let bare = bare(self.rest());
        let divides = is_divider(bare);
        while let Some(letter) = self.rest().chars().next() {
            if letter.is_whitespace() {
                // Just inside a bracket.
                self.place += letter.len_utf8();
            } else if self.remark(letter) {
            } else if divides && !is_bracket(letter) {
                self.push(bare.len(), Lexical::Divider);
            } else if normalised && !is_bracket(letter) {
                let rest = self.rest();
                let ends = |letter: char| is_bracket(letter) || letter.is_whitespace();
                self.push(rest.find(ends).unwrap_or(rest.len()), Lexical::Divider);
            } else if !(self.aside(letter)
                || self.compound_or_qualifier(letter)
                || self.bracket(letter)
                || self.joint(letter))
            {
                self.other(letter);
            }
        }
    }

    /// Reads a remark of the edition, which may have several words: `(erasure)`, `[3 signs]`, `[. . . .]`.
    fn remark(&mut self, letter: char) -> bool {
        let starts = match letter {
            '[' => true,
            '(' => self.qualifier == 0 && !self.in_compound && !self.in_brace && self.sign.is_empty(),
            '.' => self.sign.is_empty(),
            _ => false,
        };
        let rest = self.text.get(self.place..self.line_end).unwrap_or("");
        let Some((length, what)) = starts.then(|| aside(rest)).flatten() else { return false };
        let after = rest.get(length..).unwrap_or("");
        let word_end = after.find(char::is_whitespace).unwrap_or(after.len());
        // The remark may go beyond this word: the word then ends where the remark's last word ends.
        self.end = self.end.max(self.place + length + word_end);
        self.push(
            length,
            match what {
                Aside::Remark => Lexical::Divider,
                Aside::Break => Lexical::Gap,
                Aside::Signs(count) => Lexical::Missing(count),
            },
        );
        true
    }

    /// Reads characters within a word that are not a sign: indentation, the marks of glosses and of erasures.
    fn aside(&mut self, letter: char) -> bool {
        let rest = self.rest();
        let (length, what) = match letter {
            '(' if rest.starts_with(INDENTATION) => (INDENTATION.len(), Lexical::Divider),
            '{' if rest.starts_with("{{") || (rest.starts_with("{(") && self.opens_gloss()) => (2, Lexical::Divider),
            ')' if !self.in_brace && self.qualifier == 0 && rest.starts_with(")}") => (2, Lexical::Divider),
            '(' if self.sign.is_empty() && opens_determinative(rest) => (3, Lexical::Raised),
            '%' if self.sign.is_empty() && shift(bare(rest)).is_some() => (bare(rest).len(), Lexical::Divider),
            _ if is_glyph(letter) => (letter.len_utf8(), Lexical::Glyph),
            _ if letter.is_ascii_digit() && self.sign.is_empty() && decimal(rest).is_some() => {
                (decimal(rest).map_or(0, |(length, ..)| length), Lexical::Decimal)
            }
            '}' if !self.in_brace && rest.starts_with("}}") => (2, Lexical::Divider),
            '°' if *self.erasure == Erasure::Nothing && self.erases() => {
                *self.erasure = Erasure::Erased;
                (letter.len_utf8(), Lexical::Open(Mark::Erased))
            }
            '\\' if *self.erasure == Erasure::Erased => {
                *self.erasure = Erasure::Written;
                (1, Lexical::Close(Mark::Erased))
            }
            '°' if *self.erasure == Erasure::Written => {
                *self.erasure = Erasure::Nothing;
                (letter.len_utf8(), Lexical::Ignored)
            }
            _ => return false,
        };
        self.push(length, what);
        true
    }

    /// Returns `true` if the braces that open here are those of a gloss, `{(he-pi₂)}`, not of a doubtful determinative.
    fn opens_gloss(&self) -> bool {
        let rest = self.rest();
        let near = rest.char_indices().nth(80).map_or(rest, |(end, _)| &rest[..end]);
        let after = near.split_once(")}").map(|(_, after)| after);
        after.is_none_or(|after| after.chars().all(|letter| matches!(letter, ']' | '⸣' | ')')))
    }

    /// Returns `true` if an erasure begins here: a backslash follows before the next ring.
    fn erases(&self) -> bool {
        let rest = self.text.get(self.place..self.line_end).unwrap_or("");
        let inside = rest.split('°').nth(1).unwrap_or("");
        inside.contains('\\') && rest.matches('°').nth(1).is_some()
    }
    fn push(&mut self, length: usize, what: Lexical) {
        let at = self.place..self.place + length;
        self.place = at.end;
        match what {
            Lexical::BraceOpen => self.in_brace = true,
            Lexical::BraceClose => self.in_brace = false,
            _ => {}
        }
        let cuts_no_sign = |mark| matches!(mark, Mark::Square | Mark::Half);
        match what {
            Lexical::Open(mark) | Lexical::Close(mark) if cuts_no_sign(mark) => {}
            Lexical::Flag(_) => self.after_flag = true,
            _ => {
                self.sign.clear();
                self.after_flag = false;
            }
        }
        self.out.push(Lexeme { at, what });
    }

    /// Adds a character to the letters before it, or begins new ones.
    fn letter(&mut self, letter: char) {
        if self.is_mixed(letter) {
            self.push(0, Lexical::Joiner(Joiner::Space));
        } else if self.begins_sign(letter) {
            self.push(0, Lexical::Split);
        }
        self.after_flag = false;
        self.sign.push(letter);
        let end = self.place + letter.len_utf8();
        match self.out.last_mut() {
            Some(Lexeme { at, what: Lexical::Letters }) if at.end == self.place => at.end = end,
            _ => self.out.push(Lexeme { at: self.place..end, what: Lexical::Letters }),
        }
        self.place = end;
    }

    /// Returns `true` for the fraction of a mixed number, `1⅓`, which is the two signs that CDLI and Oracc write `1
    /// 1/3`.
    fn is_mixed(&self, letter: char) -> bool {
        letters::is_fraction(letter)
            && !self.sign.is_empty()
            && self.sign.bytes().all(|byte| byte.is_ascii_digit())
            && !(self.in_brace || self.in_compound || self.qualifier > 0)
    }

    /// Returns `true` if this character begins another sign though there is no joiner before it: `er₂IGI`, `3KAM`,
    /// `1(diš)lu`.
    fn begins_sign(&self, letter: char) -> bool {
        let Some(last) = self.last() else { return false };
        if self.qualifier > 0 || self.in_compound {
            return false;
        }
        let closed =
            last.is_ascii_digit() || letters::is_fraction(last) || letters::is_index(last) || matches!(last, ')' | '|');
        let is_its_index = letters::is_index(letter) || letter.is_ascii_digit();
        (self.after_flag && !(is_its_index && last.is_alphabetic()))
            || (closed && letter.is_alphabetic() && !letters::is_index(letter) && letter != '@')
    }

    /// Reads `|...|` and the parentheses that belong to a sign.
    fn compound_or_qualifier(&mut self, letter: char) -> bool {
        match letter {
            '|' if self.in_compound => {
                self.letter(letter);
                self.in_compound = false;
            }
            '|' if self.qualifier == 0 && self.opens_compound() => {
                if self.last().is_some() {
                    self.push(0, Lexical::Split);
                }
                self.letter(letter);
                self.in_compound = true;
            }
            '|' if self.qualifier == 0 => self.push(1, Lexical::Ignored),
            '(' if self.qualifier > 0 || self.in_compound || self.opens_qualifier() => {
                self.after_flag = false;
                self.letter(letter);
                self.qualifier += usize::from(!self.in_compound);
            }
            ')' if self.in_compound => self.letter(letter),
            ')' if self.qualifier > 0 => {
                self.letter(letter);
                self.qualifier -= 1;
            }
            _ if (self.in_compound || self.qualifier > 0) && is_inside_letter(letter) => self.letter(letter),
            _ => return false,
        }
        true
    }

    /// Returns `true` if the bar here has a partner, with only characters of compound signs between.
    fn opens_compound(&self) -> bool {
        let mut inner = self.rest().chars().skip(1).take(60);
        let mut names = 0;
        for letter in inner.by_ref() {
            match letter {
                '|' => return names > 0,
                '[' | ']' | '⸢' | '⸣' | '(' | ')' => {}
                _ if is_inside_letter(letter) => names += usize::from(letter.is_alphabetic()),
                _ => return false,
            }
        }
        false
    }

    fn opens_qualifier(&self) -> bool {
        let is_number = self.sign.starts_with(|first: char| first.is_ascii_digit() || letters::is_fraction(first))
            || self.sign == "n";
        let has_x = self.sign.ends_with('ₓ') || (self.sign.ends_with('x') && self.sign.len() > 1);
        let is_open = !self.sign.contains('(');
        is_open && (is_number || (has_x && !self.after_flag)) && self.closes_in_word()
    }

    /// Returns `true` if a comma makes the character before it emphatic in C-ATF: `s,`.
    fn follows_emphatic(&self) -> bool {
        let touches = |lexeme: &Lexeme| lexeme.what == Lexical::Letters && lexeme.at.end == self.place;
        self.last().is_some_and(|last| "sthSTH".contains(last)) && self.out.last().is_some_and(touches)
    }

    fn last(&self) -> Option<char> {
        self.sign.chars().next_back()
    }

    /// Returns `true` if the parenthesis that opens here closes within the word.
    fn closes_in_word(&self) -> bool {
        let mut depth = 0_usize;
        for letter in self.rest().chars().take(40) {
            match letter {
                '(' => depth += 1,
                ')' if depth == 1 => return true,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        false
    }

    fn bracket(&mut self, letter: char) -> bool {
        let rest = self.rest();
        let gaps = ["<gap>", "<big_gap>", "<break>"];
        if let Some(gap) = gaps.iter().find(|gap| letter == '<' && starts_with(rest, gap)) {
            self.push(gap.len(), Lexical::Gap);
            return true;
        }
        let (length, what) = match letter {
            '[' => (1, Lexical::Open(Mark::Square)),
            ']' => (1, Lexical::Close(Mark::Square)),
            '⸢' | '⌈' | '˹' | '┌' | '⸤' | '⌊' | '˻' => (letter.len_utf8(), Lexical::Open(Mark::Half)),
            '⸣' | '⌉' | '˺' | '┐' | '⸥' | '⌋' | '˼' => (letter.len_utf8(), Lexical::Close(Mark::Half)),
            '<' if rest.starts_with("<<") => (2, Lexical::Open(Mark::Excised)),
            '<' if rest.starts_with("<(") => (2, Lexical::Open(Mark::Unread)),
            '<' => (1, Lexical::Open(Mark::Omitted)),
            ')' if rest.starts_with(")>") => (2, Lexical::Close(Mark::Unread)),
            '>' if rest.starts_with(">>") => (2, Lexical::Close(Mark::Excised)),
            '>' => (1, Lexical::Close(Mark::Omitted)),
            '«' => (2, Lexical::Open(Mark::Excised)),
            '»' => (2, Lexical::Close(Mark::Excised)),
            '‹' | '⟨' | '〈' => (letter.len_utf8(), Lexical::Open(Mark::Omitted)),
            '›' | '⟩' | '〉' => (letter.len_utf8(), Lexical::Close(Mark::Omitted)),
            '(' if starts_with(rest, "(break)") => ("(break)".len(), Lexical::Gap),
            '(' if self.after_flag && self.closes_in_word() => {
                self.unread = true;
                (1, Lexical::Open(Mark::Unread))
            }
            '(' => (1, Lexical::Open(Mark::Round)),
            ')' if self.unread => {
                self.unread = false;
                (1, Lexical::Close(Mark::Unread))
            }
            ')' => (1, Lexical::Close(Mark::Round)),
            '{' => (1, Lexical::BraceOpen),
            '}' => (1, Lexical::BraceClose),
            _ => return false,
        };
        self.push(length, what);
        true
    }

    /// Reads joiners, dots and dashes.
    fn joint(&mut self, letter: char) -> bool {
        let rest = self.rest();
        let next = rest.chars().nth(1);
        let touches_digit =
            self.last().is_some_and(|last| last.is_ascii_digit()) && next.is_some_and(|next| next.is_ascii_digit());
        let (length, what) = match letter {
            '.' => return self.dots(),
            '…' | '⋯' | '‥' => (letter.len_utf8(), Lexical::Gap),
            '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' => (letter.len_utf8(), Lexical::Joiner(Joiner::Hyphen)),
            '+' => (1, Lexical::Joiner(Joiner::Plus)),
            '/' if touches_digit && !self.after_flag && self.sign.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.letter(letter);
                return true;
            }
            '/' => (1, Lexical::Alternative),
            ':' | '·' | '∙' => (letter.len_utf8(), Lexical::Joiner(Joiner::Dot)),
            ';' | ',' if touches_digit => (1, Lexical::Joiner(Joiner::Dot)),
            _ => return false,
        };
        self.push(length, what);
        true
    }

    /// Reads dots: one dot joins, two or more are a break, and a fourth one before or after a sign joins again.
    fn dots(&mut self) -> bool {
        let rest = self.rest();
        let count = rest.len() - rest.trim_start_matches('.').len();
        if count == 1 {
            self.push(1, Lexical::Joiner(Joiner::Dot));
            return true;
        }
        let before = usize::from(count >= 4 && self.last().is_some());
        if before > 0 {
            self.push(1, Lexical::Joiner(Joiner::Dot));
        }
        self.push(count - before, Lexical::Gap);
        true
    }

    fn other(&mut self, letter: char) {
        let length = letter.len_utf8();
        match letter {
            '_' => self.push(1, Lexical::Logograms),
            '#' | '?' | '!' | '*' | '°' | '†' => self.push(length, Lexical::Flag(letter)),
            ',' if self.follows_emphatic() => self.letter(letter),
            ',' | ';' | '"' | '“' | '”' | '„' => self.push(length, Lexical::Ignored),
            _ if letters::is_raised(letter) && !letter.is_numeric() => self.raised(),
            _ => self.letter(letter),
        }
    }

    /// Reads consecutive raised letters with their digits and accents.
    fn raised(&mut self) {
        let rest = self.rest();
        let mut has_index = false;
        let end = rest
            .char_indices()
            .find(|&(_, letter)| {
                let is_index = letters::is_index(letter) || letters::digit_of_raised(letter).is_some();
                let begins_next = has_index && !is_index;
                has_index |= is_index;
                begins_next || !(letters::is_raised(letter) || is_index || is_combining_mark(letter))
            })
            .map_or(rest.len(), |(place, _)| place);
        self.push(end, Lexical::Raised);
        self.sign.clear();
        self.after_flag = false;
    }
}

/// Returns `true` if the text begins with a determinative in parentheses before its noun: `(d)UTU`.
fn opens_determinative(rest: &str) -> bool {
    let Some(after) = ["(d)", "(m)", "(f)", "(1)"].iter().find_map(|own| rest.strip_prefix(own)) else { return false };
    let noun = after.trim_start_matches([']', '⸣']).chars().next();
    noun.is_some_and(|letter| letter.is_alphabetic() || letter == '(')
}

/// Returns `true` for a cuneiform sign.
fn is_glyph(letter: char) -> bool {
    matches!(letter, '\u{12000}'..='\u{1254f}')
}

/// Returns `true` for characters that join or are operators elsewhere, but are part of the sign inside `|...|` and
/// `1(...)`.
fn is_inside_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '+' | '×' | '&' | '%' | '@' | '|' | ',' | '\'' | '/' | '-' | '~')
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
