//! Parts of a text as byte ranges: its signs and words with the characters between them, its determinatives and their
//! nouns.
//!
//! Parts tile the bytes of a text, plus one place at the end for the end of the sequence that byte-level models read.

use super::{Document, Sign};
use std::ops::Range;

/// Unit that a text is cut into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// Single bytes.
    Bytes,
    /// Signs, and the joiners between them.
    #[default]
    Signs,
    /// Words, and the spaces between them.
    Words,
}

/// Contiguous bytes that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Place of the part in the text.
    pub bytes: Range<usize>,
    /// Short name for a label: `na`, `-`, `␣` for a space, `·` for the later bytes of a letter, `
    ///
    /// ` for the end.
    pub name: String,
    /// `true` for a sign, a word or a byte of one; `false` for the characters between.
    pub has_content: bool,
}

/// Name of the end of the sequence.
pub const END: &str = "¶";

/// Cuts a text into parts, including its end.
pub fn parts(text: &str, cut: Cut) -> Vec<Part> {
    let contents = match cut {
        Cut::Bytes => {
            let whole = signs(text);
            let mut parts = bytes(text);
            for part in &mut parts {
                part.has_content = whole.iter().any(|sign| sign.contains(&part.bytes.start));
            }
            parts.push(end(text.len()));
            return parts;
        }
        Cut::Signs => signs(text),
        Cut::Words => words(text),
    };
    let mut parts = Vec::new();
    let mut place = 0;
    for own in contents {
        between(text, place..own.start, &mut parts);
        place = own.end;
        parts.push(Part { name: text[own.clone()].to_owned(), bytes: own, has_content: true });
    }
    between(text, place..text.len(), &mut parts);
    parts.push(end(text.len()));
    parts
}

fn end(place: usize) -> Part {
    Part { bytes: place..place + 1, name: END.to_owned(), has_content: false }
}

fn between(text: &str, bytes: Range<usize>, parts: &mut Vec<Part>) {
    if !bytes.is_empty() {
        parts.push(Part { name: visible(&text[bytes.clone()]), bytes, has_content: false });
    }
}

/// Makes spaces visible.
fn visible(text: &str) -> String {
    text.chars().map(|letter| if letter.is_whitespace() { '␣' } else { letter }).collect()
}

/// Cuts any text into single bytes, without an end; a letter of several bytes has its name at the first.
pub fn bytes(text: &str) -> Vec<Part> {
    let letter = |(place, letter): (usize, char)| {
        (place..place + letter.len_utf8()).map(move |byte| Part {
            bytes: byte..byte + 1,
            name: if byte == place { visible(letter.encode_utf8(&mut [0; 4])) } else { "·".to_owned() },
            has_content: !letter.is_whitespace(),
        })
    };
    text.char_indices().flat_map(letter).collect()
}

/// Returns the places of the signs of a text.
pub fn signs(text: &str) -> Vec<Range<usize>> {
    let document = Document::read(text);
    in_order(document.signs().map(|sign| sign.span.start..sign.span.end), text)
}

/// Returns the places of the words of a text, including their determinatives and joiners.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let document = Document::read(text);
    in_order(
        of_words(&document).into_iter().filter_map(|word| Some(word.first()?.span.start..word.last()?.span.end)),
        text,
    )
}

fn of_words(document: &Document) -> Vec<Vec<&Sign>> {
    let mut words: Vec<Vec<&Sign>> = Vec::new();
    for sign in document.signs() {
        match words.last_mut().filter(|_| !sign.starts_word()) {
            Some(word) => word.push(sign),
            None => words.push(vec![sign]),
        }
    }
    words
}

/// Keeps the ranges that follow one another and lie on character boundaries of the text.
fn in_order(stretches: impl Iterator<Item = Range<usize>>, text: &str) -> Vec<Range<usize>> {
    let mut place = 0;
    let follows = |own: &Range<usize>| {
        let fits = own.start >= place && own.start < own.end && text.get(own.clone()).is_some();
        if fits {
            place = own.end;
        }
        fits
    };
    stretches.filter(follows).collect()
}

/// Determinative and its noun: the other signs of its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Determined {
    /// Place of the determinative, including its braces.
    pub determinative: Range<usize>,
    /// Places of the noun's signs.
    pub noun: Vec<Range<usize>>,
    /// Determinative and noun as written: `{d}` and `UTU`.
    pub names: [String; 2],
}

/// Returns the determinatives of a text with their nouns. A determinative alone in its word has no noun and is left
/// out.
pub fn determined(text: &str) -> Vec<Determined> {
    let document = Document::read(text);
    let is_determinative = |sign: &Sign| sign.reading().is_some_and(|reading| reading.starts_with('{'));
    let mut found = Vec::new();
    for word in of_words(&document) {
        let bytes = |sign: &Sign| sign.span.start..sign.span.end;
        let noun: Vec<Range<usize>> =
            word.iter().filter(|sign| !is_determinative(sign)).map(|sign| bytes(sign)).collect();
        let (Some(first), Some(last)) = (noun.first(), noun.last()) else { continue };
        let name = text.get(first.start..last.end).unwrap_or_default();
        for sign in word.iter().filter(|sign| is_determinative(sign)) {
            let own = text.get(bytes(sign)).unwrap_or_default();
            let names = [own.to_owned(), name.to_owned()];
            found.push(Determined { determinative: bytes(sign), noun: noun.clone(), names });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "a-na {d}UTU be-li₂-ni";

    fn named(text: &str, cut: Cut) -> String {
        parts(text, cut).into_iter().map(|part| part.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_is_cut_into_signs_words_and_bytes() {
        assert_eq!(named(LINE, Cut::Signs), "a - na ␣ {d} UTU ␣ be - li₂ - ni ¶");
        assert_eq!(named(LINE, Cut::Words), "a-na ␣ {d}UTU ␣ be-li₂-ni ¶");
        assert_eq!(named("ša₂ x", Cut::Bytes), "š · a ₂ · · ␣ x ¶");
        assert_eq!(named("", Cut::Words), "¶");
    }

    #[test]
    fn determinatives_know_their_nouns() {
        let names = |text: &str| determined(text).into_iter().map(|one| one.names.join(" ")).collect::<Vec<_>>();
        assert_eq!(names(LINE), ["{d} UTU"]);
        assert_eq!(names("{m}{d}30-PAP-PAP A-šur{KI} {d} a"), ["{m} 30-PAP-PAP", "{d} 30-PAP-PAP", "{KI} A-šur"]);
        let found = &determined(LINE)[0];
        assert_eq!((&LINE[found.determinative.clone()], &LINE[found.noun[0].clone()]), ("{d}", "UTU"));
    }

    proptest! {
        #[test]
        fn parts_tile_any_text(text in "[a-dkmnu{}A-DKMNU₂₃ₓš. \\-⸢⸣\\[\\]x\n]{0,40}|\\PC{0,30}") {
            for cut in [Cut::Bytes, Cut::Signs, Cut::Words] {
                let mut place = 0;
                for part in parts(&text, cut) {
                    prop_assert_eq!(part.bytes.start, place);
                    place = part.bytes.end;
                }
                prop_assert_eq!(place, text.len() + 1);
            }
        }
    }
}
