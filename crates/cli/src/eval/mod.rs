//! `tuppum eval`: measures a model on any corpus of signs or of translations.

mod translation;

use super::corpus;
use super::restore::open;
use super::terminal::style;
use crate::device::{DeviceArguments, advise};
use crate::failure::{About, Result};
use clap::{Args, Subcommand};
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::fmt::{Display, Write};
use std::path::PathBuf;
use tuppum_corpus::context::{ContextScorer, Contexts, Weights};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_domain::restoration::Scorer;
use tuppum_eval::restoration::{Evaluation, RATE, Report, RestorationScores, SEED, choose, read_places};
use tuppum_nn::torso::{NeverYields, TorsoScorer};
use tuppum_text::signs::Priors;
use tuppum_text::tokens::Vocabulary;
use tuppum_train::sequences::{Sequence, TextGatherer};
use tuppum_weights::Model;

/// Arguments of `tuppum eval`.
#[derive(Args, Debug)]
pub struct EvalArguments {
    #[command(subcommand)]
    model: Evaluated,
}

#[derive(Subcommand, Debug)]
enum Evaluated {
    /// Mask 15 % of the preserved and damaged signs of a corpus and restore them: loss, hit@1/5/10/20, mean reciprocal
    /// rank.
    Restore(RestoreArguments),
    /// Translate the sources of pairs and compare with their translations: BLEU, chrF++, and the root of their product.
    Translate(translation::EvalTranslationArguments),
}

#[derive(Args, Debug)]
struct RestoreArguments {
    /// A corpus (`*_signs.tsv`, also packed by xz), or a folder with corpora in it or below.
    #[arg(long)]
    data: PathBuf,
    /// Folder of the model.
    #[arg(long, default_value = "models/restorer")]
    model: PathBuf,
    /// Read this many rows of each corpus only.
    #[arg(long)]
    limit: Option<usize>,
    /// Mask these places, a table with the columns sequence and place, instead of choosing by seed.
    #[arg(long)]
    positions: Option<PathBuf>,
    /// Seed that chooses the places.
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Longest sequence, in tokens; longer texts are cut.
    #[arg(long, default_value_t = 384, value_parser = clap::value_parser!(u16).range(8..=768))]
    window: u16,
    /// Leave out the scores without word boundary, which cost five passes more for each one.
    #[arg(long)]
    boundary_given_only: bool,
    /// A pack of attested texts (`tuppum corpus build`): restore by their contexts too. It must not hold the corpus
    /// that is measured.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Evaluates and prints.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &EvalArguments) -> Result<()> {
    match &arguments.model {
        Evaluated::Restore(arguments) => restore(arguments),
        Evaluated::Translate(arguments) => translation::run(arguments),
    }
}

fn restore(arguments: &RestoreArguments) -> Result<()> {
    let device = arguments.device.open()?;
    advise("A smaller --window takes less.");
    let model = open(&arguments.model, &device)?;
    let sequences = sequences(arguments, &model.vocabulary)?;
    let places = match &arguments.positions {
        Some(path) => {
            let table = std::fs::read_to_string(path).at(path)?;
            read_places(&table, &sequences).at(path)?
        }
        None => choose(&sequences, RATE, arguments.seed),
    };
    let report = evaluate(arguments, model, &sequences, &places)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", table(&report));
    }
    Ok(())
}

/// Returns the corpora as sequences of tokens.
fn sequences(arguments: &RestoreArguments, vocabulary: &Vocabulary) -> Result<Vec<Sequence>> {
    let mut texts = TextGatherer::default();
    for file in corpora(&arguments.data)? {
        for_each_row(&file, arguments.limit, |row| texts.add(row))?;
        texts.end_file();
    }
    Ok(texts.cut(vocabulary, arguments.window.into()))
}

fn evaluate(
    arguments: &RestoreArguments,
    model: Model,
    sequences: &[Sequence],
    places: &[Vec<usize>],
) -> Result<Report> {
    let mut scorer = TorsoScorer::new(model.torso, NeverYields);
    let measured = Measured { sequences, places, vocabulary: &model.vocabulary };
    let Some(pack) = &arguments.corpus else { return measured.by(&mut scorer, arguments) };
    let (corpus, weights) = (corpus::opened(pack)?, Weights::shipped());
    let contexts = Contexts { corpus: &corpus, weights: &weights };
    measured.by(&mut ContextScorer::new(scorer, &model.vocabulary, contexts, None), arguments)
}

/// Sequences and places that are measured.
struct Measured<'a> {
    sequences: &'a [Sequence],
    places: &'a [Vec<usize>],
    vocabulary: &'a Vocabulary,
}

impl Measured<'_> {
    fn by<S: Scorer>(&self, scorer: &mut S, arguments: &RestoreArguments) -> Result<Report>
    where
        S::Error: Display,
    {
        let mut evaluation = Evaluation::new(!arguments.boundary_given_only);
        let bar = ProgressBar::new(self.sequences.len() as u64)
            .with_style(style("evaluating {bar:30} {pos}/{len} sequences, {eta} left"));
        for (sequence, places) in self.sequences.iter().zip(self.places) {
            block_on(evaluation.add(sequence, places, self.vocabulary, Priors::shared(), scorer))
                .map_err(|error| format!("the model could not score a sequence: {error}"))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(evaluation.report())
    }
}

/// Writes the report as a table for the terminal.
fn table(report: &Report) -> String {
    let mut text = String::from("word boundary   signs    loss  hit@1  hit@5  hit@10  hit@20    MRR\n");
    let unknown = report.boundary_unknown.as_ref().map(|scores| ("unknown", scores));
    for (name, scores) in std::iter::once(("given", &report.boundary_given)).chain(unknown) {
        let RestorationScores { targets, loss, hit_1, hit_5, hit_10, hit_20, mrr } = scores;
        let _ = writeln!(
            text,
            "{name:13} {targets:7}  {loss:6.4}  {hit_1:.3}  {hit_5:.3}   {hit_10:.3}   {hit_20:.3}  {mrr:.3}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_per_way_of_asking() {
        let scores = RestorationScores {
            targets: 2001,
            loss: 1.74561,
            hit_1: 0.5837,
            hit_5: 0.79,
            hit_10: 0.86,
            hit_20: 0.91,
            mrr: 0.678,
        };
        let report = Report { boundary_given: scores, boundary_unknown: Some(scores) };
        let expected = "given            2001  1.7456  0.584  0.790   0.860   0.910  0.678";
        assert_eq!(table(&report).lines().nth(1), Some(expected));
        assert_eq!(table(&report).lines().count(), 3);
        assert_eq!(table(&Report::default()).lines().count(), 2);
    }
}
