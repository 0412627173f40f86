//! Conversion of the typed text to the text that the model reads, and of source and translation to names of rows and
//! columns.

use std::ops::Range;
use tuppum_plot::attention::Names;
use tuppum_protocol::attention::AttentionKind;
use tuppum_protocol::translation::{Passage, Scope, passages};
use tuppum_text::Document;
use tuppum_text::bytes::{END, decode, places};
use tuppum_text::parts::{self, Cut, Part};
use tuppum_text::tokens::TokenId;

/// Text with which the maps open.
pub const EXAMPLE: &str = "a-na {d}UTU be-lí-ni";
/// Maximum number of bytes of a text whose maps are drawn, including the end of the sequence.
pub const MAX_BYTES: usize = 512;
/// Name of the column for the decoder's input before it has written anything.
const BEGINNING: &str = "«";

/// Text as the model reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelText {
    /// Lines of the text, joined by spaces.
    pub text: String,
    /// Number of lines left out because the text would have too many bytes.
    pub left_out: usize,
}

/// Reads a typed text as the translator does, up to [`MAX_BYTES`] bytes.
pub fn read(typed: &str) -> ModelText {
    let mut read = ModelText::default();
    for passage in passages(&Document::read(typed), &[], Scope::Lines).iter().map(Passage::as_read) {
        let space = usize::from(!read.text.is_empty());
        if read.left_out > 0 || read.text.len() + space + passage.text.len() >= MAX_BYTES {
            read.left_out += 1;
            continue;
        }
        if space > 0 {
            read.text.push(' ');
        }
        read.text.push_str(&passage.text);
    }
    read
}

/// Rows and columns of a map: bytes and name of each group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// Groups that attend.
    pub rows: Vec<Part>,
    /// Groups that are attended to.
    pub columns: Vec<Part>,
}

impl Groups {
    /// Returns the groups of a map of this kind.
    pub fn of(kind: AttentionKind, source: &str, target: &[TokenId], cut: Cut) -> Self {
        let read = || parts::parts(source, cut);
        match kind {
            AttentionKind::Encoder => Self { rows: read(), columns: read() },
            AttentionKind::Cross => Self { rows: written(target, cut), columns: read() },
            AttentionKind::Decoder => {
                let before = written(target.get(..target.len().saturating_sub(1)).unwrap_or_default(), cut);
                let beginning = Part { bytes: 0..1, name: BEGINNING.to_owned(), has_content: false };
                let later = |part: Part| Part { bytes: part.bytes.start + 1..part.bytes.end + 1, ..part };
                let columns = [beginning].into_iter().chain(before.into_iter().map(later)).collect();
                Self { rows: written(target, cut), columns }
            }
        }
    }

    /// Returns the byte ranges of rows and columns.
    pub fn ranges(&self) -> [Vec<Range<usize>>; 2] {
        [&self.rows, &self.columns].map(|parts| parts.iter().map(|part| part.bytes.clone()).collect())
    }

    /// Returns the names of rows and columns.
    pub fn names(&self) -> Names {
        let names = |parts: &[Part]| parts.iter().map(|part| part.name.clone()).collect();
        Names { rows: names(&self.rows), columns: names(&self.columns) }
    }
}

/// Returns the parts of a translation as ranges of tokens: bytes, or words for any other grouping. Tokens that are no
/// text are named `�`.
fn written(tokens: &[TokenId], cut: Cut) -> Vec<Part> {
    let (text, places) = (decode(tokens), places(tokens));
    let pieces = match cut {
        Cut::Bytes => parts::bytes(&text),
        Cut::Signs | Cut::Words => text.split_whitespace().map(|word| piece(&text, word)).collect(),
    };
    let mut found: Vec<Part> = Vec::new();
    let mut next = 0;
    for part in pieces {
        let (Some(first), Some(last)) = (places.get(part.bytes.start), places.get(part.bytes.end - 1)) else {
            continue;
        };
        between(tokens, next..*first, &mut found);
        next = last + 1;
        found.push(Part { bytes: *first..next, ..part });
    }
    between(tokens, next..tokens.len(), &mut found);
    found
}

