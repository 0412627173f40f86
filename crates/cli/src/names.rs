//! `tuppum names`: the names of a transliteration, and what each may be of.

use super::{corpus, input};
use crate::failure::{About, Result};
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_corpus::names::{NameModel, names};
use tuppum_tasks::names::{FoundName, NameEvidence};
use tuppum_text::{Document, table_cell};

/// How many kinds of a name are told.
const SHOWN: usize = 3;
/// Kinds that are less likely are not told behind others.
const LEAST: f32 = 0.01;

/// Arguments of `tuppum names`.
#[derive(Args, Debug)]
pub struct NamesArguments {
    /// File with a transliteration; - for standard input.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// The pack of the lexicon (`tuppum corpus build --lexicon`), or its folder.
    #[arg(long, default_value = "models/corpus")]
    glosses: PathBuf,
    /// The model for words that the lexicon has not (`tuppum hybonet name-kinds --model`).
    #[arg(long, default_value = "assets/names/names.pack")]
    model: PathBuf,
    /// How names are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A line for each name.
    #[default]
    Lines,
    /// A table with a row for each kind of each name.
    Tsv,
}

/// Prints the names of a text.
///
/// # Errors
/// When the text, the lexicon or the model cannot be read.
pub fn run(arguments: &NamesArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let glossary = corpus::opened_glosses(&arguments.glosses)?;
    let model = NameModel::read(&std::fs::read(&arguments.model).cannot("be read", &arguments.model)?)?;
    let document = Document::read(&typed);
    let found = names(&glossary.gloss(&document), &model);
    match arguments.format {
        Format::Lines => print!("{}", lines(&document, &found)),
        Format::Tsv => print!("{}", table(&document, &found)),
    }
    Ok(())
}

/// The label of a name's line, or its number.
fn label(document: &Document, name: &FoundName) -> String {
    let label = document.lines.get(name.line).and_then(|line| line.label_in(&document.source));
    label.map_or_else(|| (name.line + 1).to_string(), str::to_owned)
}

fn lines(document: &Document, found: &[FoundName]) -> String {
    let mut out = String::new();
    for name in found {
        let likely =
            name.kinds.iter().take(SHOWN).enumerate().filter(|(at, kind)| *at == 0 || kind.probability >= LEAST);
        let kinds: Vec<String> =
            likely.map(|(_, kind)| format!("{} {:.0} %", kind.kind, 100.0 * kind.probability)).collect();
        let how = match &name.by {
            NameEvidence::Lexicon { spelling, name: known, count } if *spelling == name.written => {
                format!("{known}, {count} × so in the lexicon")
            }
            NameEvidence::Lexicon { spelling, name: known, count } => {
                format!("{known}, {count} × as {spelling} in the lexicon")
            }
            NameEvidence::Proposed => "a model's guess".to_owned(),
        };
        // Writing into a string never fails.
        let _ = writeln!(out, "{}\t{}\t{}\t({how})", label(document, name), name.written, kinds.join(", "));
    }
    out
}

fn table(document: &Document, found: &[FoundName]) -> String {
    let mut out = String::from("line\tspelling\tkind\tprobability\tby\tname\n");
    for name in found {
        let (by, known) = match &name.by {
            NameEvidence::Lexicon { name, .. } => ("lexicon", name.as_str()),
            NameEvidence::Proposed => ("model", ""),
        };
        let label = label(document, name);
        let [label, written, known] = [label.as_str(), &name.written, known].map(table_cell);
        for kind in &name.kinds {
            // Writing into a string never fails.
            let _ = writeln!(out, "{label}\t{written}\t{}\t{:.3}\t{by}\t{known}", kind.kind, kind.probability);
        }
    }
    out
}
