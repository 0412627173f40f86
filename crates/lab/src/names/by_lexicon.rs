//! `tuppum-lab hybonet name-kinds`: tells every kind of names, and words that are none, apart by spelling and company,
//! beside nearest spellings and Euclid's space; writes the model for use.

use super::kinds::examples::{LemmaPart, MaxOccurrences, NameExamples, WordLines};
use super::kinds::lexicon::LexiconCounter;
use super::kinds::nearest::{NearestSpelling, commonest};
use super::kinds::scores::{KindAnswer, KindScores, temperature};
use super::kinds::training::{KindClassifier, KindSettings, MinSpellings, Vocabulary};
use super::tables::{Row, tables};
use crate::document::DocumentSection;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;
use tuppum_cli::failure::{About, Result};
use tuppum_corpus::glosses::for_each_entry;
use tuppum_corpus::signs_file::{corpora, for_each_row};

#[derive(Args, Debug)]
pub struct NameKindsArguments {
    /// Corpus, or folder of corpora, in whose lines words are looked at.
    #[arg(long, default_value = "../shared/data/oracc")]
    data: PathBuf,
    /// Table of a lexicon with the kinds of words.
    #[arg(long, default_value = "../shared/data/oracc/lexicon/oracc_forms.tsv.xz")]
    lexicon: PathBuf,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write the model for use here, learnt from all names.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Measure on the lemmata to choose settings by instead of those to report.
    #[arg(long)]
    choose: bool,
    /// Space-like coordinates of a point.
    #[arg(long, default_value_t = 10)]
    dimension: usize,
    /// Passes over the examples.
    #[arg(long, default_value_t = 6)]
    epochs: u32,
    /// Learning rate at the beginning.
    #[arg(long, default_value_t = 0.02)]
    rate: f64,
    /// Share by which coordinates shrink in a step, over the learning rate.
    #[arg(long, default_value_t = 0.0)]
    decay: f64,
    /// Examples in a batch.
    #[arg(long, default_value_t = 64)]
    batch: usize,
    /// Share of the examples whose determinatives are left out in training.
    #[arg(long, default_value_t = 0.4)]
    bare: f64,
    /// Share of an example's features that are left out in training.
    #[arg(long, default_value_t = 0.1)]
    dropped: f64,
    /// Minimum number of spellings with a feature of the word.
    #[arg(long, default_value_t = 5)]
    fewest: u32,
    /// Minimum number of spellings whose examples have a feature of the company.
    #[arg(long, default_value_t = 16)]
    fewest_company: u32,
    /// Maximum number of occurrences of a name's spelling that are looked at.
    #[arg(long, default_value_t = 10)]
    names: usize,
    /// Maximum number of occurrences of any other spelling.
    #[arg(long, default_value_t = 3)]
    others: usize,
    /// Seeds, each of other names held out and of another run.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
}

/// The numbers of one seed's examples.
struct Parts {
    seed: u64,
    learnt: Vec<u32>,
    chosen_by: Vec<u32>,
    measured: Vec<u32>,
}

impl NameKindsArguments {
    fn settings(&self, hyperbolic: bool, company: bool, seed: u64) -> KindSettings {
        let Self { dimension, rate, epochs, batch, decay, bare, dropped, .. } = *self;
        KindSettings { hyperbolic, company, dimension, rate, epochs, batch, decay, bare, dropped, seed }
    }

    fn vocabulary(&self, examples: &NameExamples, learnt: &[u32]) -> Vocabulary {
        Vocabulary::of(examples, learnt, MinSpellings { word: self.fewest, company: self.fewest_company })
    }
}

/// Trains, measures, writes the table and the model.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &NameKindsArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "name-kinds")?;
    let examples = gathered(arguments)?;
    if examples.all.is_empty() {
        return Err(
            "no word of the corpus is in the lexicon with a clear meaning; give the lexicon of the corpus".into()
        );
    }
    let (mut rows, mut temperatures) = (first_rows(arguments, &examples), Vec::new());
    for (name, hyperbolic, company) in
        [("euclidean", false, true), ("lorentz, spelling alone", true, false), ("lorentz", true, true)]
    {
        let begun = Instant::now();
        let mut row = Row::named(name);
        temperatures.clear();
        for parts in all_parts(arguments, &examples) {
            let settings = arguments.settings(hyperbolic, company, parts.seed);
            let vocabulary = arguments.vocabulary(&examples, &parts.learnt);
            let mut classifier = KindClassifier::new(settings, vocabulary)?;
            classifier.train(&examples, &parts.learnt);
            classifier.temperature = fitted(&classifier, &examples, &parts.chosen_by);
            temperatures.push(classifier.temperature);
            row.add([true, false].map(|determinatives| {
                scores(&examples, &parts.measured, |number, truth| {
                    let logits = classifier.logits(&examples, number, determinatives);
                    KindAnswer::of(&logits, classifier.temperature, truth)
                })
            }));
        }
        row.seconds = begun.elapsed().as_secs_f64() / arguments.seeds.len().max(1) as f64;
        rows.push(row);
    }
    let mut written = tables(&counts(arguments, &examples), &rows);
    if let Some(path) = &arguments.model {
        written.push_str(&model(arguments, &examples, path, &temperatures)?);
    }
    place.fill(&written)
}