fn piece(text: &str, word: &str) -> Part {
    let start = word.as_ptr() as usize - text.as_ptr() as usize;
    Part { bytes: start..start + word.len(), name: word.to_owned(), has_content: true }
}

/// Adds the tokens between pieces: white space, the end, and tokens that are no text.
fn between(tokens: &[TokenId], places: Range<usize>, found: &mut Vec<Part>) {
    for place in places {
        let name = match tokens.get(place) {
            Some(&END) => parts::END,
            Some(token) if decode(&[*token]).trim().is_empty() && !decode(&[*token]).is_empty() => "␣",
            _ => "�",
        };
        found.push(Part { bytes: place..place + 1, name: name.to_owned(), has_content: false });
    }
}

/// Returns a description of a group, such as `“na”`; for one byte of a letter of several bytes it says which byte.
pub fn about(text: &str, part: &Part, cut: Cut) -> String {
    let name = match part.name.as_str() {
        parts::END => return "the end of the text".to_owned(),
        BEGINNING => return "the beginning".to_owned(),
        "␣" => return "a space".to_owned(),
        "�" => return "a token that is not text".to_owned(),
        "·" if text.is_empty() => return "a later byte of a letter".to_owned(),
        name => name,
    };
    let place = part.bytes.start;
    let letter = || text.char_indices().find(|(start, letter)| (*start..start + letter.len_utf8()).contains(&place));
    match letter().filter(|(_, letter)| cut == Cut::Bytes && letter.len_utf8() > 1) {
        Some((start, letter)) => format!("“{letter}”, byte {} of {}", place - start + 1, letter.len_utf8()),
        None => format!("“{name}”"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::bytes::encode;

    fn rows(groups: &Groups) -> String {
        groups.rows.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_example_is_read_in_canonical_form() {
        assert_eq!(read(EXAMPLE), ModelText { text: "a-na {d}UTU be-li₂-ni".into(), left_out: 0 });
        let long = read(&"a-na be-li₂-ia qi₂-bi₂-ma\n".repeat(40));
        assert!(long.text.len() < MAX_BYTES && long.text.len() > MAX_BYTES - 40 && long.left_out > 15, "{long:?}");
        assert_eq!(read("$ 3 lines broken\n[...]"), ModelText::default());
        assert_eq!(read("1(u) 4(disz) GIN2").text, "14 GIN₂", "as the network is given it");
    }

    #[test]
    fn what_is_written_is_cut_into_words_of_tokens() {
        let tokens = encode("to šu  me");
        let groups = Groups::of(AttentionKind::Cross, "a-na", &tokens, Cut::Words);
        assert_eq!(rows(&groups), "to ␣ šu ␣ ␣ me ¶");
        assert_eq!(groups.rows[2].bytes, 3..6, "š has two bytes");
        assert_eq!(groups.columns.iter().map(|part| part.bytes.len()).sum::<usize>(), 5);
        let own = Groups::of(AttentionKind::Decoder, "a-na", &tokens, Cut::Bytes);
        assert_eq!((own.rows.len(), own.columns.len()), (tokens.len(), tokens.len()));
        assert_eq!((own.columns[0].name.as_str(), own.columns[1].name.as_str()), ("«", "t"));
        // Half a letter, and a sentinel token.
        let broken = [60, 3 + 0xC5, 300, 1];
        assert_eq!(rows(&Groups::of(AttentionKind::Cross, "a", &broken, Cut::Signs)), "9 � � ¶");
        assert_eq!(rows(&Groups::of(AttentionKind::Cross, "a", &[], Cut::Signs)), "");
    }

    #[test]
    fn groups_are_told_in_words() {
        let text = "ša₂";
        let told = |cut: Cut, place: usize| about(text, &parts::parts(text, cut)[place], cut);
        assert_eq!(told(Cut::Bytes, 1), "“š”, byte 2 of 2");
        assert_eq!(told(Cut::Bytes, 2), "“a”");
        assert_eq!(told(Cut::Signs, 0), "“ša₂”");
        assert_eq!(told(Cut::Signs, 1), "the end of the text");
    }
}
