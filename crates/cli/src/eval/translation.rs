//! `tuppum eval translate`: BLEU, chrF++ and their geometric mean on pairs of sources and translations.

use super::super::terminal::style;
use super::super::translate::{self, SearchArguments};
use crate::device::{DeviceArguments, advise};
use crate::failure::{About, Result, at};
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tuppum_corpus::pairs_file::{FilePair, for_each_pair};
use tuppum_corpus::translation_memory::{PairSource, TranslationMemory};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::likeness::{Answers, LikenessTable, by_likeness};
use tuppum_eval::translation::{Interval, SAMPLES, TranslationCounts, TranslationScores, interval};
use tuppum_nn::byt5::{SourceRow, translate_all};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;

/// Sources translated at a time: the weights are then read from memory once for all of them.
const BATCH: usize = 8;

/// Arguments of `tuppum eval translate`.
#[derive(Args, Debug)]
pub struct EvalTranslationArguments {
    /// Pairs, a table with the columns source and target (`*.tsv`, also packed by xz).
    #[arg(long)]
    data: PathBuf,
    /// Folder of the model.
    #[arg(long, default_value = "models/translator")]
    model: PathBuf,
    /// Score these translations, one a line in the order of the pairs, instead of making some. With --memory they are
    /// a machine's, beside which the remembered ones are scored by likeness.
    #[arg(long)]
    translations: Option<PathBuf>,
    /// Take the published translations of the nearest sources in these pairs (a table, or several) instead of making
    /// some. They must not be of the texts that are measured.
    #[arg(long)]
    memory: Vec<PathBuf>,
    /// Read this many rows only.
    #[arg(long)]
    limit: Option<usize>,
    /// Only the texts that the recipe of the shipped translator, `pretrain` and `ablate` keep for validation, one in
    /// fifty. `train` sets other texts aside.
    #[arg(long)]
    validation_only: bool,
    #[command(flatten)]
    search: SearchArguments,
    /// Print JSON, with every translation.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    scores: TranslationScores,
    pairs: usize,
    /// Interval of the score that holds 95 % of the samples; a sample draws texts with all their pairs.
    interval: Interval,
    translations: Vec<String>,
    /// Likeness of each source to the nearest source in memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    likeness: Vec<f32>,
    /// Scores of the remembered translations by likeness.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_likeness: Option<LikenessTable>,
}

/// Translates or reads, scores, prints.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &EvalTranslationArguments) -> Result<()> {
    let pairs = pairs(arguments)?;
    // Without numbers of texts each pair is a text of its own.
    let texts =
        TextGroups::of(pairs.iter().enumerate().map(|(row, pair)| (&pair.text, pair.text.is_empty().then_some(row))));
    let given = arguments.translations.as_ref().map(|path| given(path, pairs.len())).transpose()?;
    let (translations, likeness, by_likeness) = if arguments.memory.is_empty() {
        (given.map_or_else(|| made(arguments, &pairs), Ok)?, Vec::new(), None)
    } else {
        let found = remembered(&arguments.memory, &pairs)?;
        let table = by_likeness(&answers(&pairs, &found, given.as_deref()), &texts)?;
        let (likeness, translations) = found.into_iter().unzip();
        (translations, likeness, Some(table))
    };
    let counts = counts(&pairs, &translations);
    let scores = counts.iter().collect::<TranslationCounts>().scores();
    let by_text = texts.sums(&counts, TranslationCounts::add);
    let interval = interval(&by_text, |counts| counts.scores().score, SAMPLES, &mut Random::new(1))?;
    if arguments.json {
        let report = Report { scores, pairs: pairs.len(), interval, translations, likeness, by_likeness };
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        let TranslationScores { bleu, chrf, score } = scores;
        let Interval { low, high, .. } = interval;
        println!("{:>7}  {:>6}  {:>6}  {:>6}  95 % of samples", "pairs", "BLEU", "chrF++", "score");
        println!("{:7}  {bleu:6.2}  {chrf:6.2}  {score:6.2}  {low:.2} to {high:.2}", pairs.len());
        print!("{}", by_likeness.map(|table| likeness_table(&table)).unwrap_or_default());
    }
    Ok(())
}

fn counts<T: AsRef<str>>(pairs: &[FilePair], translations: &[T]) -> Vec<TranslationCounts> {
    pairs.iter().zip(translations).map(|(pair, own)| TranslationCounts::of(own.as_ref(), &pair.target)).collect()
}

