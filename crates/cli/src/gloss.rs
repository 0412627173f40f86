//! `tuppum gloss`: lemma, guide word and part of speech under each word of a transliteration.

use super::{corpus, input};
use crate::failure::Result;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tuppum_domain::gloss::{Gloss, GlossedLine, GlossedWord, SpellingMatch, table};
use tuppum_text::Document;

/// Number of lemmata shown under a word.
const SHOWN: usize = 3;
/// Maximum columns of a row of words; a wider word stands alone.
const WIDTH: usize = 100;
/// Separator between the lemmata of a word.
const OR: &str = " | ";

/// Arguments of `tuppum gloss`.
#[derive(Args, Debug)]
pub struct GlossArguments {
    /// File with a transliteration; - for standard input.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// The pack of the lexicon (`tuppum corpus build --lexicon`), or its folder.
    #[arg(long, default_value = "models/corpus")]
    glosses: PathBuf,
    /// Format of the glosses.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Lemmata and guide words under the words of each line, the commonest three.
    #[default]
    Interlinear,
    /// A table with a row for each lemma of each word.
    Tsv,
}

/// Prints the words of every line with their glosses.
///
/// # Errors
/// When the text or the pack cannot be read.
pub fn run(arguments: &GlossArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let glossary = corpus::opened_glosses(&arguments.glosses)?;
    let document = Document::read(&typed);
    let lines = glossary.gloss(&document);
    match arguments.format {
        Format::Interlinear => print!("{}", interlinear(&document, &lines)),
        Format::Tsv => print!("{}", table(&document, &lines)),
    }
    Ok(())
}

/// Renders every line with its label, and its words over their lemmata, guide words and the way in which they were
/// found.
fn interlinear(document: &Document, lines: &[GlossedLine]) -> String {
    let mut out = String::new();
    for line in lines {
        let label = document.lines.get(line.line).and_then(|line| line.label);
        if let Some(label) = label {
            out.push_str(label.of(&document.source).trim());
            out.push('\n');
        }
        let columns: Vec<[String; 4]> = line.words.iter().map(column).collect();
        let mut row: &[[String; 4]] = &columns;
        while !row.is_empty() {
            let (fitting, rest) = row.split_at(fitting(row));
            push_row(&mut out, fitting);
            row = rest;
        }
        out.push('\n');
    }
    out
}

/// Renders a word, its lemmata, and their guide words with parts of speech; if the word was not found as spelt, also
/// how it was found.
fn column(word: &GlossedWord) -> [String; 4] {
    let shown = word.glosses.get(..SHOWN).unwrap_or(&word.glosses);
    let more = word.glosses.len() - shown.len();
    let more = if more > 0 { format!(" +{more}") } else { String::new() };
    let lemmas: Vec<&str> = shown.iter().map(|gloss| gloss.lemma.as_str()).collect();
    let meaning = |gloss: &Gloss| format!("{} {}", gloss.guide_word, gloss.part_of_speech).trim_start().to_owned();
    let meanings: Vec<String> = shown.iter().map(meaning).collect();
    let found = word.found.as_ref().filter(|found| found.by != SpellingMatch::AsSpelt);
    let found = found.map(|found| format!("≈ {} ({})", found.spelling, found.by.name())).unwrap_or_default();
    [word.written.clone(), lemmas.join(OR) + &more, meanings.join(OR), found]
}

/// Returns the width of a column.
fn width(column: &[String; 4]) -> usize {
    column.iter().map(|cell| cell.chars().count()).max().unwrap_or_default()
}

/// Returns the number of columns that fit side by side; at least one.
fn fitting(columns: &[[String; 4]]) -> usize {
    let mut sum = 0;
    let fits = |column: &&[String; 4]| {
        sum += width(column) + 2;
        sum <= WIDTH
    };
    columns.iter().take_while(fits).count().max(1)
}

/// Appends columns side by side, without rows that are empty in all of them.
fn push_row(out: &mut String, columns: &[[String; 4]]) {
    for number in 0..4 {
        let cells = columns.iter().map(|column| (&column[number], width(column)));
        let row: String = cells.map(|(cell, width)| format!("  {cell:width$}")).collect();
        if !row.trim().is_empty() {
            out.push_str(row.trim_end());
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::glosses::{GlossaryBuilder, LexiconRow};

    fn shown(text: &str) -> String {
        let mut builder = GlossaryBuilder::default();
        for (spelling, lemma, guide_word, count) in [
            ("KUR", "mātu", "land", 9),
            ("KUR", "šadû", "mountain", 4),
            ("KUR", "kašādu", "reach", 2),
            ("KUR", "nakru", "foreign", 1),
            ("at-ta", "attā", "you", 3),
            ("{m}KUR", "Mātu", "1", 1),
        ] {
            builder.add(&LexiconRow { spelling, lemma, guide_word, part_of_speech: "N", count });
        }
        let document = Document::read(text);
        interlinear(&document, &builder.build().unwrap().gloss(&document))
    }

    #[test]
    fn lemmata_stand_under_their_words() {
        assert_eq!(
            shown("o 1. KUR x-na\no 2. {m}KUR"),
            "o 1.\n  KUR                            x-na\n  mātu | šadû | kašādu +1\n  \
             land N | mountain N | reach N\n\n\
             o 2.\n  {m}KUR\n  Mātu\n  N\n\n"
        );
    }

    #[test]
    fn what_is_not_as_spelt_is_marked() {
        let shown = shown("a-ta");
        assert!(shown.contains("  ≈ at-ta (doubled letters aside)\n"), "{shown}");
    }

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        let shown = shown(&"KUR ".repeat(20));
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH), "{shown}");
        assert_eq!(shown.matches("KUR").count(), 20);
    }
}
