//! Texts of a corpus as rows of token numbers, cut to the model's window, and the choice of signs that are masked to
//! measure a model.

use std::collections::HashMap;
use tuppum_corpus::signs_row::{CorpusSign, SignsRow};
use tuppum_domain::restoration;
use tuppum_domain::restoration::scorer::starts_word;
use tuppum_domain::restoration::texts::{CorpusLine, LineSign, Text};
use tuppum_domain::restoration::training::MIN_LEGIBLE_SIGNS;
use tuppum_random::Random;
use tuppum_text::SignState;
use tuppum_text::tokens::{self, INNER_MASK, MASK, SPECIALS, TokenId, Vocabulary};

/// Share of the legible signs that is masked to measure a model.
pub const RATE: f64 = 0.15;
/// Default seed for choosing the masked signs.
pub const SEED: u64 = 7;

/// Use of a token in training and measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Neither learnt nor scored: special tokens and readings outside the vocabulary.
    Special,
    /// Restored by an editor: learnt, not scored.
    Restored,
    /// Preserved or damaged: learnt and scored.
    Read,
}

/// Part of one text, at most a window long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    pub ids: Vec<TokenId>,
    /// Use of each token.
    pub kinds: Vec<TokenKind>,
}

impl Sequence {
    fn push(&mut self, id: TokenId, kind: TokenKind) {
        self.ids.push(id);
        self.kinds.push(kind);
    }
}

/// Collector that groups rows into texts, in the order of their first rows.
#[derive(Debug, Default)]
pub struct TextGatherer {
    texts: Vec<Text>,
    places: HashMap<String, usize>,
}

impl TextGatherer {
    /// Ends a file: a text with the same number in the next file is another text.
    pub fn end_file(&mut self) {
        self.places.clear();
    }

    /// Adds a line to its text.
    pub fn add(&mut self, row: &SignsRow) {
        let place = self.places.get(row.text).copied().unwrap_or_else(|| {
            self.texts.push(Text { name: row.text.to_string(), lines: Vec::new() });
            self.places.insert(row.text.to_string(), self.texts.len() - 1);
            self.texts.len() - 1
        });
        let Some(text) = self.texts.get_mut(place) else { return };
        let mut line = CorpusLine::default();
        for sign in &row.signs {
            let CorpusSign { reading, starts_word, state, .. } = *sign;
            line.push(LineSign { reading, starts_word, state });
        }
        text.lines.push(line);
    }

    /// Returns all texts.
    pub fn into_texts(self) -> Vec<Text> {
        self.texts
    }

    /// Cuts each text into parts of `window` tokens and keeps those with enough signs.
    pub fn cut(self, vocabulary: &Vocabulary, window: usize) -> Vec<Sequence> {
        self.texts.iter().flat_map(|text| sequences(text, vocabulary, window)).collect()
    }
}

/// Returns a text as `<bos>` and its lines with `<br>` after each, cut into parts of `window` tokens; keeps those with
/// enough signs.
pub fn sequences(text: &Text, vocabulary: &Vocabulary, window: usize) -> Vec<Sequence> {
    let mut whole = Sequence::default();
    whole.push(tokens::BEGIN, TokenKind::Special);
    for line in &text.lines {
        for sign in line.signs() {
            let read = || vocabulary.id(sign.reading, sign.starts_word);
            let (id, kind) = match sign.state {
                SignState::Break => (tokens::GAP, TokenKind::Special),
                SignState::Illegible if sign.starts_word => (tokens::ILLEGIBLE, TokenKind::Special),
                SignState::Illegible => (tokens::INNER_ILLEGIBLE, TokenKind::Special),
                SignState::Preserved | SignState::Damaged => (read(), TokenKind::Read),
                SignState::Restored => (read(), TokenKind::Restored),
            };
            // A reading that is spelt like a special token is not that token.
            let is_known = kind == TokenKind::Special || id as usize >= SPECIALS.len();
            if is_known { whole.push(id, kind) } else { whole.push(tokens::UNKNOWN, TokenKind::Special) }
        }
        whole.push(tokens::LINE_END, TokenKind::Special);
    }
    let window = window.max(1);
    let pieces = whole.ids.chunks(window).zip(whole.kinds.chunks(window));
    pieces
        .filter(|(_, kinds)| kinds.iter().filter(|kind| **kind != TokenKind::Special).count() >= MIN_LEGIBLE_SIGNS)
        .map(|(ids, kinds)| Sequence { ids: ids.to_vec(), kinds: kinds.to_vec() })
        .collect()
}

/// Chooses a share of the preserved and damaged signs; equal seeds choose the same signs.
pub fn choose(sequences: &[Sequence], rate: f64, seed: u64) -> Vec<Vec<usize>> {
    let mut random = Random::new(seed);
    let mut chosen = |kind: &TokenKind| *kind == TokenKind::Read && random.uniform() < rate;
    sequences
        .iter()
        .map(|sequence| {
            sequence.kinds.iter().enumerate().filter(|(_, kind)| chosen(kind)).map(|(place, _)| place).collect()
        })
        .collect()
}

