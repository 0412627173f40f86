//! Lines of editions that are headings or remarks without an ATF mark, and remarks within a line.

use crate::LineKind;

/// Beginnings of the lines of the catalogue record that CDLI puts before a text.
const CATALOGUE: &[&str] = &[
    "Primary publication",
    "Author(s)",
    "Author",
    "Publication date",
    "Secondary publication(s)",
    "Collection",
    "Museum no.",
    "Accession no.",
    "Provenience",
    "Excavation no.",
    "Period",
    "Dates referenced",
    "Date referenced",
    "Object type",
    "Remarks",
    "Material",
    "Language",
    "Genre",
    "Sub-genre",
    "CDLI comments",
    "Catalogue source",
    "ATF source",
    "Translation",
    "UCLA Library ARK",
    "Composite no.",
    "Seal no.",
    "CDLI no.",
    "Transliteration",
    "Museum",
    "Publication",
    "Copyright",
];

/// Words that head the lines of a surface or column, in the languages of editions, and suffice alone.
const HEADS: &[&str] = &[
    "obv",
    "obverse",
    "rev",
    "reverse",
    "vs",
    "vorderseite",
    "rs",
    "rückseite",
    "edge",
    "rand",
    "tranche",
    "face",
    "revers",
    "column",
    "col",
    "kolumne",
    "kol",
    "colonne",
    "seal",
    "siegel",
    "envelope",
    "hülle",
    "enveloppe",
    "tablet",
    "tafel",
    "side",
    "seite",
    "fragment",
];

/// Words that stand beside a heading word.
const BESIDE_HEADS: &[&str] = &[
    "inner", "outer", "lower", "upper", "left", "right", "top", "bottom", "unterer", "oberer", "linker", "rechter",
    "lo", "up", "le", "ri", "case", "e",
];

/// Words that only a remark has.
const REMARKS: &[&str] = &[
    "erasure",
    "erasures",
    "erased",
    "uninscribed",
    "blank",
    "vacat",
    "broken",
    "break",
    "missing",
    "lost",
    "destroyed",
    "ruling",
    "effaced",
    "illegible",
    "traces",
    "museum",
    "collection",
    "impression",
    "impressions",
    "abgebrochen",
    "unbeschrieben",
    "rasur",
    "lacuna",
    "remainder",
    "beginning",
    "indented",
    "obliterated",
    "zerstört",
    "space",
    "lines",
    "seals",
];

/// Words of remarks that no line of signs has, whatever else it contains.
const STRONG: &[&str] = &[
    "erasure",
    "erasures",
    "uninscribed",
    "illegible",
    "destroyed",
    "museum",
    "collection",
    "impression",
    "impressions",
    "abgebrochen",
    "unbeschrieben",
    "obliterated",
    "remainder",
];

/// Words that stand beside the words of a remark.
const BESIDE: &[&str] = &[
    "a",
    "about",
    "and",
    "are",
    "at",
    "away",
    "beginning",
    "bottom",
    "by",
    "ca",
    "circa",
    "column",
    "completely",
    "double",
    "edge",
    "end",
    "few",
    "here",
    "in",
    "is",
    "least",
    "left",
    "line",
    "lower",
    "most",
    "no",
    "not",
    "obverse",
    "of",
    "off",
    "on",
    "one",
    "only",
    "or",
    "possibly",
    "probably",
    "rest",
    "reverse",
    "right",
    "seal",
    "several",
    "sign",
    "signs",
    "single",
    "some",
    "stamp",
    "surface",
    "tablet",
    "text",
    "the",
    "three",
    "to",
    "top",
    "triple",
    "two",
    "upper",
    "was",
];

/// Returns the kind of a line without an ATF mark; `None` for transliteration.
pub fn unmarked(line: &str) -> Option<LineKind> {
    let line = line.trim();
    let is_record = |key: &&str| line.strip_prefix(*key).is_some_and(|rest| rest.starts_with(':'));
    if CATALOGUE.iter().any(is_record) {
        return Some(LineKind::Comment);
    }
    if is_heading(line) {
        return Some(LineKind::Surface);
    }
    is_remark(line).then_some(LineKind::State)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().map(|word| word.trim_matches(|letter: char| "()[].,:;'’?!<>\"“”".contains(letter)))
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns `true` if the line is nothing but the name of a surface or column: `Obv.`, `Rs. II`, `lower edge:`.
fn is_heading(line: &str) -> bool {
    if line.len() > 40 {
        return false;
    }
    let is_number = |word: &str| {
        word.bytes().all(|letter| letter.is_ascii_digit())
            || word.bytes().all(|letter| "iIvVxX".contains(char::from(letter)))
    };
    let mut heads = 0;
    for word in words(line).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if is_one_of(HEADS, &word) {
            heads += 1;
        } else if !(is_one_of(BESIDE_HEADS, &word) || is_number(&word)) {
            return false;
        }
    }
    heads > 0
}

