//! Texts of a corpus as rows of token numbers, cut to the model's window.

use super::signs_row::{CorpusState, Row};
use crate::text::tokens::{self, TokenId, Vocabulary};
use std::collections::HashMap;

/// Fewest signs that make a sequence worth learning from.
const FEWEST: usize = 4;

/// What a token may serve as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Neither learnt nor scored: specials and readings outside the vocabulary.
    Special,
    /// Restored by an editor: learnt, not scored.
    Restored,
    /// Preserved or damaged: learnt and scored.
    Read,
}

/// A stretch of one text, at most a window long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Token numbers.
    pub ids: Vec<TokenId>,
    /// What each may serve as.
    pub kinds: Vec<Kind>,
}

impl Sequence {
    fn push(&mut self, id: TokenId, kind: Kind) {
        self.ids.push(id);
        self.kinds.push(kind);
    }
}

/// Gathers rows into texts, which keep the order of their first rows.
#[derive(Debug)]
pub struct Texts<'a> {
    vocabulary: &'a Vocabulary,
    texts: Vec<Sequence>,
    places: HashMap<String, usize>,
}

impl<'a> Texts<'a> {
    /// No texts yet.
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self { vocabulary, texts: Vec::new(), places: HashMap::new() }
    }

    /// Ends a file: a text of the same number in the next file is another text.
    pub fn end_file(&mut self) {
        self.places.clear();
    }

    /// Adds a line to its text.
    pub fn add(&mut self, row: &Row) {
        let place = self.places.get(row.text).copied().unwrap_or_else(|| {
            let mut text = Sequence::default();
            text.push(tokens::BEGIN, Kind::Special);
            self.texts.push(text);
            self.places.insert(row.text.to_string(), self.texts.len() - 1);
            self.texts.len() - 1
        });
        let Some(text) = self.texts.get_mut(place) else { return };
        for sign in &row.signs {
            let read = || self.vocabulary.id(sign.reading, sign.starts_word);
            let (id, kind) = match sign.state {
                CorpusState::Gap => (tokens::GAP, Kind::Special),
                CorpusState::Illegible if sign.starts_word => (tokens::ILLEGIBLE, Kind::Special),
                CorpusState::Illegible => (tokens::INNER_ILLEGIBLE, Kind::Special),
                CorpusState::Read => (read(), Kind::Read),
                CorpusState::Restored => (read(), Kind::Restored),
            };
            text.push(id, if id == tokens::UNKNOWN { Kind::Special } else { kind });
        }
        text.push(tokens::LINE_END, Kind::Special);
    }

    /// Cuts each text into stretches of `window` tokens and keeps those with signs enough.
    pub fn cut(self, window: usize) -> Vec<Sequence> {
        let window = window.max(1);
        let mut sequences = Vec::new();
        for text in self.texts {
            for (ids, kinds) in text.ids.chunks(window).zip(text.kinds.chunks(window)) {
                if kinds.iter().filter(|kind| **kind != Kind::Special).count() >= FEWEST {
                    sequences.push(Sequence { ids: ids.to_vec(), kinds: kinds.to_vec() });
                }
            }
        }
        sequences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::SPECIALS;

    fn vocabulary() -> Vocabulary {
        let tokens = SPECIALS.iter().copied().chain(["a", "-na", "LUGAL", "šu"]).map(String::from).collect();
        Vocabulary::new(tokens).unwrap_or_else(|message| panic!("{message}"))
    }

    fn add(texts: &mut Texts, id: &str, readings: &str, states: &str, starts: &str) {
        let line = format!("{id}\tOA\takk\t1\t-\t{readings}\t-\t{states}\t{starts}");
        texts.add(&Row::parse(&line).unwrap_or_else(|message| panic!("{message}")));
    }

    #[test]
    fn lines_of_a_text_become_one_row_of_tokens() {
        let vocabulary = vocabulary();
        let mut texts = Texts::new(&vocabulary);
        add(&mut texts, "P1", "a na x ... LUGAL", "PDXGM", "10111");
        add(&mut texts, "P2", "a", "P", "1");
        add(&mut texts, "P1", "šu bad", "PP", "10");
        let sequences = texts.cut(384);
        assert_eq!(sequences.len(), 1, "P2 has too few signs");
        assert_eq!(sequences[0].ids, [8, 10, 11, 5, 4, 12, 7, 13, 1, 7]);
        use Kind::*;
        assert_eq!(
            sequences[0].kinds,
            [Special, Read, Read, Special, Special, Restored, Special, Read, Special, Special]
        );
    }

    #[test]
    fn long_texts_are_cut_and_poor_stretches_dropped() {
        let vocabulary = vocabulary();
        let mut texts = Texts::new(&vocabulary);
        add(&mut texts, "P1", "a na a na a na", "PPPPPP", "101010");
        assert_eq!(texts.cut(5).iter().map(|sequence| sequence.ids.len()).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn a_text_of_the_same_number_in_another_file_is_another() {
        let vocabulary = vocabulary();
        let mut texts = Texts::new(&vocabulary);
        add(&mut texts, "P1", "a na a na", "PPPP", "1010");
        texts.end_file();
        add(&mut texts, "P1", "a na a na", "PPPP", "1010");
        assert_eq!(texts.cut(384).len(), 2);
    }
}
