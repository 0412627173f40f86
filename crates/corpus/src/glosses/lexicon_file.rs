//! Reads tables of spellings with their lemmata, plain or packed with xz.

use crate::error::{CorpusError, CorpusProblem};
use crate::signs_file::text_of;
use std::path::Path;

/// Columns of a lexicon, in order.
const HEADER: &str = "spelling\tlemma\tguide_word\tpos\tnormalization\tcount";

/// Row of a lexicon: a spelling, one of its lemmata, and the count of both together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexiconRow<'a> {
    /// Word as written, in Oracc's conventions.
    pub spelling: &'a str,
    /// Lemma or name.
    pub lemma: &'a str,
    /// Guide word; for a name mostly a number.
    pub guide_word: &'a str,
    /// Oracc's letters for the part of speech.
    pub part_of_speech: &'a str,
    /// Number of words with this spelling and lemma.
    pub count: u32,
}

/// Calls `on_row` for each row of a lexicon.
///
/// # Errors
/// Names the line if the header or a row is wrong.
pub fn for_each_entry(path: &Path, mut on_row: impl FnMut(&LexiconRow)) -> Result<(), CorpusError> {
    let text = text_of(path)?;
    let mut lines = text.lines().enumerate();
    match lines.next() {
        Some((_, header)) if header == HEADER => {}
        Some((_, header)) => {
            let problem = CorpusProblem::LexiconHeader { expected: HEADER, found: header.to_owned() };
            return Err(CorpusError::in_line(path, 1, problem));
        }
        None => return Err(CorpusError::in_line(path, 1, CorpusProblem::Empty)),
    }
    for (number, line) in lines {
        on_row(&entry(line).map_err(|problem| CorpusError::in_line(path, number + 1, problem))?);
    }
    Ok(())
}

fn entry(line: &str) -> Result<LexiconRow<'_>, CorpusProblem> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [spelling, lemma, guide_word, part_of_speech, _, count] = cells[..] else {
        return Err(CorpusProblem::Columns { named: HEADER.split('\t').count(), found: cells.len() });
    };
    let count = count.parse().map_err(|_| CorpusProblem::Count(count.to_owned()))?;
    Ok(LexiconRow { spelling, lemma, guide_word, part_of_speech, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, u32)>, CorpusError> {
        let folder = tuppum_testing::TemporaryFolder::new("lexicon-file");
        let path = folder.join("forms.tsv");
        std::fs::write(&path, text).unwrap();
        let mut rows = Vec::new();
        for_each_entry(&path, |row| rows.push((format!("{} {}", row.spelling, row.guide_word), row.count)))?;
        Ok(rows)
    }

    #[test]
    fn rows_are_read_and_wrong_ones_named() {
        let good = format!("{HEADER}\nLUGAL\tšarru\tking\tN\tšarri\t7118\n");
        assert_eq!(read(&good).unwrap(), [("LUGAL king".to_owned(), 7118)]);
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert!(message("spelling\tlemma\n").contains("line 1: the first line must name the columns"));
        assert!(message(&format!("{good}MAN\tšarru\n")).contains("line 3: the first line names 6 columns"));
        assert!(message(&good.replace("7118", "many")).contains("line 2: \"many\" is no count"));
        assert!(message("").contains("line 1: the file is empty"));
    }
}
