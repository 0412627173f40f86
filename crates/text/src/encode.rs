//! Encodes a document as the restorer's tokens.

use super::read::speaks_of_a_break;
use super::tokens::{self, TokenId, Vocabulary};
use super::{Document, LineKind, SignIndex, SignKind};

/// Document as the restorer sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Token numbers; `<bos>` is first.
    pub ids: Vec<TokenId>,
    /// Sign that each token stands for; `None` for `<bos>`, `<br>`, breaks that a `$` line reports and stretches in
    /// other languages.
    pub signs: Vec<Option<SignIndex>>,
}

impl Encoded {
    /// Returns the place of a sign's token; `None` if the sign is left out.
    pub fn place_of(&self, sign: SignIndex) -> Option<usize> {
        self.signs.iter().position(|own| *own == Some(sign))
    }

    fn push(&mut self, id: TokenId, sign: Option<SignIndex>) {
        self.ids.push(id);
        self.signs.push(sign);
    }
}

/// Encodes a document as in training: `<bos>`, then each text line followed by `<br>`. A `$` line that reports lost
/// writing is a line with one break. Every other line that is not transliteration is skipped, and so are lines in a
/// language other than Akkadian. Within a line a stretch in another language is a break.
pub fn encode(document: &Document, vocabulary: &Vocabulary) -> Encoded {
    let mut encoded = Encoded::default();
    encoded.push(tokens::BEGIN, None);
    let mut first = 0;
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
        let before = encoded.ids.len();
        for seen in line.seen_by_models() {
            let Some((place, sign)) = seen else {
                encoded.push(tokens::GAP, None);
                continue;
            };
            let starts = sign.starts_word();
            let id = match &sign.kind {
                SignKind::Reading(reading) => vocabulary.id(reading, starts),
                SignKind::Illegible if starts => tokens::ILLEGIBLE,
                SignKind::Illegible => tokens::INNER_ILLEGIBLE,
                SignKind::Gap => tokens::GAP,
                SignKind::Unreadable => tokens::UNKNOWN,
            };
            encoded.push(id, Some(first + place));
        }
        first += line.signs.len();
        if encoded.ids.len() > before {
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
        let signs: Vec<usize> = encoded.signs.iter().flatten().copied().collect();
        assert_eq!(signs, (0..document.signs().count()).collect::<Vec<_>>());
    }

    #[test]
    fn other_languages_are_left_out() {
        let document = Document::read("1. a-na\n2. %sux lugal x\n3. %sux lugal x & %akk LUGAL-x\n4. a");
        let encoded = encode(&document, &vocabulary());
        let shown: Vec<String> = encoded.ids.iter().map(|&id| vocabulary().text(id).to_owned()).collect();
        assert_eq!(shown.join(" "), "<bos> a -na <br> <gap> LUGAL -<x> <br> a <br>");
        assert_eq!(encoded.signs.iter().flatten().copied().collect::<Vec<_>>(), [0, 1, 6, 7, 8]);
    }

    #[test]
    fn nothing_encodes_to_a_beginning() {
        assert_eq!(encode(&Document::read(""), &vocabulary()).ids, [tokens::BEGIN]);
    }
}
