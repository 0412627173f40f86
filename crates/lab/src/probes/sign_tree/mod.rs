//! `tuppum-lab hybonet sign-probe`: the tree of signs and readings in the states of encoders, layer by layer, beside
//! controls that know no text.

mod picture;

use super::encoders::{Encoder, EncoderArguments, check_layers};
use crate::document::{DocumentSection, deviation, mean, named_seeds};
use crate::probes::occurrences::{Gathering, LONGEST_LINE, Occurrences};
use crate::probes::signs::{Agreement, CEILING, Readings, SignProbePlan, Trial};
use clap::Args;
use picture::Measured;
use std::fmt::Write;
use std::path::PathBuf;
use tuppum_cli::device::DeviceArguments;
use tuppum_cli::failure::{About, Failure, Result};
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_geometry::Random;
use tuppum_text::signs::taxonomy::SignTree;

/// Seed of the lines, which are the same for all seeds of the probes.
const LINES_SEED: u64 = 0;

#[derive(Args, Debug)]
pub struct SignProbeArguments {
    /// Corpus, or folder of corpora, whose lines are read.
    #[arg(long, default_value = "../shared/data/oracc")]
    data: PathBuf,
    #[command(flatten)]
    encoders: EncoderArguments,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// File for the picture, as SVG.
    #[arg(long)]
    picture: Option<PathBuf>,
    /// Layers to probe, 0 for the embeddings [default: all]. An encoder with fewer layers is probed in the layers that
    /// it has.
    #[arg(long, value_delimiter = ',')]
    layers: Vec<usize>,
    /// Minimum number of occurrences of a reading, on lines of up to 512 bytes.
    #[arg(long, default_value_t = 20)]
    seen: usize,
    /// Number of places at which each reading is looked at.
    #[arg(long, default_value_t = 8)]
    occurrences: usize,
    /// Space-like coordinates that states are mapped to.
    #[arg(long, default_value_t = 16)]
    dimension: usize,
    /// Groups of readings of two signs that a probe learns from.
    #[arg(long, default_value_t = 2_000)]
    groups: usize,
    /// Passes over the groups.
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Learning rate at the beginning; it falls evenly to zero.
    #[arg(long, default_value_t = 5e-3)]
    rate: f64,
    /// Groups in a batch.
    #[arg(long, default_value_t = 20)]
    batch: usize,
    /// Seeds, each of other signs held out and of another run; the table gives means, with standard deviations.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Opens the encoders, computes states, trains the probes, writes the table and draws the picture.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &SignProbeArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "sign-probe")?;
    if arguments.seeds.is_empty() {
        return Err("there is no seed; give at least one by --seeds".into());
    }
    if arguments.occurrences == 0 {
        return Err("readings must be looked at in one place at least; give --occurrences 1 or more".into());
    }
    let encoders = arguments.encoders.open(&arguments.device.open()?)?;
    check_layers(&arguments.layers, &encoders)?;
    let occurrences = gathered(arguments, &encoders)?;
    let readings = Readings::of(&occurrences.nodes, SignTree::shared());
    let mut rows = controls(arguments, &occurrences, &readings, encoders[0].width())?;
    for encoder in &encoders {
        let layers = encoder.layers_of(&arguments.layers);
        for (layer, states) in layers.iter().zip(encoder.states(&occurrences, &layers)?) {
            rows.push(measured(arguments, (&encoder.name, Some(*layer)), &readings, |_| states.clone())?);
        }
    }
    if let Some(path) = &arguments.picture {
        let drawn = picture::drawn(&rows, arguments.seeds.len());
        std::fs::write(path, drawn).cannot("be written", path)?;
    }
    place.fill(&table(arguments, &occurrences, &readings, &rows))
}

/// Returns the lines that all encoders read.
fn gathered(arguments: &SignProbeArguments, encoders: &[Encoder]) -> Result<Occurrences> {
    let knows = |reading: &str, starts_word| encoders.iter().all(|encoder| encoder.knows(reading, starts_word));
    let longest = encoders.iter().filter_map(Encoder::longest).fold(LONGEST_LINE, usize::min);
    let mut gathering = Gathering::new(knows, longest);
    for file in corpora(&arguments.data)? {
        for_each_row(&file, None, |row| gathering.add(row.transliteration))?;
    }
    Ok(gathering.draw(SignTree::shared(), arguments.seen, arguments.occurrences, LINES_SEED))
}

