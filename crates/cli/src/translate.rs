//! `tuppum translate`: a transliteration in, a translation out.

use super::run_settings::one_of;
use super::terminal::{print, style};
use super::{diagnostics, input, translate_table};
use crate::device::{DeviceArguments, OpenDevice, TrialModel, advise};
use crate::failure::{About, Result};
use burn::tensor::Device;
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use serde_json::json;
use std::path::{Path, PathBuf};
use tuppum_domain::generation::{Method, Options, Output};
use tuppum_domain::translation::fractions::Fractions;
use tuppum_domain::translation::{self, Calibration, Passage, Scope, passages};
use tuppum_nn::byt5::{ByT5, GOLDEN_TOLERANCE, Golden, computed, self_test, translate};
use tuppum_nn::yielding::NeverYields;
use tuppum_text::{Convention, Document, bytes};
use tuppum_weights::{open_translator, read_translator_golden};

/// Text printed in place of a translation of which little would be right.
const HELD_BACK: &str = "[held back: few of its words would be right; --all prints it]\n";

/// Maximum number of a table's sources by which its convention is found.
const MAX_SOURCES_LOOKED_AT: usize = 1_000;
/// Maximum letters of a source in an error.
const NAMED_BY: usize = 60;

/// Arguments of `tuppum translate`.
#[derive(Args, Debug)]
pub struct TranslateArguments {
    /// The transliteration, read as the page reads it; - for standard input.
    #[arg(default_value = "-")]
    text: String,
    /// Translate lines of one text together, up to 384 bytes, instead of every line on its own.
    #[arg(long)]
    whole: bool,
    /// Give every line to the model unchanged: labels, brackets and conventions are not read.
    #[arg(long, conflicts_with = "whole")]
    raw: bool,
    /// Translate a table instead: CSV or TSV with a column of transliterations (`source` or `transliteration`), as
    /// `test.csv` of the Deep Past Challenge. Needs --out.
    #[arg(long, requires = "out", conflicts_with_all = ["text", "whole", "raw", "answers", "all", "json"])]
    data: Option<PathBuf>,
    /// The table that is written, as the challenge's `submission.csv`: the column `id`, and the column `translation`.
    #[arg(long, requires = "data")]
    out: Option<PathBuf>,
    /// Form of fractions in --out.
    #[arg(long, requires = "data", default_value = Fractions::default().name())]
    #[arg(value_parser = one_of(Fractions::ALL, Fractions::name))]
    fractions: Fractions,
    /// Folder of the model: config.json, and weights as safetensors or pytorch_model.bin, whole or in pieces with their
    /// index.
    #[arg(long, default_value = "models/translator")]
    model: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// Number of translations of each line.
    #[arg(long, default_value_t = 1)]
    answers: usize,
    /// Print every translation, also those of which few words are expected to be right; they are held back otherwise.
    #[arg(long)]
    all: bool,
    /// Print JSON: every translation with its score, the probability of every byte, what each byte looked at, and how
    /// many of its words are expected to be right, where that was measured for the model; nothing is held back.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Settings of the search for translations.
#[derive(Args, Clone, Debug)]
pub struct SearchArguments {
    /// Number of beginnings followed at a time; 1 takes the likeliest byte each time.
    #[arg(long, default_value_t = 5)]
    pub beams: usize,
    /// Above 0, translations are ranked by the logarithm of their probability over this power of their length.
    #[arg(long, default_value_t = 1.0)]
    pub length_penalty: f32,
    /// Maximum bytes of a translation.
    #[arg(long, default_value_t = 512)]
    pub longest: usize,
    /// Draw bytes at random at this temperature instead.
    #[arg(long)]
    pub temperature: Option<f32>,
    /// Equal seeds draw equal bytes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Compute without the hyperbolic bias, if the model has one.
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

/// Translates the text of the arguments and prints the translations.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &TranslateArguments) -> Result<()> {
    if let (Some(data), Some(out)) = (&arguments.data, &arguments.out) {
        return table(arguments, data, out);
    }
    let text = match arguments.text.as_str() {
        "-" => input::read(Path::new("-"))?,
        text => text.to_string(),
    };
    let device = arguments.device.open()?;
    advise("Fewer --beams take less, and so do lines without --whole.");
    let model = open(&arguments.model, arguments.search.no_bias, &device)?;
    let calibration = model.config().calibration.filter(|_| !arguments.search.no_bias);
    let options = Options { answers: arguments.answers, attention: arguments.json, ..arguments.search.options() };
    let mut answers = Vec::new();
    let mut outcome = Ok(());
    for source in sources_of(arguments, &text)? {
        let outputs = match outputs(&model, &source, &options) {
            Ok(outputs) => outputs,
            Err(error) => {
                outcome = Err(error);
                break; // what is there is printed all the same
            }
        };
        if arguments.json {
            answers.push(as_json(&source, &outputs, calibration.as_ref()));
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

/// Translates a table row by row, a row clause by clause. A row without a legible sign gets an empty translation.
fn table(arguments: &TranslateArguments, data: &Path, out: &Path) -> Result<()> {
    let table = translate_table::TranslationTable::read(data)?;
    let device = arguments.device.open()?;
    advise("Fewer --beams take less.");
    let model = open(&arguments.model, arguments.search.no_bias, &device)?;
    let options = arguments.search.options();
    let translate = |typed: &str| {
        let mut clauses = Vec::new();
        for source in sources(&Document::read(typed), false) {
            clauses.extend(outputs(&model, &source, &options)?.into_iter().next().map(|best| best.text));
        }
        Ok(clauses.join(" "))
    };
    table.translate(translate, arguments.fractions, out)
}

/// Returns the texts that the model reads, one after the other.
fn sources_of(arguments: &TranslateArguments, text: &str) -> Result<Vec<String>> {
    if arguments.raw {
        return Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect());
    }
    let document = Document::read(text);
    let name = if arguments.text == "-" { "standard input" } else { "text" };
    eprint!("{}", diagnostics::render(&document, name));
    let found = sources(&document, arguments.whole);
    match found.is_empty() {
        true => Err("There is nothing to translate: no line of this text has a sign that can be read.".into()),
        false => Ok(found),
    }
}

/// Returns the passages of a text that a model is given, one after the other: its lines, or with `whole` as many of
/// them together as it reads at once.
pub fn sources(document: &Document, whole: bool) -> Vec<String> {
    let scope = if whole { Scope::Whole } else { Scope::Lines };
    passages(document, &[], scope).iter().map(|passage| passage.as_read().text).collect()
}

/// Returns `true` if the sources of a table, taken together, are written as Oracc writes them: the model was trained on
/// such sources as they stand.
pub fn are_as_oracc<'s>(sources: impl Iterator<Item = &'s str>) -> bool {
    let together = sources.take(MAX_SOURCES_LOOKED_AT).collect::<Vec<_>>().join("\n");
    Document::read(&together).convention.convention == Convention::Oracc
}

/// Returns the translations of one source, the likeliest first.
///
/// # Errors
/// The source, with the error of the model.
pub fn outputs(model: &ByT5, source: &str, options: &Options) -> Result<Vec<Output>> {
    let row = [model.row_of(source)];
    match block_on(translate(model, &row, options, &NeverYields, |_| ())) {
        Ok(mut outputs) => Ok(outputs.remove(0)),
        Err(error) => Err(format!("{:?} could not be translated: {error}", beginning(source)).into()),
    }
}

/// Returns the first words of a source, enough to find it by.
fn beginning(source: &str) -> String {
    match source.char_indices().nth(NAMED_BY) {
        None => source.to_owned(),
        Some((end, _)) => {
            let whole = source[..end].rfind(' ').unwrap_or(end);
            format!("{} …", &source[..whole])
        }
    }
}

/// Returns a translation as the calibration judges it, if there is one.
fn judged(output: &Output, source: &str, calibration: Option<&Calibration>) -> translation::Candidate {
    let mut candidate =
        translation::Candidate::of(output, &Passage { lines: 0..0, text: String::new(), words: Vec::new() });
    if let Some(calibration) = calibration {
        candidate.judge(calibration, source);
    }
    candidate
}

/// Returns a source and its translations as `--json` prints them.
pub fn as_json(source: &str, outputs: &[Output], calibration: Option<&Calibration>) -> serde_json::Value {
    let translation = |output: &Output| {
        let judged = judged(output, source, calibration);
        json!({
            "right": judged.right,
            "held_back": judged.held_back,
            "text": output.text,
            "score": output.score,
            "ended": output.ended(),
            "byte_probabilities": output.byte_probabilities(),
            "byte_attention": output.byte_attention(),
        })
    };
    json!({"source": source, "translations": outputs.iter().map(translation).collect::<Vec<_>>()})
}

/// Opens a translator's folder on a device that was tried with it, with a bar for its bytes.
///
/// # Errors
/// What is wrong with it, and what to do.
pub fn open(folder: &Path, no_bias: bool, device: &OpenDevice) -> Result<ByT5> {
    let mut model = device.trusted(&TranslatorFolder(folder))?;
    if no_bias {
        model.detach();
    }
    Ok(model)
}

/// Source and beginning of an answer that a device is tried with if a model brings no golden numbers.
const SHORT_ROW: (&str, &str) = ("um-ma a-na", "Thus");
/// Variant of the golden file that has the model as it is in its folder.
const WAY: &str = "byte";

/// Folder of a translator, to be loaded onto any device.
struct TranslatorFolder<'f>(&'f Path);

impl TrialModel for TranslatorFolder<'_> {
    type Model = ByT5;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    fn load(&self, device: &Device) -> Result<ByT5> {
        load(self.0, device)
    }