/// Scores the remembered translations, beside the translations of a machine.
fn answers(pairs: &[FilePair], remembered: &[(f32, String)], machine: Option<&[String]>) -> Vec<Answers> {
    let own: Vec<&str> = remembered.iter().map(|(_, translation)| translation.as_str()).collect();
    let machine = machine.map(|machine| counts(pairs, machine));
    let answer = |(number, (counts, (likeness, _))): (usize, (TranslationCounts, &(f32, String)))| Answers {
        likeness: *likeness,
        remembered: counts,
        machine: machine.as_ref().and_then(|machine| machine.get(number)).copied(),
    };
    counts(pairs, &own).into_iter().zip(remembered).enumerate().map(answer).collect()
}

/// Returns the scores by likeness as a table for the terminal.
fn likeness_table(table: &LikenessTable) -> String {
    let mut text =
        String::from("\nlikeness      pairs  remembered                machine                   shown first\n");
    let score = |interval: Option<Interval>| {
        let of = |Interval { value, low, high, .. }: Interval| format!("{value:.1} ({low:.1} to {high:.1})");
        interval.map_or_else(|| "-".to_owned(), of)
    };
    for row in table.rows.iter().chain([&table.all]) {
        let likeness = match (row.from, row.below) {
            (0.0, None) => "all".to_owned(),
            (from, None) => format!("from {from}"),
            (0.0, Some(below)) => format!("below {below}"),
            (from, Some(below)) => format!("{from} to {below}"),
        };
        let cells = [Some(row.remembered), row.machine, row.shown].map(score);
        let _ = writeln!(text, "{likeness:12} {:6}  {:24}  {:24}  {}", row.pairs, cells[0], cells[1], cells[2]);
    }
    if let Some([even, odd, all]) = table.first_from {
        let _ = writeln!(
            text,
            "\nremembered first from {all}; fitted on either half of the texts: from {even}, from {odd}"
        );
    }
    text
}

fn pairs(arguments: &EvalTranslationArguments) -> Result<Vec<FilePair>> {
    let mut pairs = Vec::new();
    let keep = |pair: FilePair| {
        if !arguments.validation_only || pair.is_valid() {
            pairs.push(pair);
        }
    };
    for_each_pair(&arguments.data, arguments.limit, keep)?;
    if pairs.is_empty() {
        return Err(format!("{} has no pair to score; is it the right file?", arguments.data.display()).into());
    }
    Ok(pairs)
}

/// Translations in a file, a line each.
fn given(path: &Path, wanted: usize) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path).at(path)?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() != wanted {
        let found = lines.len();
        let problem = format_args!("it has {found} lines for {wanted} pairs; each pair needs one, be it empty");
        return Err(at(path, problem));
    }
    Ok(lines)
}

/// Returns the translations of the nearest sources, with names and numbers carried over, and the likeness of the
/// sources.
fn remembered(tables: &[PathBuf], pairs: &[FilePair]) -> Result<Vec<(f32, String)>> {
    let mut known = Vec::new();
    for table in tables {
        for_each_pair(table, None, |pair| known.push(pair))?;
    }
    let memory = TranslationMemory::new(known.iter().map(PairSource::from))?;
    let bar = ProgressBar::new(pairs.len() as u64).with_style(style("remembering {bar:30} {pos}/{len}, {eta} left"));
    let translation = |pair: &FilePair| {
        bar.inc(1);
        let asked = memory.asked(&pair.source);
        let recall = memory.recall(&asked, None);
        (recall.similarity, memory.answer(&asked, &recall, None))
    };
    let found = pairs.iter().map(translation).collect();
    bar.finish_and_clear();
    Ok(found)
}

fn made(arguments: &EvalTranslationArguments, pairs: &[FilePair]) -> Result<Vec<String>> {
    let device = arguments.device.open()?;
    advise("Fewer --beams take less.");
    let model = translate::open(&arguments.model, arguments.search.no_bias, &device)?;
    let rows: Vec<SourceRow> = pairs.iter().map(|pair| model.row_of(&pair.source)).collect();
    let bar = ProgressBar::new(rows.len() as u64).with_style(style("translating {bar:30} {pos}/{len}, {eta} left"));
    let on_done = |done: usize| bar.set_position(done as u64);
    let found = block_on(translate_all(&model, &rows, &arguments.search.options(), BATCH, &NeverYields, on_done));
    bar.finish_and_clear();
    let found = found.at(&arguments.data)?;
    Ok(found.into_iter().map(|mut own| if own.is_empty() { String::new() } else { own.swap_remove(0).text }).collect())
}