/// Measures the two controls without an encoder: a vector drawn for each reading, and the mean of vectors drawn for
/// each byte of its spelling.
fn controls(
    arguments: &SignProbeArguments,
    occurrences: &Occurrences,
    readings: &Readings,
    width: usize,
) -> Result<Vec<Measured>> {
    let by_chance = |seed: u64| {
        let mut random = Random::new(seed);
        (0..occurrences.readings.len() * width).map(|_| random.normal() as f32).collect()
    };
    let by_spelling = |seed: u64| {
        let mut random = Random::new(seed);
        let bytes: Vec<Vec<f32>> = (0..256).map(|_| (0..width).map(|_| random.normal() as f32).collect()).collect();
        let state = |reading: &String| -> Vec<f32> {
            let own = |at: usize| reading.bytes().map(|byte| bytes[usize::from(byte)][at]).sum::<f32>();
            (0..width).map(|at| own(at) / reading.len() as f32).collect()
        };
        occurrences.readings.iter().flat_map(state).collect()
    };
    Ok(vec![
        measured(arguments, ("random", None), readings, by_chance)?,
        measured(arguments, ("spelling", None), readings, by_spelling)?,
    ])
}

/// Returns a row: states are split, looked at as they are, and probed in both geometries, a thread for each.
fn measured(
    arguments: &SignProbeArguments,
    (name, layer): (&str, Option<usize>),
    readings: &Readings,
    states: impl Fn(u64) -> Vec<f32>,
) -> Result<Measured> {
    let mut runs = Vec::new();
    for seed in &arguments.seeds {
        let trial = &Trial::new(readings, &states(*seed), plan(arguments, *seed))?;
        let [lorentz, euclidean] = std::thread::scope(|scope| {
            let threads = [true, false].map(|hyperbolic| scope.spawn(move || trial.probed(hyperbolic)));
            threads.map(|thread| thread.join())
        })
        .map(|found| Ok::<_, Failure>(found.map_err(|_| "a thread of the probe broke off")??));
        runs.push([trial.plain(), lorentz?, euclidean?]);
    }
    let row = Measured { name: name.to_owned(), layer, runs };
    eprintln!("{}", line(&row));
    Ok(row)
}

fn plan(arguments: &SignProbeArguments, seed: u64) -> SignProbePlan {
    let SignProbeArguments { dimension, rate, groups, epochs, batch, .. } = *arguments;
    SignProbePlan { dimension, rate, groups, epochs, batch, seed }
}

/// Returns the table, with a line on how it was made.
fn table(arguments: &SignProbeArguments, occurrences: &Occurrences, readings: &Readings, rows: &[Measured]) -> String {
    let of_seeds =
        |told: &dyn Fn(u64) -> String| arguments.seeds.iter().map(|seed| told(*seed)).collect::<Vec<_>>().join(", ");
    let places: usize = occurrences.lines.iter().map(|line| line.uses.len()).sum();
    let mut out = format!(
        "{} readings of {} signs, seen at least {} times, looked at in {places} places of {} lines. Held out: {} \
         readings. {} dimensions, {} groups, {} epochs, batches of {}, learning rate {}, {}. Rank correlations in \
         percent, means over the seeds, with standard deviations where there are several. The first three are over as \
         many pairs of one sign as of two among the readings held out, and at most {CEILING:.1}; \"all\" is over all \
         pairs of readings held out, and at most {}; \"learnt\" is as the first three, among the readings learnt \
         from.\n\n\
         | encoder | layer | plain | Lorentz | Euclidean | all: plain | all: Lorentz | all: Euclidean | learnt: \
         Lorentz | learnt: Euclidean |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        occurrences.readings.len(),
        readings.signs(),
        arguments.seen,
        occurrences.lines.len(),
        of_seeds(&|seed| readings.held_out(seed).to_string()),
        arguments.dimension,
        arguments.groups,
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        named_seeds(&arguments.seeds),
        of_seeds(&|seed| format!("{:.1}", readings.ceiling(seed))),
    );
    for row in rows {
        // Writing into a string never fails.
        let _ = writeln!(out, "{}", line(row));
    }
    out
}

/// Returns a row of the table.
fn line(row: &Measured) -> String {
    let cell = |figure: &dyn Fn(&[Agreement; 3]) -> f64| {
        let own: Vec<f64> = row.runs.iter().map(figure).collect();
        match own.len() {
            1 => format!("{:.1}", mean(&own)),
            _ => format!("{:.1} ± {:.1}", mean(&own), deviation(&own)),
        }
    };
    let mut cells: Vec<String> = (0..3).map(|number| cell(&|run| run[number].held_out)).collect();
    cells.extend((0..3).map(|number| cell(&|run| run[number].all)));
    cells.extend((1..3).map(|number| cell(&|run| run[number].learnt)));
    let layer = row.layer.map_or_else(|| "–".to_owned(), |layer| layer.to_string());
    format!("| {} | {layer} | {} |", row.name, cells.join(" | "))
}
