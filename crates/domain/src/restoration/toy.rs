//! For tests: a model and a knowledge small enough to enumerate.

use super::joint::Ground;
use super::knowledge::{Knowledge, PlaceEvidence};
use super::template::{Slot, Template, Unit};
use super::{Boundary, Logits, Proposal, Row, Scorer, Variant};
use tuppum_text::SignIndex;
use tuppum_text::tokens::{INNER_MASK, LINE_END, MASK, SPECIALS, TokenId, Vocabulary};

/// Readings of the toy vocabulary; the first two are one proposal, so that there are five.
pub const READINGS: [&str; 6] = ["a", "A", "b", "c", "d", "e"];

/// Returns six readings behind the specials, at the start of a word and inside one; `a` and `A` are one proposal.
pub fn vocabulary() -> Vocabulary {
    let mut tokens: Vec<String> = SPECIALS.map(String::from).to_vec();
    tokens.extend(READINGS.map(String::from));
    tokens.extend(READINGS.map(|reading| format!("-{reading}")));
    Vocabulary::new(tokens).unwrap_or_else(|error| panic!("{error}"))
}

/// A model whose logits depend on every token of the row and on the place, and mean nothing.
#[derive(Default)]
pub struct ToyScorer {
    /// Rows of every call.
    pub calls: Vec<Vec<Row>>,
    /// Number of calls after which the scorer fails.
    pub fails_after: Option<usize>,
    /// Number of rows requested at a time; 0 for all.
    pub at_once: usize,
}

impl ToyScorer {
    /// Returns the number of rows requested so far.
    pub fn rows(&self) -> usize {
        self.calls.iter().map(Vec::len).sum()
    }
}

/// Returns the logits of a place in a row: a hash of both, spread over -3 to 3.
pub fn toy_logits(row: &Row, place: usize, size: usize) -> Vec<f32> {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15 ^ place as u64;
    for &id in &row.ids {
        state = (state ^ u64::from(id)).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
    }
    let mut logit = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 6.0
    };
    (0..size).map(&mut logit).collect()
}

impl Scorer for ToyScorer {
    type Error = &'static str;

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Logits>, Self::Error> {
        assert!(!rows.is_empty(), "a call without rows");
        if self.fails_after == Some(self.calls.len()) {
            return Err("cancelled");
        }
        for row in rows {
            assert!(!row.places.is_empty() && row.places.is_sorted(), "{row:?}");
            assert!(row.places.iter().all(|&place| [MASK, INNER_MASK].contains(&row.ids[place])), "{row:?}");
        }
        self.calls.push(rows.to_vec());
        let size = vocabulary().len();
        Ok(rows.iter().map(|row| row.places.iter().map(|&place| toy_logits(row, place, size)).collect()).collect())
    }

    fn rows_at_once(&self) -> usize {
        if self.at_once == 0 { usize::MAX } else { self.at_once }
    }
}

/// Knowledge that says the same about every boundary.
pub struct ToyKnowledge {
    /// Probability of a word start anywhere but at a line's beginning.
    pub word_start: f32,
}

impl Knowledge for ToyKnowledge {
    fn proposals(&self, evidence: &PlaceEvidence, top: usize) -> Vec<Proposal> {
        let vocabulary = vocabulary();
        let mut found: Vec<Proposal> = Vec::new();
        let mixed = evidence.start.is_some() && evidence.inside.is_some();
        for (logits, starts_word) in [(evidence.start, true), (evidence.inside, false)] {
            let Some(logits) = logits else { continue };
            let kind = if starts_word { evidence.word_start } else { 1.0 - evidence.word_start };
            let weight = if mixed { kind } else { 1.0 };
            let of_kind = |id: &TokenId| vocabulary.reading(*id).is_some_and(|(_, starts)| starts == starts_word);
            let ids: Vec<TokenId> = (0..vocabulary.len() as TokenId).filter(of_kind).collect();
            let sum: f32 = ids.iter().map(|&id| logits[id as usize].exp()).sum();
            for id in ids {
                let reading = vocabulary.reading(id).map_or("", |(reading, _)| reading);
                if !reading.to_lowercase().starts_with(&evidence.traces.starts_with) {
                    continue;
                }
                let probability = weight * logits[id as usize].exp() / sum;
                add(&mut found, reading, starts_word, probability);
            }
        }
        found.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        found.truncate(top);
        found
    }

    fn word_start(&self, previous: TokenId, _next: TokenId) -> f32 {
        if previous == LINE_END { 1.0 } else { self.word_start }
    }

    fn log_length(&self, length: usize) -> f32 {
        -(length as f32)
    }

    fn expected_log_probability(&self, length: usize) -> f32 {
        -2.0 * length as f32
    }
}

fn add(found: &mut Vec<Proposal>, reading: &str, starts_word: bool, probability: f32) {
    let variant = Variant { reading: reading.into(), starts_word, probability };
    if let Some(known) = found.iter_mut().find(|known| known.reading.eq_ignore_ascii_case(reading)) {
        known.probability += probability;
        known.variants.push(variant);
        known.variants.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        known.reading = known.variants[0].reading.clone();
        known.starts_word = known.variants[0].starts_word;
        return;
    }
    found.push(Proposal {
        reading: reading.into(),
        written: format!("written {reading}"),
        glyph: String::new(),
        sign_name: String::new(),
        starts_word,
        probability,
        variants: vec![variant],
    });
}

/// Creates a template from letters: `u` a unit (each a gap of its own), `s` one where a word starts, `i` one inside a
/// word, `g` a break, `/` a line's end, `a` a token.
pub fn template(text: &str) -> Template {
    let mut template = Template::default();
    let mut gap = 0;
    for letter in text.chars() {
        let mut unit = Unit::unknown(gap);
        match letter {
            'u' => template.push_unit(unit),
            's' | 'i' => {
                unit.boundary = if letter == 's' { Boundary::WordStart } else { Boundary::Inside };
                template.push_unit(unit);
            }
            'g' => template.slots.push(Slot::Break(gap)),
            '/' => template.push_token(LINE_END),
            _ => template.push_token(SPECIALS.len() as TokenId),
        }
        gap += usize::from("usig".contains(letter));
    }
    template
}

/// Runs `body` on the ground of a template; gap `n` is sign `n`.
pub fn on_ground<T>(template: &Template, word_start: f32, body: impl FnOnce(&Ground<'_, ToyKnowledge>) -> T) -> T {
    let signs: Vec<SignIndex> = (0..template.slots.len()).collect();
    let (knowledge, vocabulary) = (ToyKnowledge { word_start }, vocabulary());
    body(&Ground { template, signs: &signs, knowledge: &knowledge, vocabulary: &vocabulary })
}
