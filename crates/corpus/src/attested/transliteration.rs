//! Converts transliterations into signs of a corpus and attested signs into transliteration, and names the place of
//! their edition.

use super::readings::{BREAK, ILLEGIBLE, Readings};
use super::texts::{AttestedSign, AttestedTexts, TextNumber};
use std::ops::Range;
use tuppum_domain::attested::{EditionPlace, WrittenSign};
use tuppum_domain::restoration::texts::{CorpusLine, Text};
use tuppum_text::{SignState, is_logogram};

/// Returns the signs of a line. A reading that the corpus lacks becomes illegible, since nothing can agree with it.
pub fn asked(line: &CorpusLine, readings: &Readings) -> Vec<AttestedSign> {
    let signs = line.signs().map(|sign| {
        let reading = match sign.state {
            SignState::Break => BREAK,
            SignState::Illegible => ILLEGIBLE,
            SignState::Preserved | SignState::Damaged | SignState::Restored => {
                readings.number(sign.reading).unwrap_or(ILLEGIBLE)
            }
        };
        AttestedSign { reading, starts_word: sign.starts_word }
    });
    signs.collect()
}

impl AttestedTexts {
    /// Returns a stretch as canonical transliteration, with a space between lines.
    pub fn written(&self, signs: Range<usize>) -> String {
        let first = signs.start;
        let write = |place: usize| {
            let WrittenSign { joiner, reading } = self.written_sign(place, (place > first).then(|| place - 1));
            joiner + &reading
        };
        signs.map(write).collect()
    }

    /// Returns a sign as it is written behind the sign at `previous`.
    pub fn written_sign(&self, place: usize, previous: Option<usize>) -> WrittenSign {
        let name = |place: usize| self.readings().name(self.sign(place).reading);
        let begins = self.sign(place).starts_word || self.starts_line(place);
        let joiner = joiner(previous.map(name), name(place), begins).to_owned();
        WrittenSign { joiner, reading: name(place).to_owned() }
    }

    /// Returns the edition of a stretch of a text: id, project, lines and address.
    pub fn edition(&self, number: TextNumber, signs: Range<usize>) -> EditionPlace {
        let Some(text) = self.text(number) else { return EditionPlace::default() };
        let (first, last) = (self.line_at(signs.start), self.line_at(signs.end.saturating_sub(1)));
        let line = match first == last {
            true => self.label(first).to_owned(),
            false => format!("{} to {}", self.label(first), self.label(last)),
        };
        let (id, project) = (text.id.clone(), text.project.to_string());
        EditionPlace { text: id, project, line, address: text.address(), own: text.own }
    }
}

/// Returns the signs of a transliteration as they are written, each with the joiner before it.
pub(crate) fn written_signs(text: &Text) -> Vec<WrittenSign> {
    let mut previous: Option<&str> = None;
    let mut written = Vec::new();
    for sign in text.lines.iter().flat_map(|line| line.signs()) {
        let joiner = joiner(previous, sign.reading, sign.starts_word).to_owned();
        written.push(WrittenSign { joiner, reading: sign.reading.to_owned() });
        previous = Some(sign.reading);
    }
    written
}

/// Returns the joiner between two signs; empty before the first sign.
pub(crate) fn joiner(previous: Option<&str>, name: &str, starts_word: bool) -> &'static str {
    match previous {
        None => "",
        Some(_) if starts_word => " ",
        Some(previous) if name.starts_with('{') || previous.ends_with('}') => "",
        Some(previous) if is_logogram(previous) && is_logogram(name) => ".",
        Some(_) => "-",
    }
}
