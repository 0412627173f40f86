//! `tuppum attribute`: the likely origin of a transliteration.

use super::{corpus, input};
use crate::failure::Result;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_corpus::attribution::attribute;
use tuppum_domain::attested::{Attribution, LikelyOrigin, NearText};
use tuppum_domain::restoration::texts::Text;
use tuppum_text::Document;

/// Number of periods and projects shown.
const SHOWN: usize = 5;
/// Probability below which nothing is shown.
const MIN_SHOWN_PROBABILITY: f32 = 0.005;

/// Arguments of `tuppum attribute`.
#[derive(Args, Debug)]
pub struct AttributeArguments {
    /// File with a transliteration; - for standard input.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// The pack of attested texts (`tuppum corpus build`), or its folder.
    #[arg(long, default_value = "models/corpus")]
    corpus: PathBuf,
    /// The number of the text itself (`P390626`), which has no vote.
    #[arg(long)]
    except: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Prints periods and projects with their probabilities, and the nearest texts.
///
/// # Errors
/// When the text or the pack cannot be read.
pub fn run(arguments: &AttributeArguments) -> Result<()> {
    let typed = input::transliteration(arguments.text.as_deref(), &arguments.file)?;
    let texts = corpus::opened(&arguments.corpus)?;
    let except = arguments.except.as_deref().and_then(|id| texts.text_number(id));
    let found = attribute(&texts, &Text::of_document("", &Document::read(&typed)), except);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        print!("{}", described(&found));
    }
    Ok(())
}

/// Renders an attribution as text.
fn described(found: &Attribution) -> String {
    let mut out = String::new();
    if found.periods.is_empty() {
        return format!("Too little can be read: {} known signs.\n", found.signs);
    }
    for (title, origins) in [("Period", &found.periods), ("Project", &found.projects)] {
        // Writing into a string never fails.
        let _ = writeln!(out, "{title}, from {} known signs", found.signs);
        for LikelyOrigin { name, probability, texts } in
            origins.iter().take(SHOWN).filter(|origin| origin.probability >= MIN_SHOWN_PROBABILITY)
        {
            let _ = writeln!(out, "  {:5.1} %  {name}, {texts} of the nearest texts", probability * 100.0);
        }
    }
    out.push_str("Nearest texts\n");
    for NearText { edition, likeness, shared, rarest, .. } in &found.nearest {
        let address = edition.address.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "  {:4.2}  {} ({}), {}: {shared} groups of signs, among them {}\n        {address}",
            likeness,
            edition.text,
            edition.project,
            edition.line,
            rarest.join(", ")
        );
    }
    out
}
