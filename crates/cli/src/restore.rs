//! `tuppum restore`: a transliteration or a question in, restorations out.

use super::terminal::{print, render_answer, render_attested, style};
use super::{corpus, diagnostics, input};
use crate::device::{DeviceArguments, OpenDevice, TrialModel, advise};
use crate::failure::{About, Result};
use burn::tensor::Device;
use clap::{Args, ValueEnum};
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use tuppum_corpus::opened::{self, OpenCorpus};
use tuppum_domain::restoration::search::{Restorer, SearchPhase, Update};
use tuppum_domain::restoration::{Answer, Period, Question, export};
use tuppum_nn::torso::{GOLDEN_TOLERANCE, Golden, NeverYields, Torso, TorsoScorer, computed, self_test};
use tuppum_text::Document;
use tuppum_weights::{Model, open_folder, read_golden};

/// Arguments of `tuppum restore`. Unset options are taken from the question, or have the defaults of the page.
#[derive(Args, Debug)]
pub struct RestoreArguments {
    /// File with a transliteration, or with a question as JSON; - for standard input.
    #[arg(default_value = "-", conflicts_with = "text")]
    file: PathBuf,
    /// The transliteration itself.
    #[arg(long, short)]
    text: Option<String>,
    /// Folder of the model.
    #[arg(long, default_value = "models/restorer")]
    model: PathBuf,
    /// A pack of attested texts (`tuppum corpus build`): rank by their contexts too.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// A file of texts of your own, which count beside those of the pack; may be given more than once.
    #[arg(long, value_name = "FILE", requires = "corpus")]
    own: Vec<PathBuf>,
    /// Number of hypotheses that the joint search keeps [default: 5].
    #[arg(long)]
    beam: Option<usize>,
    /// Number of proposals for each gap [default: 20].
    #[arg(long)]
    top: Option<usize>,
    /// The longest length tried for a break of unknown length [default: 10].
    #[arg(long)]
    longest: Option<usize>,
    /// Re-rank by the counts of this period.
    #[arg(long, value_parser = period)]
    period: Option<Period>,
    /// Numbers of legible signs to restore all the same, counted from 0.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    choose: Vec<usize>,
    /// Numbers of illegible signs and breaks to leave alone, counted from 0.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    leave: Vec<usize>,
    /// Format of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for the terminal.
    Text,
    /// A table with one row per reading.
    Tsv,
    /// JSON with the whole question and answer.
    Json,
}

/// Restores the text of the arguments and prints the answer.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &RestoreArguments) -> Result<()> {
    let (mut question, name) = question(arguments)?;
    question.contexts &= arguments.corpus.is_some();
    let document = Document::read_with(&question.text, &question.reading);
    eprint!("{}", diagnostics::render(&document, &name));
    let device = arguments.device.open()?;
    advise("A smaller --beam takes less, and so do shorter texts.");
    let model = open(&arguments.model, &device)?;
    let corpus = arguments.corpus.as_deref().filter(|_| question.contexts);
    let corpus = corpus.map(|pack| open_corpus(pack, &arguments.own)).transpose()?;
    let restorer = Restorer::new(model.vocabulary);
    let answer = answer(&question, &restorer, model.torso, corpus.as_ref())?;
    let folder = arguments.model.display().to_string();
    let format = if arguments.json { Format::Json } else { arguments.format };
    let text = match format {
        Format::Text => {
            let attested = corpus.map(|corpus| render_attested(&question, &answer, &corpus));
            render_answer(&document, &answer, &folder) + &attested.unwrap_or_default()
        }
        Format::Tsv => export::tsv(&document, &answer, &folder),
        Format::Json => export::json(&question, &answer, &folder) + "\n",
    };
    print(&text)
}

/// Returns the question, and the name of its text in messages.
fn question(arguments: &RestoreArguments) -> Result<(Question, String)> {
    let (mut question, name) = match &arguments.text {
        Some(text) => (Question::about(text), "text".into()),
        None => (input::question(&input::read(&arguments.file)?)?, input::name(&arguments.file)),
    };
    question.chosen.extend(&arguments.choose);
    question.left_alone.extend(&arguments.leave);
    question.period = arguments.period.or(question.period);
    question.beam = arguments.beam.unwrap_or(question.beam);
    question.top = arguments.top.unwrap_or(question.top);
    question.longest = arguments.longest.unwrap_or(question.longest);
    Ok((question, name))
}

