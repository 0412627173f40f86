//! Converts a transliteration into signs of a corpus, so that it can be compared with attested texts.

use super::readings::{BREAK, ILLEGIBLE, Readings};
use super::texts::AttestedSign;
use tuppum_tasks::restoration::texts::CorpusLine;
use tuppum_text::SignState;

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
