//! The user's own texts behind the edited ones, added and removed while the index is in use.

use super::readings::{MAX_READINGS, TEXT_END, TooLarge};
use super::texts::{AttestedSign, AttestedTexts, BLOCK, TextNumber, TextRecord, asked, stored};
use std::collections::BTreeSet;
use tuppum_domain::restoration::texts::CorpusLine;
use tuppum_text::signs::SignList;

/// Id of a text whose lines are the spellings of a list of names. Such a text is never a copy of another text.
pub const NAME_LIST: &str = "names";

/// A text of the user's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnText {
    /// Name of the archive that contains the text.
    pub archive: String,
    /// Number by which the text names itself, or its place in the archive.
    pub id: String,
    /// Label and signs of each line.
    pub lines: Vec<(String, CorpusLine)>,
}

impl AttestedTexts {
    /// Puts the user's own texts behind the edited ones, replacing earlier texts of the user. New readings are numbered
    /// behind the known ones.
    ///
    /// # Errors
    /// Fails if there are more texts or readings than numbers for them; the index then holds no text of the user's.
    pub fn set_own(&mut self, own: &[OwnText]) -> Result<(), TooLarge> {
        self.drop_own();
        let outcome = self.push_own(own);
        self.sort();
        outcome
    }

    /// Returns the user's own text that equals these signs: same length, and no legible sign differs.
    pub fn own_copy(&self, signs: &[AttestedSign]) -> Option<TextNumber> {
        let agrees = |number: &TextNumber| {
            let places = self.signs_of(*number);
            let readable = |sign: &AttestedSign| sign.reading > TEXT_END;
            places.len() == signs.len()
                && signs.iter().any(readable)
                && places.zip(signs).all(|(place, sign)| {
                    let own = self.sign(place);
                    !readable(&own) || !readable(sign) || self.class(place) == self.readings.class(sign.reading)
                })
        };
        let is_own = |text: &TextRecord| text.own && text.id != NAME_LIST;
        let mut own = self.texts.iter().zip(0..).filter(|(text, _)| is_own(text)).map(|(_, number)| number);
        own.find(agrees)
    }

    /// Marks all texts as the user's own.
    pub(crate) fn mark_own(&mut self) {
        self.texts.iter_mut().for_each(|text| text.own = true);
    }

    fn push_own(&mut self, own: &[OwnText]) -> Result<(), TooLarge> {
        if self.texts.len() + own.len() > usize::from(u16::MAX) {
            return Err(TooLarge { what: "texts", most: u16::MAX.into() });
        }
        self.add_readings(own)?;
        let signs: usize = own.iter().flat_map(|text| &text.lines).map(|(_, line)| line.states.len()).sum();
        self.reserve(signs + own.len(), own.iter().map(|text| text.lines.len()).sum(), own.len());
        for text in own {
            let (id, project) = (text.id.clone(), text.archive.as_str().into());
            self.push_text(TextRecord { id, project, own: true, ..TextRecord::default() });
            for (label, line) in &text.lines {
                self.push_line(label);
                for (sign, read) in asked(line, &self.readings).into_iter().zip(line.signs()) {
                    self.push_sign(sign, stored(read.state));
                }
            }
            self.end_text();
        }
        Ok(())
    }

    /// Numbers readings that have no number yet, in the order of their names.
    fn add_readings(&mut self, own: &[OwnText]) -> Result<(), TooLarge> {
        let signs = own.iter().flat_map(|text| &text.lines).flat_map(|(_, line)| line.signs());
        let legible = signs.filter(|sign| sign.state.is_legible()).map(|sign| sign.reading);
        // A name that begins with `<` or `-` stands for a sign that no convention can read, so it is not a reading.
        let is_new = |name: &&str| !name.starts_with(['<', '-']) && self.readings.number(name).is_none();
        let new: BTreeSet<&str> = legible.filter(is_new).collect();
        if self.readings.len() + new.len() > MAX_READINGS {
            return Err(TooLarge { what: "readings", most: MAX_READINGS });
        }
        if !new.is_empty() {
            let others = new.into_iter().map(|name| (name.to_owned(), glyph(name)));
            self.readings = self.readings.with_others(self.readings.len(), others);
        }
        Ok(())
    }

    /// Removes the user's own texts. The caller must call `sort` afterwards to find the places of signs again.
    fn drop_own(&mut self) {
        let edited = self.texts.iter().position(|text| text.own).unwrap_or(self.texts.len());
        let Some((first, signs)) = self.texts.get(edited).zip(self.first_signs.get(edited)) else { return };
        let (signs, lines) = (*signs as usize, first.first_line as usize);
        self.texts.truncate(edited);
        self.first_signs.truncate(edited);
        self.signs.truncate(signs);
        self.states.truncate(signs);
        self.block_texts.truncate(signs.div_ceil(BLOCK));
        self.lines.truncate(lines);
        self.labels.truncate(lines);
        // Readings that only the user's own texts had are numbered last, so dropping all above the highest in use drops
        // them.
        let known = self.signs.iter().map(|packed| AttestedSign::unpacked(*packed).reading).max().unwrap_or(TEXT_END);
        self.readings = self.readings.with_others(usize::from(known.max(TEXT_END)) + 1, []);
    }
}

/// Returns the glyph that the sign list gives a reading, so that other readings of the same sign are recognised.
pub(crate) fn glyph(reading: &str) -> String {
    SignList::shared().sign_of(reading).map(|entry| entry.glyph.into_owned()).unwrap_or_default()
}
