//! `tuppum-lab corpus fit`: fits the weights of attested contexts, and measures how well network and contexts restore.

use super::calibration::{calibration, cross_fit, cross_fit_temperature, expected_calibration_error};
use super::known_signs::{Answered, KnownSign, KnownText, by_stratum};
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::path::PathBuf;
use tuppum_cli::corpus::opened;
use tuppum_cli::device::DeviceArguments;
use tuppum_cli::failure::{About, Result};
use tuppum_cli::restore::open;
use tuppum_cli::terminal::style;
use tuppum_corpus::context::{Contexts, CorpusTokens, Fitting, Weights};
use tuppum_corpus::counts::period;
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_eval::restoration::{RATE, RestorationScores, SEED, choose};
use tuppum_nn::torso::{NeverYields, TorsoScorer};
use tuppum_text::tokens::Vocabulary;
use tuppum_train::sequences::{Sequence, TextGatherer, sequences};
use tuppum_weights::Model;

/// Arguments of `tuppum-lab corpus fit`.
#[derive(Args, Debug)]
pub struct FitArguments {
    /// Texts that neither the model nor the pack has seen.
    data: PathBuf,
    /// The pack, or its folder.
    #[arg(long, default_value = "models/corpus")]
    pack: PathBuf,
    /// Folder of the restorer.
    #[arg(long, default_value = "models/restorer")]
    model: PathBuf,
    /// File that the weights are written to; nothing is written if none is named.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Longest sequence, in tokens; longer texts are cut.
    #[arg(long, default_value_t = 384, value_parser = clap::value_parser!(u16).range(8..=768))]
    window: u16,
    /// Number of times that every sign is seen.
    #[arg(long, default_value_t = Fitting::default().epochs)]
    epochs: usize,
    #[command(flatten)]
    device: DeviceArguments,
}

/// A stretch of signs, and the text that it is of.
type OfText = (Sequence, KnownText);

/// Masks signs, looks up their contexts, fits the weights and prints the tables.
///
/// # Errors
/// A file cannot be read, or the weights cannot be written.
pub fn run(arguments: &FitArguments) -> Result<()> {
    let device = arguments.device.open()?;
    let model = open(&arguments.model, &device)?;
    let (names, read) = read(arguments, &model.vocabulary)?;
    let divided_by = model.torso.config().temperature;
    let known = known(arguments, model, &read)?;
    if divided_by != 1.0 {
        let as_trained = known.iter().map(|sign| sign.tempered(divided_by.recip()).answered(None));
        let as_trained: Vec<Answered> = as_trained.collect();
        print_table("the network alone, its logits not divided", &by_stratum(&known, &as_trained, &names));
        print_calibration("the network alone, its logits not divided", &as_trained);
    }
    let alone: Vec<Answered> = known.iter().map(|sign| sign.answered(None)).collect();
    print_table("the network alone", &by_stratum(&known, &alone, &names));
    print_calibration("the network alone", &alone);
    let fitting = Fitting { epochs: arguments.epochs, ..Fitting::default() };
    let cooled = cross_fit_temperature(&known, fitting.seed);
    let of_all = cooled.fitted * f64::from(divided_by);
    let title = format!("the network alone, at the temperature of the other half of the texts ({of_all:.3} of all)");
    print_table(&title, &by_stratum(&known, &cooled.answers, &names));
    print_calibration(&title, &cooled.answers);
    let fitted = cross_fit(&known, &fitting);
    let title = "with attested contexts, fitted on the other half of the texts";
    print_table(title, &by_stratum(&known, &fitted.answers, &names));
    print_calibration(title, &fitted.answers);
    if let Some(out) = &arguments.out {
        std::fs::write(out, fitted.fitted.written()).cannot("be written", out)?;
    }
    Ok(())
}

/// Returns the names of the corpora, and their texts, cut to the window.
fn read(arguments: &FitArguments, vocabulary: &Vocabulary) -> Result<(Vec<String>, Vec<OfText>)> {
    let (mut names, mut read, mut number) = (Vec::new(), Vec::new(), 0);
    for (corpus, file) in corpora(&arguments.data)?.iter().enumerate() {
        let (mut gathered, mut periods) = (TextGatherer::default(), HashMap::new());
        for_each_row(file, None, |row| {
            periods.entry(row.text.to_owned()).or_insert_with(|| period(row.project, row.language));
            gathered.add(row);
        })?;
        for text in gathered.into_texts() {
            let own = KnownText { number, corpus, period: periods.get(&text.name).copied().flatten() };
            let cut = sequences(&text, vocabulary, arguments.window.into());
            read.extend(cut.into_iter().map(|sequence| (sequence, own)));
            number += 1;
        }
        names.push(file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
    }
    Ok((names, read))
}

/// Returns the masked signs of all texts, with the network's probabilities and the witnesses.
fn known(arguments: &FitArguments, model: Model, read: &[OfText]) -> Result<Vec<KnownSign>> {
    let texts = opened(&arguments.pack)?;
    let start = Weights::default();
    let contexts = Contexts { corpus: &texts, weights: &start };
    let tokens = CorpusTokens::new(&model.vocabulary, texts.readings());
    let sequences: Vec<Sequence> = read.iter().map(|(sequence, _)| sequence.clone()).collect();
    let places = choose(&sequences, RATE, SEED);
    let mut scorer = TorsoScorer::new(model.torso, NeverYields);
    let bar =
        ProgressBar::new(read.len() as u64).with_style(style("asking {bar:30} {pos}/{len} sequences, {eta} left"));
    let mut known = Vec::new();
    for ((sequence, text), places) in read.iter().zip(&places) {
        let asked = KnownSign::all_of((sequence, places), *text, &model.vocabulary, (&contexts, &tokens), &mut scorer);
        known.extend(block_on(asked).map_err(|error| format!("the model could not score a sequence: {error}"))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(known)
}

fn print_table(title: &str, rows: &[(String, RestorationScores)]) {
    println!("\n{title}\n{:34}  signs    loss  hit@1  hit@5  hit@20", "");
    for (name, scores) in rows {
        let RestorationScores { targets, loss, hit_1, hit_5, hit_20, .. } = scores;
        println!("{name:34} {targets:6}  {loss:6.4}  {hit_1:.3}  {hit_5:.3}   {hit_20:.3}");
    }
}

fn print_calibration(title: &str, answers: &[Answered]) {
    let bins = calibration(answers);
    println!("\n{title}\nstated  answers  mean stated  right");
    for (tenth, bin) in bins.iter().enumerate() {
        println!("0.{tenth}     {:7}  {:11.3}  {:.3}", bin.answers, bin.stated, bin.right);
    }
    println!("expected calibration error {:.4}", expected_calibration_error(&bins));
}
