//! `tuppum hybonet translate`: Transformers on the hyperboloid and in Euclid's space, of one size and with one budget, learn to
//! translate Akkadian from nothing.
//!
//! Every run has a folder, in which its model and its result are kept; a run whose result is there is not made again.

mod run;
mod table;

use super::document::Place;
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;
use tuppum_corpus::pairs_file::for_each_pair;
use tuppum_hyperbolic::transformer::{Space, TransformerSettings};
use tuppum_tasks::translation::training::{Length, Pair, Plan, Settings};
use tuppum_text::random::{Draws, SplitMix64};

/// Arguments of `tuppum hybonet translate`.
#[derive(Args, Debug)]
pub struct TranslateArguments {
    /// Tables of pairs, with the columns source and target (`*.tsv`, also packed by xz).
    #[arg(long, value_delimiter = ',', default_values_os_t = pairs())]
    pairs: Vec<PathBuf>,
    /// Folder that runs are kept in: a run whose result is there is not made again.
    #[arg(long)]
    folder: PathBuf,
    /// The document whose table is written anew; without it it goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Seeds, each of a run in either space; the table gives means, with standard deviations.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
    /// Steps of every run.
    #[arg(long, default_value_t = 1000)]
    steps: u32,
    /// Highest learning rate; it rises over the first tenth of the steps and falls to nothing along a line.
    #[arg(long, default_value_t = 3e-3)]
    rate: f64,
    /// The rate of points on the hyperboloid is so many times higher.
    #[arg(long, default_value_t = 8.0)]
    points_rate: f64,
    /// Longest gradient, over all parameters together; longer ones are scaled to it.
    #[arg(long, default_value_t = 0.5)]
    clip: f64,
    /// Share of what is added to states that is dropped in training.
    #[arg(long, default_value_t = 0.0)]
    dropout: f64,
    /// Most bytes of a batch: rows times the longest source and target.
    #[arg(long, default_value_t = 4096)]
    batch_bytes: usize,
    /// Pairs whose source or target has more bytes are left out.
    #[arg(long, default_value_t = 160)]
    longest: usize,
    /// Of the held-out pairs so many, drawn by chance, are measured.
    #[arg(long, default_value_t = 1000)]
    validation: usize,
    /// So many of those are translated, for BLEU and chrF++.
    #[arg(long, default_value_t = 100)]
    translated: usize,
    /// Of each table only so many rows.
    #[arg(long)]
    limit: Option<usize>,
    /// Space-like coordinates of a state.
    #[arg(long, default_value_t = 64)]
    width: usize,
    /// Layers of the encoder.
    #[arg(long, default_value_t = 3)]
    encoder_layers: usize,
    /// Layers of the decoder.
    #[arg(long, default_value_t = 2)]
    decoder_layers: usize,
    /// Heads of attention.
    #[arg(long, default_value_t = 4)]
    heads: usize,
    /// Space-like coordinates within a feed-forward part.
    #[arg(long, default_value_t = 256)]
    feed_forward: usize,
    /// Curvature of the hyperboloid.
    #[arg(long, default_value_t = -1.0, allow_negative_numbers = true)]
    curvature: f64,
}

/// The tables of Akkadian and English that the project has.
fn pairs() -> Vec<PathBuf> {
    ["oracc/parallel/oracc_akk_en.tsv.xz", "cdli/parallel/cdli_akk_en_segments.tsv"]
        .map(|table| PathBuf::from("../shared/data").join(table))
        .to_vec()
}

/// What all runs learn from and are measured with.
#[derive(Debug)]
struct Data {
    /// All pairs that are read, and how a run trains with them, but for its seed.
    plan: Plan,
    /// How many pairs train.
    trained: usize,
    /// How many are held out.
    held: usize,
    /// Those of the held-out pairs that are measured, in the order in which they were drawn.
    measured: Vec<Pair>,
    /// How many of those stand word for word among the pairs that train.
    repeated: usize,
}

/// Makes the runs that are missing and writes the table.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &TranslateArguments) -> Result<(), String> {
    let place = Place::of(arguments.out.as_ref(), "translate")?;
    if arguments.seeds.is_empty() {
        return Err("there is no seed; give at least one by --seeds".into());
    }
    for space in Space::ALL {
        arguments.model(space).check()?;
    }
    let data = data(arguments)?;
    let Data { trained, held, measured, .. } = &data;
    eprintln!("{trained} pairs to learn from, {held} held out, {} of them to measure with", measured.len());
    let mut results = Vec::new();
    for seed in &arguments.seeds {
        for space in Space::ALL {
            results.push(run::kept(arguments, &arguments.model(space), *seed, &data)?);
        }
    }
    place.fill(&table::table(arguments, &data, &results)?)
}

impl TranslateArguments {
    /// The model of a space.
    fn model(&self, space: Space) -> TransformerSettings {
        TransformerSettings {
            space,
            curvature: self.curvature,
            width: self.width,
            encoder_layers: self.encoder_layers,
            decoder_layers: self.decoder_layers,
            heads: self.heads,
            feed_forward: self.feed_forward,
            longest: self.longest + 1,
            ..TransformerSettings::default()
        }
    }

    /// How a run trains, but for its seed. No augmentation and no decay, as in the published runs.
    fn training(&self) -> Settings {
        Settings {
            length: Length::Steps(self.steps),
            rate: self.rate,
            points_rate: self.points_rate,
            clip: self.clip,
            dropout: self.dropout,
            batch_bytes: self.batch_bytes,
            longest: self.longest,
            weight_decay: 0.0,
            augmented: 0.0,
            ..Settings::default()
        }
    }
}

fn data(arguments: &TranslateArguments) -> Result<Data, String> {
    let mut pairs = Vec::new();
    for path in &arguments.pairs {
        let keep = |pair: tuppum_corpus::pairs_file::Pair| pairs.push(Pair::new(pair.text, pair.source, pair.target));
        for_each_pair(path, arguments.limit, keep).map_err(|error| error.to_string())?;
    }
    let plan = Plan { pairs, settings: arguments.training() };
    plan.check()?;
    let [trained, mut held] = plan.split();
    SplitMix64::new(0).shuffle(&mut held);
    let measured: Vec<Pair> =
        held.iter().take(arguments.validation).map(|number| plan.pairs[*number].clone()).collect();
    if measured.is_empty() {
        return Err(format!(
            "of {} pairs none is held out to measure with: pairs of one text stay together, so there must be two texts at least, \
             and --validation must be 1 or more",
            plan.pairs.len()
        ));
    }
    let both = |pair: &Pair| (pair.source.clone(), pair.target.clone());
    let learnt: HashSet<_> = trained.iter().map(|number| both(&plan.pairs[*number])).collect();
    let repeated = measured.iter().filter(|pair| learnt.contains(&both(pair))).count();
    Ok(Data { trained: trained.len(), held: held.len(), measured, repeated, plan })
}