/// Opens a model folder on a device that was tried with it, with a bar for its bytes.
///
/// # Errors
/// What is wrong with it, and what to do.
pub fn open(folder: &Path, device: &OpenDevice) -> Result<Model> {
    device.trusted(&RestorerFolder(folder))
}

/// Folder of a restorer, to be loaded onto any device.
struct RestorerFolder<'f>(&'f Path);

impl TrialModel for RestorerFolder<'_> {
    type Model = Model;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    fn load(&self, device: &Device) -> Result<Model> {
        block_on(load(self.0, device))
    }

    fn golden(&self) -> Result<Option<Golden>> {
        let path = self.0.join("golden.safetensors");
        let bytes = input::optional(&path)?;
        bytes.map(|bytes| block_on(read_golden(&bytes)).at(&path)).transpose()
    }

    fn computed(&self, model: &Model) -> Result<Golden> {
        Ok(block_on(computed(&model.torso, &NeverYields))?)
    }

    fn difference(&self, model: &Model, golden: &Golden) -> Result<f32> {
        Ok(block_on(self_test(&model.torso, golden, &NeverYields))?)
    }
}

async fn load(folder: &Path, device: &Device) -> Result<Model> {
    let bar = ProgressBar::new(0).with_style(style("reading {bar:30} {bytes}/{total_bytes}"));
    let on_bytes = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let opened = open_folder(folder, device, on_bytes, &NeverYields).await;
    bar.finish_and_clear();
    opened.map_err(|error| {
        let hints = error.hints().join(" ");
        format!("the model in {} cannot be opened: {error}. {hints}", folder.display()).into()
    })
}

/// Opens a pack of attested texts, with texts of the user's own beside them.
///
/// # Errors
/// What is wrong with a file.
pub fn open_corpus(pack: &Path, own: &[PathBuf]) -> Result<OpenCorpus> {
    let mut opened = OpenCorpus::new(corpus::opened(pack)?).at(pack)?;
    opened.set_own(&corpus::own(own)?).map_err(|error| error.to_string())?;
    Ok(opened)
}

/// Answers a question, with a bar while it searches.
///
/// # Errors
/// Error of the model.
pub fn answer(question: &Question, restorer: &Restorer, torso: Torso, corpus: Option<&OpenCorpus>) -> Result<Answer> {
    let bar = ProgressBar::new(0).with_style(style("{msg} {bar:30} {pos}/{len}"));
    let on_update = |update| {
        if let Update::Progress { phase, done, total } = update {
            bar.set_message(phase_name(phase));
            bar.set_length(total);
            bar.set_position(done);
        }
    };
    let scorer = TorsoScorer::new(torso, NeverYields);
    let answer = block_on(opened::restore(corpus, restorer, question, scorer, on_update));
    bar.finish_and_clear();
    Ok(answer?)
}

fn phase_name(phase: SearchPhase) -> &'static str {
    match phase {
        SearchPhase::Singles => "each gap",
        SearchPhase::Joint => "all gaps together",
        SearchPhase::Lengths => "breaks of unknown length",
    }
}

/// Returns the period of this name on the command line: `old-assyrian`.
///
/// # Errors
/// The names that there are.
pub fn period(name: &str) -> Result<Period> {
    let found = Period::ALL.into_iter().find(|period| slug(*period) == name);
    found.ok_or_else(|| format!("the periods are {}", Period::ALL.map(slug).join(", ")).into())
}

/// Name of a period on the command line: `OldAssyrian` as `old-assyrian`.
fn slug(period: Period) -> String {
    let mut slug = String::new();
    for letter in format!("{period:?}").chars() {
        if letter.is_uppercase() && !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(letter.to_lowercase());
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_have_names_for_the_command_line() {
        assert_eq!(period("old-assyrian").ok(), Some(Period::OldAssyrian));
        assert!(period("sumerian").is_err_and(|message| message.to_string().contains("standard-babylonian")));
    }
}
