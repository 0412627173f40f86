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
use tuppum_eval::translation::{
    Agreement, Faithfulness, Interval, SAMPLES, TranslationCounts, TranslationScores, interval,
};
use tuppum_nn::byt5::{SourceRow, translate_all};
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_text::Document;

/// Sources translated at a time: the weights are then read from memory once for all of them.
const BATCH: usize = 8;

/// Arguments of `tuppum eval translate`.
#[derive(Args, Debug)]
pub struct EvalTranslationArguments {
    /// Pairs, a table with the columns source and target (`*.tsv`, also packed by xz). Sources in another convention
    /// than Oracc's are read as on the page, and long ones are translated clause by clause.
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
    /// Numbers and names on which translations and references agree.
    faithfulness: Faithfulness,
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
    let faithfulness = faithfulness(&pairs, &translations);
    if arguments.json {
        let report = Report { scores, pairs: pairs.len(), faithfulness, interval, translations, likeness, by_likeness };
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        let TranslationScores { bleu, chrf, score } = scores;
        let Interval { low, high, .. } = interval;
        println!("{:>7}  {:>6}  {:>6}  {:>6}  95 % of samples", "pairs", "BLEU", "chrF++", "score");
        println!("{:7}  {bleu:6.2}  {chrf:6.2}  {score:6.2}  {low:.2} to {high:.2}", pairs.len());
        println!("{}\n{}", share("numbers", faithfulness.numbers), share("names", faithfulness.names));
        print!("{}", by_likeness.map(|table| likeness_table(&table)).unwrap_or_default());
    }
    Ok(())
}

/// Compares the numbers and names of all translations with those of the references.
fn faithfulness(pairs: &[FilePair], translations: &[String]) -> Faithfulness {
    let mut sum = Faithfulness::default();
    let own = pairs.iter().zip(translations).map(|(pair, own)| Faithfulness::of(own, &pair.target));
    own.for_each(|own| sum.add(&own));
    sum
}

/// Returns the line that reports an agreement.
fn share(name: &str, agreement: Agreement) -> String {
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let Agreement { expected, written, .. } = agreement;
    let [found, right] = [agreement.found(), agreement.right()].map(percent);
    format!("{name}: {found} of the {expected} in the references are found, {right} of the {written} written are right")
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
    let passages = passages_of(pairs);
    let rows: Vec<SourceRow> = passages.iter().flatten().map(|passage| model.row_of(passage)).collect();
    let bar = ProgressBar::new(rows.len() as u64).with_style(style("translating {bar:30} {pos}/{len}, {eta} left"));
    let on_done = |done: usize| bar.set_position(done as u64);
    let found = block_on(translate_all(&model, &rows, &arguments.search.options(), BATCH, &NeverYields, on_done));
    bar.finish_and_clear();
    let mut found = found
        .at(&arguments.data)?
        .into_iter()
        .map(|own| own.into_iter().next().map_or(String::new(), |best| best.text));
    let joined = |own: &Vec<String>| found.by_ref().take(own.len()).collect::<Vec<_>>().join(" ");
    Ok(passages.iter().map(joined).collect())
}

/// Returns the passages of each pair that the model reads one by one. Sources in Oracc's style are read whole and
/// unchanged, as the training texts are; tables in another convention are read as the page reads them.
fn passages_of(pairs: &[FilePair]) -> Vec<Vec<String>> {
    let is_oracc = translate::are_as_oracc(pairs.iter().map(|pair| pair.source.as_str()));
    let read = |pair: &FilePair| match is_oracc {
        true => vec![pair.source.clone()],
        false => translate::sources(&Document::read(&pair.source), false),
    };
    pairs.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sources: &[&str]) -> Vec<Vec<String>> {
        let pair = |source: &&str| FilePair {
            text: String::new(),
            project: String::new(),
            source: source.to_string(),
            target: String::new(),
        };
        passages_of(&sources.iter().map(pair).collect::<Vec<_>>())
    }

    #[test]
    fn sources_of_oracc_stay_and_others_are_read_as_on_the_page() {
        let oracc = ["a-na LUGAL be-li₂-ia ... u₂-...", "LUGAL ša₂ KUR aš-šur{KI}"];
        assert_eq!(read(&oracc), oracc.map(|source| vec![source.to_owned()]));
        let challenge = ["um-ma a-šùr-i-dí-ma 0.5 ma-na KÙ.BABBAR", "šu-ma lá iš-qú-ul <gap> ù-ṣa-áb"];
        let expected = ["um-ma a-šur₃-i-di₂-ma 1/2 ma-na KU₃.BABBAR", "šu-ma la₂ iš-qu₂-ul ... u₃-ṣa-ab₂"];
        assert_eq!(read(&challenge), expected.map(|source| vec![source.to_owned()]));
        let whole =
            "KIŠIB a-šùr-GAL ".to_owned() + &"šu-ma lá iš-qú-ul 1.5 GÍN ṣí-ib-tám ú-ṣa-áb IGI a-šùr-i-dí ".repeat(6);
        assert!(read(&[&whole])[0].len() > 2);
    }
}
