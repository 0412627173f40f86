//! Gathers rows of signs into texts and builds the index.

use super::readings::{BREAK, ILLEGIBLE, MAX_READINGS, Readings, TEXT_END, TooLarge};
use super::texts::{AttestedSign, AttestedTexts, TextRecord, stored};
use crate::signs_row::SignsRow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use tuppum_text::SignState;

/// A text whose rows are being added.
#[derive(Clone, Debug, Default)]
struct GatheredText {
    record: TextRecord,
    /// Label and signs of each line.
    lines: Vec<(String, Vec<GatheredSign>)>,
}

/// A sign with the builder's number of its reading.
#[derive(Clone, Copy, Debug)]
struct GatheredSign {
    reading: usize,
    starts_word: bool,
    state: u8,
}

/// Gathers rows into texts. The index does not depend on the order of files and texts: texts are sorted by name,
/// readings by frequency.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    texts: BTreeMap<(String, String), GatheredText>,
    file: String,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    glyphs: Vec<BTreeMap<String, u32>>,
    counts: Vec<u32>,
}

impl Builder {
    /// Sets the file that the following rows belong to. Texts with the same number in two files are two texts.
    pub fn begin_file(&mut self, name: &str) {
        self.file = name.to_owned();
    }

    /// Adds a line to the text that it belongs to.
    pub fn add(&mut self, row: &SignsRow) {
        let signs = row
            .signs
            .iter()
            .map(|sign| {
                let reading = match sign.state {
                    SignState::Illegible => usize::from(ILLEGIBLE),
                    SignState::Break => usize::from(BREAK),
                    SignState::Preserved | SignState::Damaged | SignState::Restored => {
                        self.reading(sign.reading, sign.glyph)
                    }
                };
                let state = stored(sign.state);
                GatheredSign { reading, starts_word: sign.starts_word, state }
            })
            .collect();
        let key = (self.file.clone(), row.text.to_owned());
        let text = self.texts.entry(key).or_insert_with(|| GatheredText {
            record: TextRecord {
                id: row.text.to_owned(),
                project: row.project.into(),
                language: row.language.into(),
                ..TextRecord::default()
            },
            lines: Vec::new(),
        });
        text.lines.push((row.line.to_owned(), signs));
    }

    /// Counts an occurrence of a reading and returns the builder's number of it, which lies above the three special
    /// ones.
    fn reading(&mut self, name: &str, glyph: &str) -> usize {
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                self.numbers.insert(name.to_owned(), self.names.len());
                self.names.push(name.to_owned());
                self.glyphs.push(BTreeMap::new());
                self.counts.push(0);
                self.names.len() - 1
            }
        };
        self.counts[number] += 1;
        if !glyph.is_empty() && !glyph.contains(['?', 'x']) {
            *self.glyphs[number].entry(glyph.to_owned()).or_default() += 1;
        }
        number + usize::from(TEXT_END) + 1
    }

    /// Builds the index of all added rows.
    ///
    /// # Errors
    /// Fails if there are more texts or readings than the index has numbers for.
    pub fn build(self) -> Result<AttestedTexts, TooLarge> {
        if self.texts.len() > usize::from(u16::MAX) {
            return Err(TooLarge { what: "texts", most: u16::MAX.into() });
        }
        if self.names.len() + usize::from(TEXT_END) + 1 > MAX_READINGS {
            return Err(TooLarge { what: "readings", most: MAX_READINGS });
        }
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|number| (Reverse(self.counts[*number]), &self.names[*number]));
        // The most frequent readings get the lowest numbers, which take one byte in a pack.
        let mut renumbered: Vec<u16> = (0..=TEXT_END).collect();
        renumbered.resize(renumbered.len() + order.len(), 0);
        for (rank, number) in order.iter().enumerate() {
            renumbered[number + usize::from(TEXT_END) + 1] = rank as u16 + TEXT_END + 1;
        }
        // The most frequent glyph; on a tie the one that sorts first.
        let glyph = |number: usize| {
            let commonest = self.glyphs[number].iter().max_by_key(|(glyph, count)| (**count, Reverse(*glyph)));
            commonest.map(|(glyph, _)| glyph.clone()).unwrap_or_default()
        };
        let readings = Readings::new(order.iter().map(|number| (self.names[*number].clone(), glyph(*number))));
        let mut built = AttestedTexts::with_readings(readings);
        for text in self.texts.into_values() {
            built.push_text(text.record);
            for (label, signs) in text.lines {
                built.push_line(&label);
                for sign in signs {
                    let reading = renumbered[sign.reading];
                    built.push_sign(AttestedSign { reading, starts_word: sign.starts_word }, sign.state);
                }
            }
            built.end_text();
        }
        Ok(built.finish())
    }
}
