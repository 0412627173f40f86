//! `tuppum corpus fit`.

use crate::device::DeviceArguments;
use crate::failure::{About, Result};
use crate::restore::{open, style};
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::path::PathBuf;
use tuppum_corpus::context::{Contexts, CorpusTokens, Fitting, Weights};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_eval::contexts::{Answered, KnownSign, by_stratum, calibration, cross_fit};
use tuppum_eval::restoration::{RATE, RestorationScores, SEED, choose};
use tuppum_nn::torso::{NeverYields, TorsoScorer};
use tuppum_train::sequences::{Sequence, TextGatherer, sequences};

/// Arguments of `tuppum corpus fit`.
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
    /// Where the weights are written; they are not, where none is named.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Longest sequence, in tokens; longer texts are cut.
    #[arg(long, default_value_t = 384, value_parser = clap::value_parser!(u16).range(8..=768))]
    window: u16,
    /// How often every sign is seen.
    #[arg(long, default_value_t = Fitting::default().epochs)]
    epochs: usize,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Masks, looks up, fits and prints.
///
/// # Errors
/// When a file cannot be read, or the weights not be written.
pub fn run(arguments: &FitArguments) -> Result<()> {
    let device = arguments.device.open()?;
    let model = open(&arguments.model, &device)?;
    let texts = super::pack::opened(&arguments.pack)?;
    let start = Weights::default();
    let contexts = Contexts { corpus: &texts, weights: &start };
    let tokens = CorpusTokens::new(&model.vocabulary, texts.readings());
    let (mut all, mut names) = (Vec::new(), Vec::new());
    for file in corpora(&arguments.data)? {
        let mut gathered = TextGatherer::default();
        for_each_row(&file, None, |row| gathered.add(row))?;
        let text_of = |text| sequences(text, &model.vocabulary, arguments.window.into());
        let cut: Vec<Vec<Sequence>> = gathered.into_texts().iter().map(text_of).collect();
        all.push(cut);
        names.push(file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
    }
    let flat: Vec<(Sequence, (usize, usize))> = all
        .into_iter()
        .enumerate()
        .flat_map(|(corpus, texts)| texts.into_iter().map(move |text| (corpus, text)))
        .enumerate()
        .flat_map(|(number, (corpus, text))| text.into_iter().map(move |sequence| (sequence, (number, corpus))))
        .collect();
    let (sequences, of): (Vec<Sequence>, Vec<(usize, usize)>) = flat.into_iter().unzip();
    let places = choose(&sequences, RATE, SEED);
    let mut scorer = TorsoScorer::new(model.torso, NeverYields);
    let bar =
        ProgressBar::new(sequences.len() as u64).with_style(style("asking {bar:30} {pos}/{len} sequences, {eta} left"));
    let mut known = Vec::new();
    for ((sequence, of), places) in sequences.iter().zip(of).zip(&places) {
        let asked = KnownSign::all_of((sequence, places), of, &model.vocabulary, (&contexts, &tokens), &mut scorer);
        known.extend(block_on(asked).map_err(|error| format!("the model could not score a sequence: {error}"))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let fitted = cross_fit(&known, &Fitting { epochs: arguments.epochs, ..Fitting::default() });
    let alone: Vec<Answered> = known.iter().map(|sign| sign.answered(None)).collect();
    print_table("the network alone", &by_stratum(&known, &alone, &names));
    print_table(
        "with attested contexts, fitted on the other half of the texts",
        &by_stratum(&known, &fitted.answers, &names),
    );
    println!("\nstated  answers  mean stated  right");
    for (tenth, bin) in calibration(&fitted.answers).iter().enumerate() {
        println!("0.{tenth}     {:7}  {:11.3}  {:.3}", bin.answers, bin.stated, bin.right);
    }
    if let Some(out) = &arguments.out {
        std::fs::write(out, fitted.weights.written()).cannot("be written", out)?;
    }
    Ok(())
}

fn print_table(title: &str, rows: &[(String, RestorationScores)]) {
    println!("\n{title}\n{:34}  signs    loss  hit@1  hit@5  hit@20", "");
    for (name, scores) in rows {
        let RestorationScores { targets, loss, hit_1, hit_5, hit_20, .. } = scores;
        println!("{name:34} {targets:6}  {loss:6.4}  {hit_1:.3}  {hit_5:.3}   {hit_20:.3}");
    }
}
