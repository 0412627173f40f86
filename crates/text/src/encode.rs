//! From a document to the restorer's tokens.

use super::read::speaks_of_a_break;
use super::tokens::{self, TokenId, Vocabulary};
use super::{Document, LineKind, SignIndex, SignKind};

/// A document as the restorer sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Token numbers, `<bos>` first.
    pub ids: Vec<TokenId>,
    /// For each sign of the document its place in `ids`.
    pub places: Vec<usize>,
    /// For each token the sign it stands for; `None` for `<bos>`, `<br>` and breaks told by a `$` line.
    pub signs: Vec<Option<SignIndex>>,
}

impl Encoded {
    fn push(&mut self, id: TokenId, sign: Option<SignIndex>) {
        if sign.is_some() {
            self.places.push(self.ids.len());
        }
        self.ids.push(id);
        self.signs.push(sign);
    }
}

/// Encodes a document as training did: `<bos>`, then each text line with `<br>` behind it. A `$` line that tells of
/// lost writing is a line with one break; every other line that is no transliteration is skipped.
pub fn encode(document: &Document, vocabulary: &Vocabulary) -> Encoded {
    let mut encoded = Encoded::default();
    encoded.push(tokens::BEGIN, None);
    let mut index = 0;
    for line in &document.lines {
        match line.kind {
            LineKind::Text => {}
            LineKind::State if speaks_of_a_break(line.span.of(&document.source)) => {
                encoded.push(tokens::GAP, None);
                encoded.push(tokens::LINE_END, None);
                continue;
            }
            _ => continue,
        }
        for sign in &line.signs {
            let starts = sign.starts_word();
            let id = match &sign.kind {
                SignKind::Reading(reading) => vocabulary.id(reading, starts),
                SignKind::Illegible if starts => tokens::ILLEGIBLE,
                SignKind::Illegible => tokens::INNER_ILLEGIBLE,
                SignKind::Gap => tokens::GAP,
                SignKind::Unreadable => tokens::UNKNOWN,
            };
            encoded.push(id, Some(index));
            index += 1;
        }
        if !line.signs.is_empty() {
            encoded.push(tokens::LINE_END, None);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let own = ["a", "-na", "{d}", "-UTU", "-šu", "LUGAL"];
        Vocabulary::new(tokens::SPECIALS.iter().chain(&own).map(|token| (*token).to_owned()).collect()).unwrap()
    }

    #[test]
    fn encodes_as_training_did() {
        let document =
            Document::read("&P1234 = x\n1. a-na {d}UTU x\n$ 3 lines broken\n$ ruling\n2. LUGAL-x [...] ku\n");
        let encoded = encode(&document, &vocabulary());
        let shown: Vec<String> = encoded.ids.iter().map(|&id| vocabulary().text(id).to_owned()).collect();
        assert_eq!(shown.join(" "), "<bos> a -na {d} -UTU <x> <br> <gap> <br> LUGAL -<x> <gap> <unk> <br>");
        assert_eq!(encoded.places, [1, 2, 3, 4, 5, 9, 10, 11, 12]);
        for (sign, &place) in encoded.places.iter().enumerate() {
            assert_eq!(encoded.signs[place], Some(sign));
        }
        assert_eq!(encoded.signs.iter().flatten().count(), encoded.places.len());
    }

    #[test]
    fn nothing_encodes_to_a_beginning() {
        assert_eq!(encode(&Document::read(""), &vocabulary()).ids, [tokens::BEGIN]);
    }
}
