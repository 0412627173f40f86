//! `tuppum translate`: a transliteration in, a translation out.

use super::restore::{print, style};
use super::{diagnostics, input};
use crate::failure::Result;
use burn::tensor::Device;
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use serde_json::json;
use std::path::{Path, PathBuf};
use tuppum_nn::byt5::{ByT5, translate};
use tuppum_nn::yielding::NeverYields;
use tuppum_tasks::generation::{Method, Options, Output};
use tuppum_tasks::translation::{Calibration, Candidate, Passage, Scope, passages};
use tuppum_text::Document;
use tuppum_weights::open_translator;

/// What is printed in place of a translation of which little would be right.
const HELD_BACK: &str = "[held back: few of its words would be right; --all prints it]\n";

/// Arguments of `tuppum translate`.
#[derive(Args, Debug)]
pub struct TranslateArguments {
    /// The transliteration, read as the page reads it; - for standard input.
    #[arg(default_value = "-")]
    text: String,
    /// Translate lines of one text together, up to 384 bytes, instead of every line on its own.
    #[arg(long)]
    whole: bool,
    /// Give every line to the model just as it is: labels, brackets and conventions are not read.
    #[arg(long, conflicts_with = "whole")]
    raw: bool,
    /// Folder of the model: config.json, and weights as safetensors or pytorch_model.bin, whole or in pieces with their
    /// index.
    #[arg(long, default_value = "models/translator")]
    model: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// How many translations of each line.
    #[arg(long, default_value_t = 1)]
    answers: usize,
    /// Also print translations of whose words few are expected to be right, which are held back otherwise.
    #[arg(long)]
    all: bool,
    /// Print JSON: every translation with its score, the probability of every byte, what each byte looked at, and how
    /// many of its words are expected to be right, where that was measured for the model; nothing is held back.
    #[arg(long)]
    json: bool,
}

/// How translations are searched.
#[derive(Args, Clone, Debug)]
pub struct SearchArguments {
    /// How many beginnings are followed at a time; 1 takes the likeliest byte each time.
    #[arg(long, default_value_t = 5)]
    pub beams: usize,
    /// Above 0, translations are ranked by the logarithm of their probability over this power of their length.
    #[arg(long, default_value_t = 1.0)]
    pub length_penalty: f32,
    /// Most bytes of a translation.
    #[arg(long, default_value_t = 512)]
    pub longest: usize,
    /// Draw bytes at random at this temperature instead.
    #[arg(long)]
    pub temperature: Option<f32>,
    /// Equal seeds draw equal bytes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Compute without the hyperbolic bias, where the model has one.
    #[arg(long)]
    pub no_bias: bool,
}

impl SearchArguments {
    /// Options of the search that the arguments ask for.
    pub fn options(&self) -> Options {
        let method = match (self.temperature, self.beams) {
            (Some(temperature), _) => Method::Sample { temperature, seed: self.seed },
            (None, 0 | 1) => Method::Greedy,
            (None, beams) => Method::Beam { beams, length_penalty: self.length_penalty, early: false },
        };
        Options { method, longest: self.longest, ..Options::default() }
    }
}

/// Translates what the arguments ask and prints the translations.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &TranslateArguments) -> Result<()> {
    let text = match arguments.text.as_str() {
        "-" => input::read(Path::new("-"))?,
        text => text.to_string(),
    };
    let model = open(&arguments.model, arguments.search.no_bias)?;
    let calibration = model.config().calibration.filter(|_| !arguments.search.no_bias);
    let options = Options { answers: arguments.answers, attention: arguments.json, ..arguments.search.options() };
    let mut answers = Vec::new();
    let mut outcome = Ok(());
    for source in sources(arguments, &text)? {
        let row = [model.row_of(&source)];
        let outputs = match block_on(translate(&model, &row, &options, &NeverYields, |_| ())) {
            Ok(mut outputs) => outputs.remove(0),
            Err(error) => {
                outcome = Err(format!("{source:?} could not be translated: {error}").into());
                break; // what is there is printed all the same
            }
        };
        if arguments.json {
            let translations: Vec<_> =
                outputs.iter().map(|output| as_json(output, &judged(output, &source, calibration.as_ref()))).collect();
            answers.push(json!({"source": source, "translations": translations}));
        } else {
            let line = |output: &Output| {
                let judged = judged(output, &source, calibration.as_ref());
                if judged.held_back && !arguments.all { HELD_BACK.to_owned() } else { output.text.clone() + "\n" }
            };
            print(&outputs.iter().map(line).collect::<String>())?;
        }
    }
    if arguments.json {
        print(&(serde_json::to_string_pretty(&answers)? + "\n"))?;
    }
    outcome
}

/// What the model is given to read, one after the other.
fn sources(arguments: &TranslateArguments, text: &str) -> Result<Vec<String>> {
    if arguments.raw {
        return Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect());
    }
    let document = Document::read(text);
    let name = if arguments.text == "-" { "standard input" } else { "text" };
    eprint!("{}", diagnostics::render(&document, name));
    let scope = if arguments.whole { Scope::Whole } else { Scope::Lines };
    let found: Vec<String> = passages(&document, &[], scope).into_iter().map(|passage| passage.text).collect();
    match found.is_empty() {
        true => Err("There is nothing to translate: no line of this text has a sign that can be read.".into()),
        false => Ok(found),
    }
}

/// A translation as the calibration judges it, if there is one.
fn judged(output: &Output, source: &str, calibration: Option<&Calibration>) -> Candidate {
    let mut candidate = Candidate::of(output, &Passage { lines: 0..0, text: String::new(), words: Vec::new() });
    if let Some(calibration) = calibration {
        candidate.judge(calibration, source);
    }
    candidate
}

fn as_json(output: &Output, judged: &Candidate) -> serde_json::Value {
    json!({
        "right": judged.right,
        "held_back": judged.held_back,
        "text": output.text,
        "score": output.score,
        "ended": output.ended(),
        "byte_probabilities": output.byte_probabilities(),
        "byte_attention": output.byte_attention(),
    })
}

/// Opens a translator's folder, with a bar for its bytes.
///
/// # Errors
/// What is wrong with it, and what to do.
pub fn open(folder: &Path, no_bias: bool) -> Result<ByT5> {
    let bar = ProgressBar::new(0).with_style(style("reading {bar:30} {bytes}/{total_bytes}"));
    let on_bytes = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let opened = block_on(open_translator(folder, &Device::flex(), on_bytes, &NeverYields));
    bar.finish_and_clear();
    let mut model = opened.map_err(|error| {
        let hints = error.hints().join(" ");
        format!("the translator in {} cannot be opened: {error}. {hints}", folder.display())
    })?;
    if no_bias {
        model.detach();
    }
    Ok(model)
}