/// Masks these places of a sequence, as word starts or not.
pub fn masked(sequence: &Sequence, places: &[usize], starts: &[bool]) -> restoration::Row {
    let mut ids = sequence.ids.clone();
    for (place, starts) in places.iter().zip(starts) {
        if let Some(id) = ids.get_mut(*place) {
            *id = if *starts { MASK } else { INNER_MASK };
        }
    }
    restoration::Row { ids, places: places.to_vec() }
}

/// Masks these places of a sequence, each as word start or not as it stands, and returns the row and the masked tokens.
pub fn masked_as_it_is(
    sequence: &Sequence,
    places: &[usize],
    vocabulary: &Vocabulary,
) -> (restoration::Row, Vec<TokenId>) {
    let targets: Vec<TokenId> = places.iter().filter_map(|place| sequence.ids.get(*place).copied()).collect();
    let starts: Vec<bool> = targets.iter().map(|target| starts_word(vocabulary, *target)).collect();
    (masked(sequence, places, &starts), targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_text::Document;
    use tuppum_text::encode::encode;

    fn vocabulary() -> Vocabulary {
        let tokens = SPECIALS.iter().copied().chain(["a", "-na", "LUGAL", "šu"]).map(String::from).collect();
        Vocabulary::new(tokens).unwrap_or_else(|message| panic!("{message}"))
    }

    fn add(texts: &mut TextGatherer, id: &str, readings: &str, states: &str, starts: &str) {
        let line = format!("{id}\tOA\takk\t1\t-\t{readings}\t-\t{states}\t{starts}");
        texts.add(&SignsRow::parse(&line).unwrap_or_else(|message| panic!("{message}")));
    }

    #[test]
    fn lines_of_a_text_become_one_row_of_tokens() {
        let vocabulary = vocabulary();
        let mut texts = TextGatherer::default();
        add(&mut texts, "P1", "a na x ... LUGAL", "PDXGM", "10111");
        add(&mut texts, "P2", "a", "P", "1");
        add(&mut texts, "P1", "šu bad", "PP", "10");
        let sequences = texts.cut(&vocabulary, 384);
        assert_eq!(sequences.len(), 1, "P2 has too few signs");
        assert_eq!(sequences[0].ids, [8, 10, 11, 5, 4, 12, 7, 13, 1, 7]);
        use TokenKind::*;
        assert_eq!(
            sequences[0].kinds,
            [Special, Read, Read, Special, Special, Restored, Special, Read, Special, Special]
        );
    }

    #[test]
    fn long_texts_are_cut_and_poor_stretches_dropped() {
        let vocabulary = vocabulary();
        let mut texts = TextGatherer::default();
        add(&mut texts, "P1", "a na a na a na", "PPPPPP", "101010");
        assert_eq!(texts.cut(&vocabulary, 5).iter().map(|sequence| sequence.ids.len()).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn a_text_of_the_same_number_in_another_file_is_another() {
        let vocabulary = vocabulary();
        let mut texts = TextGatherer::default();
        add(&mut texts, "P1", "a na a na", "PPPP", "1010");
        texts.end_file();
        add(&mut texts, "P1", "a na a na", "PPPP", "1010");
        assert_eq!(texts.cut(&vocabulary, 384).len(), 2);
    }

    #[test]
    fn a_transliteration_becomes_what_the_restorer_reads() {
        let typed = "&P1234 = x\n1. a-na šu x\n$ 3 lines broken\n$ ruling\n2. LUGAL-x [...] <mask> ku\n";
        let document = Document::read(typed);
        let found = sequences(&Text::of_document("", &document), &vocabulary(), 384);
        assert_eq!(found[0].ids, encode(&document, &vocabulary()).ids);
    }

    #[test]
    fn masks_are_of_the_kind_of_what_stood_there() {
        let sequence = Sequence { ids: vec![8, 10, 11, 12], kinds: vec![TokenKind::Read; 4] };
        let (row, targets) = masked_as_it_is(&sequence, &[1, 2], &vocabulary());
        assert_eq!((row.ids, row.places, targets), (vec![8, MASK, INNER_MASK, 12], vec![1, 2], vec![10, 11]));
    }

    fn numbered() -> Vec<Sequence> {
        let kinds = vec![TokenKind::Special, TokenKind::Read, TokenKind::Restored, TokenKind::Read];
        vec![Sequence { ids: vec![8, 10, 11, 12], kinds }; 2_000]
    }

    #[test]
    fn a_seed_chooses_its_share_of_the_preserved_signs() {
        let chosen = choose(&numbered(), 0.15, 1);
        let count: usize = chosen.iter().map(Vec::len).sum();
        // 4,000 draws at 0.15: 600 ± 4 standard deviations of 22.6.
        assert!((510..=690).contains(&count), "{count}");
        assert!(chosen.iter().flatten().all(|place| *place == 1 || *place == 3));
        assert_eq!(chosen, choose(&numbered(), 0.15, 1));
        assert_ne!(chosen, choose(&numbered(), 0.15, 2));
    }
}
