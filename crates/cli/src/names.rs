//! `tuppum names`: the names of a transliteration, each with its possible kinds.

use super::{corpus, input};
use crate::failure::Result;
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_corpus::names::find_names;
use tuppum_domain::gloss::{GlossedLine, GlossedWord};
use tuppum_domain::names::{NameEvidence, WordName};
use tuppum_text::{Document, table_cell};

/// Number of kinds shown for a name.
const SHOWN: usize = 3;
/// Probability below which further kinds of a name are not shown.
const MIN_SHOWN_PROBABILITY: f32 = 0.01;

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
    /// The model for words that the lexicon lacks (`tuppum-lab hybonet name-kinds --model`).
    #[arg(long, default_value = "models/corpus")]
    model: PathBuf,
    /// Tables of names of your own: spelling, name, kind and rendering, with tabs between them. They win over lexicon
    /// and model.
    #[arg(long, num_args = 1..)]
    own: Vec<PathBuf>,
    /// Format of the names.
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
/// When the text, the lexicon, the model or a table of names cannot be read.
pub fn run(arguments: &NamesArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let glossary = corpus::opened_glosses(&arguments.glosses)?;
    let model = corpus::opened_names(&arguments.model)?;
    let own = corpus::own_names(&arguments.own)?;
    let document = Document::read(&typed);
    let mut found = glossary.gloss(&document);
    find_names(&mut found, &own, Some(&model));
    match arguments.format {
        Format::Lines => print!("{}", lines(&document, &found)),
        Format::Tsv => print!("{}", table(&document, &found)),
    }
    Ok(())
}

/// Returns the words that are names, each with the label or number of its line.
fn names<'a>(
    document: &'a Document,
    found: &'a [GlossedLine],
) -> impl Iterator<Item = (String, &'a GlossedWord, &'a WordName)> {
    found.iter().flat_map(move |line| {
        let label = document.lines.get(line.line).and_then(|line| line.label_in(&document.source));
        let label = label.map_or_else(|| (line.line + 1).to_string(), str::to_owned);
        line.words.iter().filter_map(move |word| Some((label.clone(), word, word.name.as_ref()?)))
    })
}

fn lines(document: &Document, found: &[GlossedLine]) -> String {
    let mut out = String::new();
    for (label, word, name) in names(document, found) {
        let likely = name
            .kinds
            .iter()
            .take(SHOWN)
            .enumerate()
            .filter(|(at, kind)| *at == 0 || kind.probability >= MIN_SHOWN_PROBABILITY);
        let kinds: Vec<String> =
            likely.map(|(_, kind)| format!("{} {:.0} %", kind.kind, 100.0 * kind.probability)).collect();
        let how = match &name.by {
            NameEvidence::Lexicon { spelling, name: known, count } if *spelling == word.written => {
                format!("{known}, {count} × so in the lexicon")
            }
            NameEvidence::Lexicon { spelling, name: known, count } => {
                format!("{known}, {count} × as {spelling} in the lexicon")
            }
            NameEvidence::Own { spelling, name: known, .. } if *spelling == word.written => {
                format!("{known}, your list")
            }
            NameEvidence::Own { spelling, name: known, by, .. } => {
                format!("{known}, your list has {spelling}: {}", by.name())
            }
            NameEvidence::Determinative => "its determinative".to_owned(),
            NameEvidence::Proposed => "a model's guess".to_owned(),
        };
        // Writing into a string never fails.
        let _ = writeln!(out, "{label}\t{}\t{}\t({how})", word.written, kinds.join(", "));
    }
    out
}

fn table(document: &Document, found: &[GlossedLine]) -> String {
    let mut out = String::from("line\tspelling\tkind\tprobability\tby\tname\n");
    for (label, word, name) in names(document, found) {
        let (by, known) = match &name.by {
            NameEvidence::Lexicon { name, .. } => ("lexicon", name.as_str()),
            NameEvidence::Own { name, .. } => ("own", name.as_str()),
            NameEvidence::Determinative => ("determinative", ""),
            NameEvidence::Proposed => ("model", ""),
        };
        let [label, written, known] = [label.as_str(), &word.written, known].map(table_cell);
        for kind in &name.kinds {
            // Writing into a string never fails.
            let _ = writeln!(out, "{label}\t{written}\t{}\t{:.3}\t{by}\t{known}", kind.kind, kind.probability);
        }
    }
    out
}
