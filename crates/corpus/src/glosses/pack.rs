//! A lexicon as a pack: lemmata and readings as text, one per line; spellings, each as the number of readings it shares
//! with the one before, the number of new ones, and their numbers; and the lemmata of each spelling.

use super::glossary::Glossary;
use crate::attested::{PackError, Sections, push_number, push_small, take_number, take_small, write_sections};

const LEMMAS: &str = "lemmata";
const READINGS: &str = "readings of the lexicon";
const SPELLINGS: &str = "spellings";
const GLOSSES: &str = "glosses";

/// Returns the pack of a lexicon.
pub fn write(glossary: &Glossary) -> Vec<u8> {
    let mut spellings = Vec::new();
    let mut before: &[u16] = &[];
    for number in 0..glossary.len() {
        let signs = glossary.signs_of(number);
        let shared = signs.iter().zip(before).take_while(|(own, other)| own == other).count();
        push_number(&mut spellings, shared);
        push_number(&mut spellings, signs.len() - shared);
        signs.iter().skip(shared).for_each(|sign| push_small(&mut spellings, *sign));
        before = signs;
    }
    write_sections(&[
        (LEMMAS, glossary.lemmas.clone().into_bytes()),
        (READINGS, glossary.readings.iter().flat_map(|reading| [reading, "\n"]).collect::<String>().into_bytes()),
        (SPELLINGS, spellings),
        (GLOSSES, glossary.glosses.clone()),
    ])
}

/// Reads the lexicon of a pack.
///
/// # Errors
/// Fails if the bytes are not a lexicon, have another version, are cut off or damaged.
pub fn read(pack: &[u8]) -> Result<Glossary, PackError> {
    let sections = Sections::read(pack)?;
    let readings: Vec<String> = sections.text(READINGS)?.lines().map(str::to_owned).collect();
    let mut glossary = Glossary::of_lemmas(sections.text(LEMMAS)?, readings);
    let spellings = sections.bytes(SPELLINGS)?;
    let glosses = sections.bytes(GLOSSES)?;
    let lemmas = glossary.lemma_count();
    let known = glossary.readings.len();
    let mut starts = Starts { glosses: &glosses, place: 0, lemmas };
    let (mut bytes, mut signs) = (spellings.into_iter(), Vec::new());
    while let Some(shared) = take_number(&mut bytes) {
        let damaged = PackError::Damaged { section: SPELLINGS };
        let more = take_number(&mut bytes).ok_or(damaged.clone())?;
        let before = signs.clone();
        signs.truncate(shared);
        for _ in 0..more {
            signs.push(take_small(&mut bytes).filter(|sign| usize::from(*sign) < known).ok_or(damaged.clone())?);
        }
        // Look-up is a binary search, so spellings must be sorted.
        if signs <= before {
            return Err(damaged);
        }
        let start = starts.next().ok_or(PackError::Damaged { section: GLOSSES })?;
        glossary.push_spelling(&signs, start);
    }
    if starts.place != glosses.len() {
        return Err(PackError::Damaged { section: GLOSSES });
    }
    glossary.glosses = glosses;
    Ok(glossary)
}

/// Iterator over the starts of each spelling's lemmata.
struct Starts<'g> {
    glosses: &'g [u8],
    place: usize,
    lemmas: usize,
}

impl Iterator for Starts<'_> {
    type Item = u32;

    /// Returns `None` at the end, and if a number is not a lemma's.
    fn next(&mut self) -> Option<u32> {
        let start = self.place;
        let rest = self.glosses.get(start..)?;
        let mut bytes = rest.iter().copied();
        for _ in 0..take_number(&mut bytes)? {
            let lemma = take_number(&mut bytes)?;
            take_number(&mut bytes)?;
            if lemma >= self.lemmas {
                return None;
            }
        }
        self.place += rest.len() - bytes.len();
        Some(start as u32)
    }
}
