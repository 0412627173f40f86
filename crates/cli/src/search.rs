//! `tuppum search`: parallels of the lines of a transliteration.

use super::{corpus, input};
use crate::failure::Result;
use clap::Args;
use std::path::PathBuf;
use tuppum_corpus::attested::{AttestedTexts, OwnText, asked};
use tuppum_corpus::parallels::{Aligned, Parallel, parallels};
use tuppum_domain::attested::EditionPlace;
use tuppum_domain::restoration::texts::{CorpusLine, Text};
use tuppum_text::Document;

/// Minimum number of known signs of a line; lines with fewer have parallels everywhere.
const MIN_KNOWN_SIGNS: usize = 3;

/// Arguments of `tuppum search`.
#[derive(Args, Debug)]
pub struct SearchArguments {
    /// File with a transliteration; - for standard input.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// The pack of attested texts (`tuppum corpus build`), or its folder.
    #[arg(long, default_value = "models/corpus")]
    corpus: PathBuf,
    /// A file of texts of your own, which are searched too; may be given more than once.
    #[arg(long, value_name = "FILE")]
    own: Vec<PathBuf>,
    /// Maximum number of parallels for each line.
    #[arg(long, default_value_t = 3)]
    top: usize,
    /// Look for the whole passage, not line by line.
    #[arg(long)]
    whole: bool,
    /// Number of the text itself (`P390626`), which is left out of its own parallels.
    #[arg(long)]
    except: Option<String>,
}

/// Prints the parallels of every line.
///
/// # Errors
/// When the text or the pack cannot be read.
pub fn run(arguments: &SearchArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let mut texts = corpus::opened(&arguments.corpus)?;
    let own: Vec<OwnText> = corpus::own(&arguments.own)?.into_iter().flat_map(|archive| archive.texts).collect();
    texts.set_own(&own).map_err(|error| error.to_string())?;
    let except = arguments.except.as_deref().and_then(|id| texts.text_number(id));
    let mut lines = Text::of_document("", &Document::read(&typed)).lines;
    if arguments.whole {
        let joined = |join: fn(&CorpusLine) -> &str, by: &str| lines.iter().map(join).collect::<Vec<_>>().join(by);
        let (signs, states) = (joined(|line| &line.signs, " "), joined(|line| &line.states, ""));
        lines = vec![CorpusLine { signs, states }];
    }
    for line in &lines {
        println!("{}", line.signs.replace(" -", "-"));
        let signs = asked(line, texts.readings());
        if line.signs().filter(|sign| texts.readings().number(sign.reading).is_some()).count() < MIN_KNOWN_SIGNS {
            println!("    too few known signs to look for");
            continue;
        }
        let found = parallels(&texts, &signs, arguments.top, except);
        if found.is_formula() {
            println!("    a formula: the same wording in {} texts at least", found.texts);
        }
        for parallel in &found.passages {
            println!("{}", described(&texts, parallel));
        }
    }
    Ok(())
}

/// Renders a parallel in three lines: its likeness, its place, and its text.
fn described(texts: &AttestedTexts, parallel: &Parallel) -> String {
    let range = &parallel.alignment.attested;
    let EditionPlace { text, project, line, address, own } = texts.edition(parallel.text, range.clone());
    let differing =
        parallel.alignment.columns.iter().filter(|column| {
            matches!(column, Aligned::Different(..) | Aligned::OnlyAsked(_) | Aligned::OnlyAttested(_))
        });
    format!(
        "    {:3.0} %  {text} ({project}), {line}{}: {} of {} columns differ\n           {}\n           {}",
        parallel.alignment.similarity * 100.0,
        if own { ", your own" } else { "" },
        differing.count(),
        parallel.alignment.columns.len(),
        texts.written(range.clone()),
        address.unwrap_or_default()
    )
}
