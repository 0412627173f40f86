//! A translation memory as one file: a pack of attested texts whose lines are the sources, with two more sections, the
//! sources as typed and their translations.

use super::pairs::TranslationMemory;
use crate::attested::PackError;
use crate::attested::{Sections, read_sections, sections_of, write_sections};

const SOURCES: &str = "sources";
const TRANSLATIONS: &str = "translations";

/// The pack of a memory. Line feeds in sources and translations become spaces.
pub fn write(memory: &TranslationMemory) -> Vec<u8> {
    let lines = |of: fn(&TranslationMemory, usize) -> &str| {
        let line = |pair| of(memory, pair).replace(['\n', '\r'], " ") + "\n";
        (0..memory.len()).map(line).collect::<String>().into_bytes()
    };
    let mut sections = sections_of(memory.sources());
    sections.push((SOURCES, lines(TranslationMemory::source)));
    sections.push((TRANSLATIONS, lines(TranslationMemory::target)));
    write_sections(&sections)
}

/// The memory of a pack.
///
/// # Errors
/// When it is no pack of pairs, one of another version, cut off or damaged.
pub fn read(pack: &[u8]) -> Result<TranslationMemory, PackError> {
    let sections = Sections::read(pack)?;
    let sources = read_sections(&sections)?;
    let (typed, translations) = (sections.text(SOURCES)?, sections.text(TRANSLATIONS)?);
    let pairs: Vec<(String, String)> =
        typed.lines().map(str::to_owned).zip(translations.lines().map(str::to_owned)).collect();
    match pairs.len() == sources.line_count() && typed.lines().count() == translations.lines().count() {
        true => Ok(TranslationMemory::of_sources(sources, pairs)),
        false => Err(PackError::Damaged { section: TRANSLATIONS }),
    }
}