/// Returns `true` if some words are a remark on the tablet: plain words without hyphen or index.
pub fn is_remark(line: &str) -> bool {
    const MAX_WORDS: usize = 20;
    let is_plain = |word: &str| word.chars().all(|letter| letter.is_ascii_alphanumeric() || "äöüßéèâ".contains(letter));
    let is_number = |word: &str| word.bytes().all(|digit| digit.is_ascii_digit());
    let is_known = |word: &str| is_one_of(REMARKS, word) || is_one_of(BESIDE, word) || is_number(word);
    let count = line.split_whitespace().take(MAX_WORDS + 1).count();
    (1..=MAX_WORDS).contains(&count)
        && words(line).all(is_plain)
        && words(line).any(|word| is_one_of(REMARKS, word))
        && (words(line).all(is_known) || words(line).any(|word| is_one_of(STRONG, word)))
}

/// Returns `true` if a remark says that writing is lost: `3 lines broken`, `(break)`, `rest of obverse missing`.
pub fn speaks_of_a_break(remark: &str) -> bool {
    const LOST: &[&str] =
        &["broken", "break", "missing", "lost", "destroyed", "lacuna", "illegible", "traces", "effaced", "abgebrochen"];
    remark
        .split(|letter: char| !letter.is_alphabetic())
        .any(|word| LOST.iter().any(|lost| lost.eq_ignore_ascii_case(word)))
}

/// Meaning of a remark in parentheses within a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// No sign: it is kept as typed.
    Remark,
    /// Break of unknown length.
    Break,
    /// Number of missing signs.
    Signs(usize),
}

/// Returns the remark that a stretch of a line begins with, and its length: `(erasure)`, `(rest of line broken)`, `($
/// blank $)`, `[3 signs]`, `[. . . .]` without its brackets.
pub fn aside(rest: &str) -> Option<(usize, Aside)> {
    const MAX_CHARACTERS: usize = 80;
    let near = rest.char_indices().nth(MAX_CHARACTERS).map_or(rest, |(end, _)| &rest[..end]);
    if near.starts_with("($") {
        let end = near.find("$)").filter(|end| *end > 1)? + 2;
        return Some((end, Aside::Remark));
    }
    if near.starts_with('(') {
        let end = near.find(')')? + 1;
        let inner = near.get(1..end - 1)?;
        return is_remark(inner).then(|| (end, if speaks_of_a_break(inner) { Aside::Break } else { Aside::Remark }));
    }
    if near.starts_with('[') {
        let end = near.find(']')? + 1;
        return Some((end, missing(near.get(1..end - 1)?)?));
    }
    let dots = near.trim_start_matches(['.', ' ']);
    let run = near[..near.len() - dots.len()].trim_end();
    (run.starts_with(". .") && run.len() >= 3).then_some((run.len(), Aside::Break))
}

/// Returns the meaning of `3 signs`, `ca. 5 signs missing`, `2 lines` in square brackets.
fn missing(inner: &str) -> Option<Aside> {
    const MOST_SIGNS: usize = 40;
    const ABOUT: [&str; 8] = ["ca", "c", "about", "at", "least", "approximately", "etwa", "circa"];
    let mut count = None;
    let mut unit = None;
    for word in words(inner).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        match lower.as_str() {
            "sign" | "signs" | "zeichen" | "signes" => unit = Some(true),
            "line" | "lines" | "zeilen" | "zeile" => unit = Some(false),
            "missing" | "broken" | "lost" | "destroyed" | "abgebrochen" | "fehlen" => {}
            about if ABOUT.contains(&about) => {}
            digits => {
                let first = digits.split(['-', '–']).next()?;
                count = Some(first.parse::<usize>().ok()?);
            }
        }
    }
    match (count?, unit?) {
        (count @ 1..=MOST_SIGNS, true) => Some(Aside::Signs(count)),
        _ => Some(Aside::Break),
    }
}
