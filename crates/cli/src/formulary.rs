//! `tuppum formulary`: the formulaic clauses of an Old Assyrian text in English; all other words stay as they are.

use super::input;
use crate::failure::Result;
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_corpus::formulary::Formulary;
use tuppum_domain::formulary::{Cover, CoverPart, CoveredClause, table};
use tuppum_text::Document;

/// Maximum number of texts named as examples of a clause.
const TEXTS: usize = 2;

/// Arguments of `tuppum formulary`.
#[derive(Args, Debug)]
pub struct FormularyArguments {
    /// File with a transliteration; - for standard input. Its lines are one passage: clauses run across their ends.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// Format of the clauses.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Each clause with its English, its words, its name and texts in which it stands.
    #[default]
    Parts,
    /// The English alone; words without a clause stand in square brackets.
    English,
    /// A table with a row for each part.
    Tsv,
    /// Everything known of each part, as JSON.
    Json,
}

/// Prints the clauses of a transliteration.
///
/// # Errors
/// When the text cannot be read.
pub fn run(arguments: &FormularyArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let cover = Formulary::shared().cover(&Document::read(&typed));
    match arguments.format {
        Format::Parts => print!("{}", described(&cover)),
        Format::English => println!("{}", cover.english()),
        Format::Tsv => print!("{}", table(&cover)),
        Format::Json => println!("{}", serde_json::to_string_pretty(&cover)?),
    }
    Ok(())
}

/// Renders all parts, and the share of the words that belong to clauses.
fn described(cover: &Cover) -> String {
    let mut out = String::new();
    cover.parts.iter().for_each(|part| push_part(&mut out, part));
    // Writing into a string never fails.
    let _ = writeln!(
        out,
        "{} of {} words stand in clauses ({:.0} %)",
        cover.covered(),
        cover.words(),
        cover.share() * 100.0
    );
    out
}

fn push_part(out: &mut String, part: &CoverPart) {
    let words = part.words.join(" ");
    let _ = match &part.clause {
        Some(CoveredClause { name, kind, english, texts, .. }) => {
            let texts = texts.get(..TEXTS).unwrap_or(texts).join(", ");
            writeln!(out, "{english}\n    {words}\n    {name} ({}), as in {texts}", kind.name())
        }
        None => writeln!(out, "[{words}]\n    not in the formulary"),
    };
    let unknown = part.clause.iter().flat_map(|clause| &clause.slots).filter(|slot| !slot.is_known);
    for slot in unknown {
        let _ = writeln!(out, "    {}: a name that the formulary does not know", slot.written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_say_what_they_are_and_what_is_left() {
        let cover = Formulary::shared().cover(&Document::read("KIŠIB₃ da-da-a DUMU ri-ma-ku\nx-na-at"));
        let shown = described(&cover);
        assert!(shown.contains("Seal of Dadāya, son of ‹Ri-ma-ku›\n    KIŠIB₃ da-da-a DUMU ri-ma-ku\n"), "{shown}");
        assert!(shown.contains("ri-ma-ku: a name that the formulary does not know"), "{shown}");
        assert!(shown.contains("[x-na-at]\n    not in the formulary\n"), "{shown}");
        assert!(shown.ends_with("4 of 5 words stand in clauses (80 %)\n"), "{shown}");
    }
}
