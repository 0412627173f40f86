//! Words of a transliteration with their entries in a lexicon: lemma, guide word and part of speech; also as a table
//! for a spreadsheet. Plain data; the lexicon is in `corpus`.

pub(crate) mod spelling_match;

pub use spelling_match::{SpellingMatch, part_of_speech};

use crate::names::WordName;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use tuppum_text::{Document, Span, table_cell};

/// A line of a transliteration with the glosses of its words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlossedLine {
    /// Number of the line among all lines of the transliteration, from 0.
    pub line: usize,
    /// Words in order, including those without a gloss.
    pub words: Vec<GlossedWord>,
}

/// A word with its entries in the lexicon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlossedWord {
    /// Place in the source, from the first character of the first sign to the last of the last.
    pub span: Span,
    /// Word in canonical transliteration.
    pub written: String,
    /// `true` if every sign can be read. Other words are not looked up.
    pub is_legible: bool,
    /// `true` if the word consists of numerals only, determinatives aside. Without a determinative it is a number and
    /// not looked up; with one (`{d}30`) it may still be a number.
    pub is_numeral: bool,
    /// Spelling found in the lexicon; `None` if there is none.
    pub found: Option<FoundSpelling>,
    /// Lemmata under that spelling, most frequent first.
    pub glosses: Vec<Gloss>,
    /// Name that the word is or may be, if names were requested.
    pub name: Option<WordName>,
}

impl GlossedWord {
    /// Returns `true` for a number: numerals without a determinative. `{d}30` is the moon god.
    pub fn is_number(&self) -> bool {
        self.is_numeral && !self.written.contains('{')
    }
}

/// Spelling of the lexicon under which a word was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSpelling {
    /// Spelling; of several equally near ones the most frequent.
    pub spelling: String,
    /// Relation of the spelling to the word as it is written.
    pub by: SpellingMatch,
}

/// A lemma of a lexicon with its frequency in this spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gloss {
    /// Lemma (`šarru`) or name (`Šamaš`).
    pub lemma: String,
    /// Guide word in English (`king`); may be empty, above all for names.
    pub guide_word: String,
    /// Oracc's letters for the part of speech (`N`, `V`, `PN`), which [`part_of_speech`] puts into words.
    pub part_of_speech: String,
    /// Number of words of the lexicon's corpus with this spelling and lemma.
    pub count: u32,
}

/// First line of the table.
const HEADER: &str = "line\tword\tspelling\tlemma\tguide_word\tpart_of_speech\tcount\tfound_as\thow_found\n";

/// Writes the glosses of a transliteration as TSV. A word without gloss has one row with empty later cells; lines have
/// their label, or their number from 1.
pub fn table(document: &Document, lines: &[GlossedLine]) -> String {
    let mut table = HEADER.to_owned();
    for line in lines {
        let label = document.lines.get(line.line).and_then(|line| line.label_in(&document.source));
        let label = label.map_or_else(|| (line.line + 1).to_string(), str::to_owned);
        for (number, word) in line.words.iter().enumerate() {
            let start = format!("{}\t{}\t{}", table_cell(&label), number + 1, table_cell(&word.written));
            push_rows(&mut table, &start, word);
        }
    }
    table
}

/// Appends the rows of a word, which begin alike.
fn push_rows(table: &mut String, start: &str, word: &GlossedWord) {
    let Some(found) = word.found.as_ref().filter(|_| !word.glosses.is_empty()) else {
        // Writing into a string never fails.
        let _ = writeln!(table, "{start}\t\t\t\t\t\t");
        return;
    };
    for Gloss { lemma, guide_word, part_of_speech, count } in &word.glosses {
        let [lemma, guide_word, part_of_speech] = [lemma, guide_word, part_of_speech].map(|text| table_cell(text));
        let _ = writeln!(
            table,
            "{start}\t{lemma}\t{guide_word}\t{part_of_speech}\t{count}\t{}\t{}",
            table_cell(&found.spelling),
            found.by.name()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lemma_has_a_row_and_every_row_nine_cells() {
        let document = Document::read("o 3. LUGAL\n\tx-na");
        let gloss = |lemma: &str, guide_word: &str| Gloss {
            lemma: lemma.into(),
            guide_word: guide_word.into(),
            part_of_speech: "N".into(),
            count: 7,
        };
        let word = |written: &str, glosses: Vec<Gloss>| GlossedWord {
            span: Span { start: 5, end: 10 },
            written: written.into(),
            is_legible: true,
            is_numeral: false,
            found: Some(FoundSpelling { spelling: "MAN".into(), by: SpellingMatch::OtherReading }),
            glosses,
            name: None,
        };
        let lines = [
            GlossedLine { line: 0, words: vec![word("LUGAL", vec![gloss("šarru", "king"), gloss("malku", "a\tb")])] },
            GlossedLine { line: 1, words: vec![word("x-na", Vec::new())] },
        ];
        let table = table(&document, &lines);
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split('\t').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 9), "{table}");
        assert_eq!(rows[1], ["o 3", "1", "LUGAL", "šarru", "king", "N", "7", "MAN", "same signs, other reading"]);
        assert_eq!((rows[2][4], rows[3][0], rows[3][3]), ("a b", "2", ""));
    }
}