fn gathered(arguments: &NameKindsArguments) -> Result<NameExamples> {
    let (mut lexicon, mut lines) = (LexiconCounter::default(), WordLines::default());
    for_each_entry(&arguments.lexicon, |row| lexicon.add(row))?;
    for file in corpora(&arguments.data)? {
        for_each_row(&file, None, |row| lines.add(row))?;
    }
    let most = MaxOccurrences { names: arguments.names, others: arguments.others };
    Ok(NameExamples::of(&lines, &lexicon.clear(), most))
}

fn all_parts<'e>(arguments: &'e NameKindsArguments, examples: &'e NameExamples) -> impl Iterator<Item = Parts> + 'e {
    arguments.seeds.iter().map(|seed| {
        let of = |part| examples.part(part, *seed);
        let chosen_by = of(LemmaPart::Choose);
        let measured = if arguments.choose { chosen_by.clone() } else { of(LemmaPart::Test) };
        Parts { seed: *seed, learnt: of(LemmaPart::Train), chosen_by, measured }
    })
}

/// Measures the two baselines: the commonest class, and the nearest spelling.
fn first_rows(arguments: &NameKindsArguments, examples: &NameExamples) -> Vec<Row> {
    let (mut always, mut nearest) = (Row::named("always the commonest"), Row::named("nearest spelling"));
    for parts in all_parts(arguments, examples) {
        let class = commonest(examples, &parts.learnt);
        let told = |truth, class| KindAnswer { truth, class, probability: 1.0 };
        always.add([0, 1].map(|_| scores(examples, &parts.measured, |_, truth| told(truth, class))));
        if arguments.choose {
            continue;
        }
        nearest.add([true, false].map(|determinatives| {
            let known = NearestSpelling::of(examples, &parts.learnt, determinatives);
            let (mut last, mut class) = (u32::MAX, 0);
            scores(examples, &parts.measured, |number, truth| {
                let spelling = examples.all[number as usize].spelling;
                if spelling != last {
                    (last, class) = (spelling, known.class(&examples.spellings[spelling as usize].0));
                }
                told(truth, class)
            })
        }));
    }
    vec![always, nearest].into_iter().filter(|row| !row.is_empty()).collect()
}

fn scores(examples: &NameExamples, measured: &[u32], mut tell: impl FnMut(u32, usize) -> KindAnswer) -> KindScores {
    let told: Vec<KindAnswer> =
        measured.iter().map(|number| tell(*number, examples.all[*number as usize].class)).collect();
    KindScores::of(&told)
}

/// Returns the temperature by names that are neither learnt from nor measured on, with and without determinatives.
fn fitted(classifier: &KindClassifier, examples: &NameExamples, chosen_by: &[u32]) -> f64 {
    let both = [true, false].into_iter().flat_map(|determinatives| {
        chosen_by.iter().map(move |number| {
            (classifier.logits(examples, *number, determinatives), examples.all[*number as usize].class)
        })
    });
    temperature(&both.collect::<Vec<_>>())
}

/// Returns the sentences above the tables.
fn counts(arguments: &NameKindsArguments, examples: &NameExamples) -> String {
    let names = examples.all.iter().filter(|example| example.class > 0).count();
    let held_out: Vec<usize> = all_parts(arguments, examples).map(|parts| parts.measured.len()).collect();
    let NameKindsArguments { dimension, epochs, rate, decay, batch, bare, dropped, .. } = arguments;
    format!(
        "{} examples of {} spellings, {names} of them names; of the names and other words of seeds {:?} {held_out:?} \
         examples are held out. {dimension} dimensions, {epochs} epochs, batches of {batch}, learning rate {rate} \
         falling to 0, decay {decay}; in training determinatives are left out of {:.0} % of the examples and {:.0} % \
         of all features. Percentages, means over the seeds with standard deviations; F1 is the mean over the ten \
         kinds of names.",
        examples.all.len(),
        examples.spellings.len(),
        arguments.seeds,
        100.0 * bare,
        100.0 * dropped,
    )
}

/// Trains once more on all names and writes the model, with the mean temperature of the measured ones.
fn model(
    arguments: &NameKindsArguments,
    examples: &NameExamples,
    path: &PathBuf,
    temperatures: &[f64],
) -> Result<String> {
    let all: Vec<u32> = (0..examples.all.len() as u32).collect();
    let settings = arguments.settings(true, true, 1);
    let mut classifier = KindClassifier::new(settings, arguments.vocabulary(examples, &all))?;
    classifier.train(examples, &all);
    classifier.temperature = crate::document::mean(temperatures);
    let model = classifier.model(examples)?;
    let bytes = model.write();
    std::fs::write(path, &bytes).cannot("be written", path)?;
    Ok(format!(
        "\nThe model for use is learnt in the same way from all of the names: {} features, {} bytes, temperature \
         {:.2}.\n",
        model.feature_count(),
        bytes.len(),
        classifier.temperature
    ))
}