    fn golden(&self) -> Result<Option<Golden>> {
        let path = self.0.join("golden.safetensors");
        let bytes = input::optional(&path)?;
        bytes.map(|bytes| block_on(read_translator_golden(&bytes, WAY)).at(&path)).transpose()
    }

    fn computed(&self, model: &ByT5) -> Result<Golden> {
        short_row(model)
    }

    fn difference(&self, model: &ByT5, golden: &Golden) -> Result<f32> {
        difference(model, golden)
    }
}

/// Computes a short row with a translator.
///
/// # Errors
/// Error of the device.
pub fn short_row(model: &ByT5) -> Result<Golden> {
    let (source, target) = SHORT_ROW;
    let target = [vec![model.config().decoder_start_token_id], bytes::encode(target)].concat();
    Ok(block_on(computed(model, model.row_of(source), target, &NeverYields))?)
}

/// Returns the larger of the differences from golden states and golden logits.
///
/// # Errors
/// Error of the device.
pub fn difference(model: &ByT5, golden: &Golden) -> Result<f32> {
    let [states, logits] = block_on(self_test(model, golden, &NeverYields))?;
    Ok(states.max(logits))
}

fn load(folder: &Path, device: &Device) -> Result<ByT5> {
    let bar = ProgressBar::new(0).with_style(style("reading {bar:30} {bytes}/{total_bytes}"));
    let on_bytes = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let opened = block_on(open_translator(folder, device, on_bytes, &NeverYields));
    bar.finish_and_clear();
    opened.map_err(|error| {
        let hints = error.hints().join(" ");
        format!("the translator in {} cannot be opened: {error}. {hints}", folder.display()).into()
    })
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn an_error_names_a_source_by_its_first_words() {
        assert_eq!(beginning("a-na šar-ri"), "a-na šar-ri");
        let long = "a-na šar-ri be-li₂-ia ".repeat(100);
        let named = beginning(&long);
        assert_eq!(named, "a-na šar-ri be-li₂-ia a-na šar-ri be-li₂-ia a-na šar-ri …");
        let unbroken = "š".repeat(600);
        assert_eq!(beginning(&unbroken), format!("{} …", "š".repeat(60)));
    }
}
