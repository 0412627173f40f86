//! `tuppum-lab corpus sources`: writes the transliterations of a table as the translator reads them, so that a training
//! program in another language is given what the page gives the translator.

use clap::Args;
use std::path::PathBuf;
use tuppum_cli::failure::{About, Result};
use tuppum_cli::translate::sources;
use tuppum_corpus::signs_file::text_of;
use tuppum_text::Document;

/// Arguments of `tuppum-lab corpus sources`.
#[derive(Args, Debug)]
pub struct SourcesArguments {
    /// A table whose first line names its columns, separated by tabs; also packed with xz.
    table: PathBuf,
    /// Column of the transliterations, in any convention that the page reads.
    #[arg(long, default_value = "source")]
    column: String,
    /// The table that is written: the same rows, with that column converted. Rows without a legible sign are left out.
    out: PathBuf,
}

/// Converts the column and writes the table.
///
/// # Errors
/// The table cannot be read or written, or lacks the column.
pub fn run(arguments: &SourcesArguments) -> Result<()> {
    let text = text_of(&arguments.table)?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let place = header.split('\t').position(|name| name == arguments.column);
    let place = place.ok_or_else(|| format!("the table has no column “{}”", arguments.column))?;
    let (mut out, mut written, mut left_out) = (format!("{header}\n"), 0, 0);
    for line in lines {
        let mut cells: Vec<&str> = line.split('\t').collect();
        let source = cells.get(place).map_or(String::new(), |cell| as_read(cell));
        if source.is_empty() {
            left_out += 1;
            continue;
        }
        cells[place] = &source;
        out += &cells.join("\t");
        out.push('\n');
        written += 1;
    }
    std::fs::write(&arguments.out, out).cannot("be written", &arguments.out)?;
    println!("{written} rows in {}, {left_out} without a legible sign left out", arguments.out.display());
    Ok(())
}

/// Returns a transliteration as the translator reads it, on one line.
fn as_read(typed: &str) -> String {
    sources(&Document::read(typed), false).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transliteration_is_written_as_the_translator_reads_it() {
        let check = |typed: &str, expected: &str| assert_eq!(as_read(typed), expected, "{typed}");
        check("um-ma a-šur-i-dí-ma 1(u) 4(diš) GÍN KÙ.BABBAR", "um-ma a-šur-i-di₂-ma 14 GIN₂ KU₃.BABBAR");
        check("KIŠIB <gap> DUMU {d}IM", "KIŠIB ... DUMU {d}IM");
        check("6.33333 ma-na 1.5 GÍN", "6 1/3 ma-na 1 1/2 GIN₂");
        check("x x", "");
    }
}
