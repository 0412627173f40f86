//! A translation memory as a pack: a pack of attested texts whose lines are the sources, with two more sections, the
//! sources as typed and their translations.

use super::compact::Lines;
use super::pairs::TranslationMemory;
use super::words::Words;
use crate::attested::PackError;
use crate::attested::{Sections, read_sections, sections_of, write_sections};

const SOURCES: &str = "sources";
const TRANSLATIONS: &str = "translations";

/// Returns the pack of a memory.
pub fn write(memory: &TranslationMemory) -> Vec<u8> {
    let [typed, translations] = memory.lines().map(|lines| lines.text().as_bytes().to_vec());
    let mut sections = sections_of(memory.sources());
    sections.push((SOURCES, typed));
    sections.push((TRANSLATIONS, translations));
    write_sections(&sections)
}

/// Reads the memory of a pack.
///
/// # Errors
/// Fails if the bytes are not a pack of pairs, have another version, are cut off or damaged.
pub fn read(pack: &[u8]) -> Result<TranslationMemory, PackError> {
    let sections = Sections::read(pack)?;
    let typed = Lines::of(sections.text(SOURCES)?);
    let translations = Lines::of(sections.text(TRANSLATIONS)?);
    // Collecting the words needs the most memory, so it comes before the sources take theirs.
    let words = Words::new(&typed, &translations);
    let sources = read_sections(&sections)?;
    match typed.len() == sources.line_count() && translations.len() == sources.line_count() {
        true => Ok(TranslationMemory::of_parts(sources, typed, translations, words)),
        false => Err(PackError::Damaged { section: TRANSLATIONS }),
    }
}
