//! Third pass: a line becomes lexemes — letters, joiners, brackets, flags — each with its place.

use super::accents::is_combining_mark;
use crate::Joiner;
use crate::letters;
use std::ops::Range;

/// A pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `[ ]`: missing.
    Square,
    /// `⸢ ⸣`: damaged.
    Half,
    /// `< >`: left out by the scribe, supplied by the editor.
    Omitted,
    /// `<< >>`: to be struck out.
    Excised,
    /// `<( )>` and the sign that is named after `!`: not read.
    Unread,
    /// `( )`: doubtful.
    Round,
}

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexical {
    /// Characters of a sign; neighbours belong to one sign unless a [`Lexical::Split`] stands between.
    Letters,
    /// Raised letters: a determinative.
    Raised,
    /// The next letters belong to another sign although nothing is written between.
    Split,
    /// `-`, `.`, `+` and their like.
    Joiner(Joiner),
    /// An opening bracket.
    Open(Mark),
    /// A closing bracket.
    Close(Mark),
    /// `{`.
    BraceOpen,
    /// `}`.
    BraceClose,
    /// `#`, `?`, `!`, `*` after a sign.
    Flag(char),
    /// A break of unknown length.
    Gap,
    /// A break that is only hinted at, by empty or open-ended brackets.
    HintedGap,
    /// `_`: logograms begin or end.
    Logograms,
    /// A mark that separates words and is no sign (`|`, `:`).
    Divider,
    /// Punctuation or a brace without its partner: not read.
    Ignored,
}

/// A lexeme and its place in the cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Kind of the lexeme.
    pub what: Lexical,
}

/// A word of the line: what stands between two spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Its lexemes, as places in the line's list.
    pub lexemes: Range<usize>,
}

/// A line of lexemes.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// All lexemes in order.
    pub lexemes: Vec<Lexeme>,
    /// The words.
    pub tokens: Vec<Token>,
}

/// Scans the body of a text line.
pub fn scan(text: &str, body: Range<usize>) -> Scanned {
    let mut scanned = Scanned::default();
    let line = text.get(body.clone()).unwrap_or("");
    let mut place = 0;
    while let Some(rest) = line.get(place..).filter(|rest| !rest.is_empty()) {
        let spaces = rest.len() - rest.trim_start().len();
        let word = rest.trim_start();
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        if length > 0 {
            let start = body.start + place + spaces;
            let first = scanned.lexemes.len();
            TokenScanner::new(text, start..start + length, &mut scanned.lexemes).run();
            scanned.tokens.push(Token { at: start..start + length, lexemes: first..scanned.lexemes.len() });
        }
        place += spaces + length;
    }
    scanned
}

/// Whether a word of these characters stands between words and is no sign: `|`, `:`, `%sux`.
pub fn is_divider(word: &str) -> bool {
    let is_mark = |letter: char| "|:./*&¦•$=-–—+,;~".contains(letter);
    let is_language =
        |code: &str| matches!(code.len(), 1..=8) && code.bytes().all(|letter| letter.is_ascii_lowercase());
    word.strip_prefix('%').is_some_and(is_language)
        || (matches!(word.len(), 1..=6) && word.chars().all(is_mark) && !word.contains(".."))
}

struct TokenScanner<'a> {
    text: &'a str,
    place: usize,
    end: usize,
    out: &'a mut Vec<Lexeme>,
    /// The sign before this place as far as it is read, brackets and flags not counted.
    sign: String,
    after_flag: bool,
    /// Open parentheses that belong to a sign, as in `1(diš)`.
    qualifier: usize,
    in_compound: bool,
    in_brace: bool,
    unread: bool,
}

impl<'a> TokenScanner<'a> {
    fn new(text: &'a str, at: Range<usize>, out: &'a mut Vec<Lexeme>) -> Self {
        Self {
            text,
            place: at.start,
            end: at.end,
            out,
            sign: String::new(),
            after_flag: false,
            qualifier: 0,
            in_compound: false,
            in_brace: false,
            unread: false,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.place..self.end).unwrap_or("")
    }

    fn run(&mut self) {
        let is_bracket = |letter: char| matches!(letter, '[' | ']' | '⸢' | '⸣');
        let bare = self.rest().trim_start_matches(['[', '⸢']).trim_end_matches([']', '⸣']);
        let divides = is_divider(bare);
        while let Some(letter) = self.rest().chars().next() {
            if divides && !is_bracket(letter) {
                self.push(bare.len(), Lexical::Divider);
            } else if !(self.compound_or_qualifier(letter) || self.bracket(letter) || self.joint(letter)) {
                self.other(letter);
            }
        }
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
        if self.begins_sign(letter) {
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

    /// Whether this character begins another sign though no joiner stands before it: `er₂IGI`, `3KAM`, `1(diš)lu`.
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

    /// `|...|` and the parentheses that belong to a sign.
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

    /// Whether the bar here has a partner, with nothing between but what compound signs are made of.
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

    /// Whether the character before is one that a comma makes emphatic in C-ATF: `s,`.
    fn follows_emphatic(&self) -> bool {
        let touches = |lexeme: &Lexeme| lexeme.what == Lexical::Letters && lexeme.at.end == self.place;
        self.last().is_some_and(|last| "sthSTH".contains(last)) && self.out.last().is_some_and(touches)
    }

    fn last(&self) -> Option<char> {
        self.sign.chars().next_back()
    }

    /// Whether the parenthesis that opens here closes within the word.
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
            '{' if rest.starts_with("{{") => (2, Lexical::Ignored),
            '}' if !self.in_brace && rest.starts_with("}}") => (2, Lexical::Ignored),
            '{' => (1, Lexical::BraceOpen),
            '}' => (1, Lexical::BraceClose),
            _ => return false,
        };
        self.push(length, what);
        true
    }

    /// Joiners, dots and dashes.
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
            ':' | '·' | '∙' | '/' => (letter.len_utf8(), Lexical::Joiner(Joiner::Dot)),
            ';' | ',' if touches_digit => (1, Lexical::Joiner(Joiner::Dot)),
            _ => return false,
        };
        self.push(length, what);
        true
    }

    /// One dot joins, two or more are a break, and the fourth one before or after a sign joins again.
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

    /// A run of raised letters with their digits and accents.
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

/// Characters that join or stand for operators elsewhere, but are part of the sign inside `|...|` and `1(...)`.
fn is_inside_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '+' | '×' | '&' | '%' | '@' | '|' | ',' | '\'' | '/' | '-' | '~')
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
