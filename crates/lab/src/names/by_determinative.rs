//! `tuppum-lab hybonet names`: gods, persons and places told apart by the distance classifier, without determinatives.

use super::classifier::{Classifier, NameClassifierSettings};
use super::split::{MarkedKind, NameSpelling, NameSplit};
use crate::document::{DocumentSection, deviation, mean, named_seeds};
use clap::Args;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;
use tuppum_cli::failure::Result;
use tuppum_corpus::hierarchy::words::WordCounts;
use tuppum_corpus::signs_file::{corpora, for_each_row};

#[derive(Args, Debug)]
pub struct NamesArguments {
    /// Corpus, or folder of corpora, whose words are looked at.
    #[arg(long, default_value = "../shared/data/oracc")]
    data: PathBuf,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Dimensions to try.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16])]
    dimensions: Vec<usize>,
    /// Passes over the names.
    #[arg(long, default_value_t = 40)]
    epochs: u32,
    /// Learning rate.
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Share by which coordinates shrink in a step, over the learning rate.
    #[arg(long, default_value_t = 0.01)]
    decay: f64,
    /// Names in a batch.
    #[arg(long, default_value_t = 32)]
    batch: usize,
    /// Seeds, each of other names held out and of another run; the table gives means, with standard deviations.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
}

/// Trains a classifier for each geometry and dimension and writes the table.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &NamesArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "names")?;
    let mut words = WordCounts::default();
    for file in corpora(&arguments.data)? {
        for_each_row(&file, None, |row| words.add(row))?;
    }
    place.fill(&table(arguments, &words.words)?)
}

fn table(arguments: &NamesArguments, words: &HashMap<String, u64>) -> Result<String> {
    let of_seed = |seed: &u64| Ok(NameSplit::of(words.iter().map(|(word, times)| (word.as_str(), *times)), *seed)?);
    let parts = arguments.seeds.iter().map(of_seed).collect::<Result<Vec<_>>>()?;
    let first = parts.first().ok_or("there is no seed; give at least one by --seeds")?;
    let of_kind = |kind: MarkedKind| first.train.iter().chain(&first.test).filter(|name| name.kind == kind).count();
    let counts = MarkedKind::ALL.map(|kind| format!("{} {kind}", of_kind(kind))).join(", ");
    let mut out = format!(
        "{counts} names by spelling, {} of them held out; {} spellings name more than one kind and count as the \
         commonest. {} epochs, batches of {}, learning rate {}, {}. Percentages of the names held out, means over the \
         seeds, with standard deviations where there are several.\n\n\
         | geometry | dimension | right | mean F1 of the kinds | F1 divine | F1 personal | F1 place | seconds each \
         |\n|---|---|---|---|---|---|---|---|\n",
        first.test.len(),
        first.ambiguous,
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        named_seeds(&arguments.seeds)
    );
    let commonest: Vec<_> = parts.iter().map(|names| figures(&names.test, |_| commonest(&names.train))).collect();
    // Writing into a string never fails.
    let _ = writeln!(out, "| always the commonest | – | {} | – |", row(&commonest));
    for dimension in &arguments.dimensions {
        for hyperbolic in [true, false] {
            let begun = Instant::now();
            let mut found = Vec::new();
            for (seed, names) in arguments.seeds.iter().zip(&parts) {
                let NamesArguments { epochs, rate, decay, batch, .. } = *arguments;
                let settings = NameClassifierSettings {
                    hyperbolic,
                    dimension: *dimension,
                    rate,
                    epochs,
                    batch,
                    decay,
                    seed: *seed,
                };
                let mut classifier = Classifier::new(settings, names.features)?;
                classifier.train(&names.train);
                found.push(figures(&names.test, |name| classifier.kind(name)));
            }
            let seconds = begun.elapsed().as_secs_f64() / found.len().max(1) as f64;
            let geometry = if hyperbolic { "lorentz" } else { "euclidean" };
            let _ = writeln!(out, "| {geometry} | {dimension} | {} | {seconds:.0} |", row(&found));
        }
    }
    Ok(out)
}

fn commonest(names: &[NameSpelling]) -> MarkedKind {
    let count = |kind: &MarkedKind| names.iter().filter(|name| name.kind == *kind).count();
    MarkedKind::ALL.into_iter().max_by_key(count).unwrap_or(MarkedKind::Personal)
}

/// Returns the share that is right, the mean of the kinds' F1, and each F1, in percent.
fn figures(names: &[NameSpelling], kind: impl Fn(&NameSpelling) -> MarkedKind) -> [f64; 5] {
    let found: Vec<(MarkedKind, MarkedKind)> = names.iter().map(|name| (name.kind, kind(name))).collect();
    let share =
        |wanted: &dyn Fn(&(MarkedKind, MarkedKind)) -> bool| found.iter().filter(|pair| wanted(pair)).count() as f64;
    let f1 = MarkedKind::ALL.map(|kind| {
        let both = share(&|pair| *pair == (kind, kind));
        let either = share(&|pair| pair.0 == kind) + share(&|pair| pair.1 == kind);
        200.0 * both / either.max(1.0)
    });
    let right = 100.0 * share(&|(own, other)| own == other) / found.len().max(1) as f64;
    [right, mean(&f1), f1[0], f1[1], f1[2]]
}

/// Returns the means of some runs' figures as cells, the first two with their spread.
fn row(runs: &[[f64; 5]]) -> String {
    let cell = |at: usize| {
        let own: Vec<f64> = runs.iter().map(|run| run[at]).collect();
        let spread = at < 2 && runs.len() > 1;
        if spread { format!("{:.1} ± {:.1}", mean(&own), deviation(&own)) } else { format!("{:.1}", mean(&own)) }
    };
    (0..5).map(cell).collect::<Vec<_>>().join(" | ")
}
