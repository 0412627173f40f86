//! Numbers at the beginnings of lines, and the marks that make them line numbers.

use std::ops::Range;

/// Words before a line number that are not readings of a sign: surfaces, edges and columns.
const SURE: &[&str] = &[
    "o",
    "o.",
    "r",
    "r.",
    "obv",
    "obv.",
    "rev",
    "rev.",
    "vs",
    "vs.",
    "rs",
    "rs.",
    "rd.",
    "rev!",
    "av.",
    "e.",
    "b.e.",
    "le.",
    "l.e.",
    "lo.",
    "lo.e.",
    "u.e.",
    "r.e.",
    "s.",
    "t.e.",
    "col",
    "col.",
    "kol",
    "kol.",
    "edge",
    "face",
    "seal",
    "side",
    "obverse",
    "reverse",
    "column",
    "lk.",
    "u.",
    "ob.",
    "i'",
    "ii'",
    "iii'",
    "iv'",
    "v'",
    "vi'",
    "vii'",
    "viii'",
    "edge.",
    "rand",
    "s",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "xi",
    "xii",
    "vorderseite",
    "rückseite",
    "tranche",
];

/// Words before a line number that may also be signs or numerals.
const DOUBTFUL: &[&str] = &["e", "le", "i", "x"];

/// Largest number of words before a line number.
const MOST_WORDS: usize = 3;

/// Number at the beginning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Place of the number and the words before it.
    pub at: Range<usize>,
    /// Mark that makes it a line number.
    pub mark: Mark,
    /// Surface or column before the number, if any.
    pub words: String,
    /// Number as a value.
    pub value: u32,
    /// `true` if it is set off by a tab or several spaces.
    pub is_set_off: bool,
}

/// Mark that makes a number at the beginning of a line a line number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Full stop or parentheses, as in ATF.
    Typed,
    /// Prime, or a surface or column before the number.
    Implied,
    /// No mark.
    Bare,
}

/// Returns the number that a text line begins with: `1.`, `3'.`, `(5)`, `o 12.`, `o i 12`, `(o 12)`, and an unmarked
/// `12`.
pub fn label(line: &str) -> Option<Label> {
    let start = line.len() - line.trim_start().len();
    if let Some(label) = in_parentheses(line, start) {
        return Some(label);
    }
    let mut place = start;
    let (mut words, mut is_sure) = (0, false);
    loop {
        let rest = line.get(place..)?;
        let word_end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = rest.get(..word_end)?;
        if let Some(number) = number(word) {
            let after = rest.get(word_end..)?;
            let tabbed = after.starts_with('\t');
            let mark = if number.mark == Mark::Bare && (is_sure || tabbed) { Mark::Implied } else { number.mark };
            return Some(Label {
                at: start..place + word_end,
                mark,
                words: line.get(start..place)?.trim().to_lowercase(),
                value: number.value,
                is_set_off: tabbed || after.starts_with("  "),
            });
        }
        let is_one_of = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        if words == MOST_WORDS || !(is_one_of(SURE) || is_one_of(DOUBTFUL)) {
            return None;
        }
        is_sure |= is_one_of(SURE);
        words += 1;
        let after = rest.get(word_end..)?;
        place += word_end + (after.len() - after.trim_start().len());
    }
}

/// Returns a number with its surface or column in parentheses, `(o 1)`, `(rev. 3')`, `(r.e. 2)`, from `start`.
fn in_parentheses(line: &str, start: usize) -> Option<Label> {
    /// Longest label that is recognised, in bytes.
    const MAX_BYTES: usize = 40;
    let inner = line.get(start..)?.strip_prefix('(')?;
    let length = inner.bytes().take(MAX_BYTES).position(|byte| byte == b')')?;
    let inner = inner.get(..length).filter(|inner| !inner.contains('('))?;
    let end = start + length + "()".len();
    let is_whole = line.get(end..)?.chars().next().is_none_or(char::is_whitespace);
    let label = label(inner).filter(|label| is_whole && label.at.end == inner.trim_end().len())?;
    // `x` is a sign, and parentheses already mark a number alone.
    let has_place = !label.words.is_empty() && label.words.split_whitespace().all(|word| word != "x");
    has_place.then_some(Label { at: start..end, mark: Mark::Typed, ..label })
}

struct Number {
    mark: Mark,
    value: u32,
}

/// Reads a word as a line number.
fn number(word: &str) -> Option<Number> {
    let inner = word.strip_prefix('(').unwrap_or(word);
    let opened = inner.len() < word.len();
    let Single { mut tail, mut primed, value } = single(inner)?;
    // eBL numbers two lines in one as a range: 7-8.
    if let Some(second) = tail.strip_prefix(['-', '–']).and_then(single)
        && matches!(second.tail, "." | ":")
    {
        (tail, primed) = (second.tail, primed || second.primed);
    }
    let mark = match tail {
        "" if opened => return None,
        "" if primed => Mark::Implied,
        "" => Mark::Bare,
        "." | ":" if !opened => Mark::Typed,
        ")" | ".)" => Mark::Typed,
        _ => return None,
    };
    Some(Number { mark, value })
}

struct Single<'a> {
    tail: &'a str,
    primed: bool,
    value: u32,
}

/// Returns the number that a word begins with, `12`, `3'`, `65'a` or `r+1`, and the text after it.
fn single(word: &str) -> Option<Single<'_>> {
    let word = match word.split_once('+') {
        Some((before, after)) if before.len() == 1 && before.as_bytes()[0].is_ascii_alphabetic() => after,
        _ => word,
    };
    let after = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = word.get(..word.len() - after.len()).filter(|digits| (1..=4).contains(&digits.len()))?;
    let after_letter = after.strip_prefix(['a', 'b', 'c', 'd']).unwrap_or(after);
    let tail = after_letter.trim_start_matches(['\'', '’', '′', '″']);
    let primed = tail.len() < after_letter.len();
    let tail = if primed { tail.strip_prefix(['a', 'b', 'c', 'd']).unwrap_or(tail) } else { tail };
    Some(Single { tail, primed, value: digits.parse().ok()? })
}
