//! Packs attested texts into one file, which is fetched, checked and stored like a model.

use super::readings::{Readings, TEXT_END};
use super::sections::{self, PackError, Sections, push_number, push_small, take_number, take_small};
use super::texts::{AttestedSign, AttestedTexts, TextRecord};
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the pack of these texts.
pub fn write(texts: &AttestedTexts) -> Vec<u8> {
    sections::write(&sections_of(texts))
}

/// Returns the sections of the pack of these texts.
pub(crate) fn sections_of(texts: &AttestedTexts) -> Vec<(&'static str, Vec<u8>)> {
    let readings = &texts.readings;
    let mut names = String::new();
    for reading in TEXT_END + 1..readings.len() as u16 {
        names.push_str(&format!("{}\t{}\n", readings.name(reading), readings.glyph(reading)));
    }
    let mut records = String::new();
    let (mut labels, mut lengths) = (String::new(), Vec::new());
    for (number, text) in texts.texts.iter().enumerate() {
        let next = texts.texts.get(number + 1).map_or(texts.lines.len() as u32, |next| next.first_line);
        let TextRecord { id, project, language, .. } = text;
        records.push_str(&format!("{id}\t{project}\t{language}\t{}\n", next - text.first_line));
        for line in text.first_line..next {
            labels.push_str(texts.label(line as usize));
            labels.push('\n');
            push_number(&mut lengths, texts.signs_of_line(line as usize).len());
        }
    }
    let mut signs = Vec::with_capacity(texts.len() * 3 / 2);
    let mut states = Vec::with_capacity(texts.len());
    for (packed, state) in texts.signs.iter().zip(&texts.states) {
        if AttestedSign::unpacked(*packed).reading == TEXT_END {
            continue;
        }
        push_small(&mut signs, *packed);
        states.push(state & 3);
    }
    vec![
        ("readings", names.into_bytes()),
        ("texts", records.into_bytes()),
        ("labels", labels.into_bytes()),
        ("lengths", lengths),
        ("signs", signs),
        ("states", states),
    ]
}

/// Reads the texts of a pack.
///
/// # Errors
/// Fails if the bytes are not a pack, have another version, are cut off or damaged.
pub fn read(pack: &[u8]) -> Result<AttestedTexts, PackError> {
    read_sections(&Sections::read(pack)?)
}

/// Reads the texts from the sections of a pack.
///
/// # Errors
/// Fails if a section is missing or damaged.
pub(crate) fn read_sections(sections: &Sections) -> Result<AttestedTexts, PackError> {
    let names = sections.text("readings")?;
    let readings =
        names.lines().filter_map(|line| line.split_once('\t')).map(|(name, glyph)| (name.into(), glyph.into()));
    let mut texts = AttestedTexts::with_readings(Readings::new(readings));
    let (records, labels) = (sections.text("texts")?, sections.text("labels")?);
    let (lengths, signs, states) = (sections.bytes("lengths")?, sections.bytes("signs")?, sections.bytes("states")?);
    // Every text ends with one extra sign that marks its end.
    let ends = records.lines().count();
    texts.reserve(states.len() + ends, labels.lines().count(), ends);
    let (mut line_labels, mut lengths) = (labels.lines(), lengths.into_iter());
    let mut signs = signs.into_iter();
    let mut signs = std::iter::from_fn(move || take_small(&mut signs)).zip(states);
    let known = texts.readings.len();
    let mut shared: HashMap<&str, Arc<str>> = HashMap::new();
    for record in records.lines() {
        let [id, project, language, lines] = record.split('\t').collect::<Vec<_>>()[..] else {
            return Err(PackError::Damaged { section: "texts" });
        };
        // A text without lines would be written as one more sign of the line before.
        let lines = lines.parse().ok().filter(|lines: &usize| *lines > 0);
        let lines = lines.ok_or(PackError::Damaged { section: "texts" })?;
        let [project, language] = [project, language].map(|name| shared.entry(name).or_insert(name.into()).clone());
        texts.push_text(TextRecord { id: id.to_owned(), project, language, ..TextRecord::default() });
        for _ in 0..lines {
            texts.push_line(line_labels.next().ok_or(PackError::Damaged { section: "labels" })?);
            for _ in 0..take_number(&mut lengths).ok_or(PackError::Damaged { section: "lengths" })? {
                let (packed, state) = signs.next().ok_or(PackError::Damaged { section: "signs" })?;
                let sign = AttestedSign::unpacked(packed);
                if usize::from(sign.reading) >= known || sign.reading == TEXT_END || state > 3 {
                    return Err(PackError::Damaged { section: "signs" });
                }
                texts.push_sign(sign, state);
            }
        }
        texts.end_text();
    }
    if texts.texts.len() > usize::from(u16::MAX) {
        return Err(PackError::Damaged { section: "texts" });
    }
    // Free the unpacked sections before the places of the signs take as much memory.
    drop((signs, records, labels));
    Ok(texts.finish())
}
