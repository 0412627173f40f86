//! `tuppum hybonet probe`: dependency trees in the states of the restorer, layer by layer, beside controls that know no
//! tree.

use super::document::DocumentSection;
use super::spread::{deviation, mean, named_seeds};
use crate::device::DeviceArguments;
use crate::failure::{About, Result, at};
use crate::restore::open;
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tuppum_corpus::signs_file::text_of;
use tuppum_corpus::treebank::{self, Sentence};
use tuppum_geometry::Random;
use tuppum_hyperbolic::error::SettingsError;
use tuppum_hyperbolic::probe::linear::{LinearProbeSettings, Probe, ProbeExample, Target};
use tuppum_hyperbolic::probe::scores::{ProbeScores, ProbedDistances};
use tuppum_hyperbolic::probe::words::{Read, StateScale};
use tuppum_nn::torso::{NeverYields, Torso};
use tuppum_tasks::restoration::Row;

#[derive(Args, Debug)]
pub struct ProbeArguments {
    /// Treebank: a file .conllu or .conllu.xz, or a folder of such files.
    #[arg(long, default_value = "../shared/data/ud_akkadian")]
    treebank: PathBuf,
    /// Folder of the restorer.
    #[arg(long, default_value = "models/restorer")]
    model: PathBuf,
    /// The document whose table is written anew; without it it goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Layers to probe, 0 for the embeddings; all where none is given.
    #[arg(long, value_delimiter = ',')]
    layers: Vec<usize>,
    /// Space-like coordinates that states are mapped to.
    #[arg(long, default_value_t = 16)]
    dimension: usize,
    /// Passes over the sentences.
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Learning rate at the beginning; it falls evenly to zero.
    #[arg(long, default_value_t = 5e-3)]
    rate: f64,
    /// Sentences in a batch.
    #[arg(long, default_value_t = 20)]
    batch: usize,
    /// Seeds, each of other texts held out and of another run; the table gives means, with standard deviations.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
    /// Of the sentences only so many, drawn by chance; all where it is not given.
    #[arg(long)]
    sentences: Option<usize>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Reads the treebank, computes the states, trains the probes and writes the table.
///
/// # Errors
/// A sentence or two for the user.
pub fn run(arguments: &ProbeArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "probe")?;
    if arguments.seeds.is_empty() {
        return Err("there is no seed; give at least one by --seeds".into());
    }
    let sentences = sentences(&arguments.treebank)?;
    let model = open(&arguments.model, &arguments.device.open()?)?;
    let deepest = model.torso.config().layers;
    let layers = if arguments.layers.is_empty() { (0..=deepest).collect() } else { arguments.layers.clone() };
    if let Some(layer) = layers.iter().find(|layer| **layer > deepest) {
        return Err(format!("there is no layer {layer}; the model has {deepest}, and 0 for its embeddings").into());
    }
    let longest = model.torso.config().longest;
    let mut read: Vec<Read> = sentences.iter().map(|sentence| Read::of(sentence, &model.vocabulary)).collect();
    read.retain(|read| read.places.len() > 1 && read.ids.len() <= longest);
    if let Some(most) = arguments.sentences {
        Random::new(0).shuffle(&mut read);
        read.truncate(most);
    }
    let splits: Vec<Split> = arguments.seeds.iter().map(|seed| Split::of(&read, *seed)).collect();
    if splits.iter().any(|split| split.train.is_empty() || split.test.is_empty()) {
        return Err(
            "there are too few texts: one of five is held out, and sentences of at least two words are needed".into()
        );
    }
    let mut out = heading(arguments, &sentences, &read, &splits);
    chains(&read, &splits, &mut out);
    let width = model.torso.config().d_model;
    measure(arguments, "random", &by_chance(&read, width), width, &read, &splits, &mut out)?;
    let states = states(&model.torso, &read, &layers)?;
    for (layer, states) in layers.iter().zip(&states) {
        measure(arguments, &layer.to_string(), states, width, &read, &splits, &mut out)?;
    }
    place.fill(&out)
}

/// The sentences of a treebank, file by file in order of name.
fn sentences(path: &Path) -> Result<Vec<Sentence>> {
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.at(path)?;
        let is_treebank = |path: &PathBuf| {
            let name = path.to_string_lossy();
            name.ends_with(".conllu") || name.ends_with(".conllu.xz")
        };
        files = entries.into_iter().map(|entry| entry.path()).filter(is_treebank).collect();
        files.sort();
    }
    if files.is_empty() {
        return Err(at(path, "there is no file .conllu or .conllu.xz in this folder"));
    }
    let mut sentences = Vec::new();
    for file in files {
        let text = text_of(&file)?;
        sentences.extend(treebank::parse(&text).at(&file)?);
    }
    Ok(sentences)
}

/// Numbers of the sentences to learn from, and of those to measure on.
struct Split {
    train: Vec<usize>,
    test: Vec<usize>,
}

impl Split {
    /// One of five texts is held out; of its sentences those that are also written in a text to learn from are left
    /// out.
    fn of(read: &[Read], seed: u64) -> Self {
        let mut texts: Vec<&str> =
            read.iter().map(|read| read.text.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
        Random::new(seed).shuffle(&mut texts);
        let held_out: HashSet<&str> = texts.iter().take(texts.len() / 5).copied().collect();
        let (test, train): (Vec<usize>, Vec<usize>) =
            (0..read.len()).partition(|number| held_out.contains(read[*number].text.as_str()));
        let learnt: HashSet<&str> = train.iter().map(|number| read[*number].line.as_str()).collect();
        let test = test.into_iter().filter(|number| !learnt.contains(read[*number].line.as_str())).collect();
        Self { train, test }
    }
}

/// Describes how the table was made, and writes its head.
fn heading(arguments: &ProbeArguments, sentences: &[Sentence], read: &[Read], splits: &[Split]) -> String {
    let words: usize = sentences.iter().map(|sentence| sentence.words.len()).sum();
    let own: usize = read.iter().map(|read| read.places.len()).sum();
    let links: usize = read.iter().map(|read| read.tree.edges().len()).sum();
    let [signs, unknown] = [0, 1].map(|at| read.iter().map(|read| read.signs[at]).sum::<usize>());
    let held_out = |split: &Split| split.test.len().to_string();
    format!(
        "{} sentences with {words} words in the treebank; {} with at least two words that are spelt, {own} such words \
         and {links} links between two of them, {signs} signs, {unknown} of them unknown to the restorer. Held out: {} \
         sentences. {} dimensions, {} epochs, batches of {}, learning rate {}, {}. Means over the seeds, with standard \
         deviations where there are several.\n\n\
         | layer | probe | UUAS | Root % | Dspr. | Nspr. |\n|---|---|---|---|---|---|\n",
        sentences.len(),
        read.len(),
        splits.iter().map(held_out).collect::<Vec<_>>().join(", "),
        arguments.dimension,
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        named_seeds(&arguments.seeds)
    )
}

/// The controls that look at no state: every word linked to the next, the first or the last as the root.
fn chains(read: &[Read], splits: &[Split], out: &mut String) {
    for (name, last) in [("first word the root", false), ("last word the root", true)] {
        let found = |number: &usize| {
            let count = read[*number].places.len();
            let depth = |place: usize| if last { count - place } else { place };
            let far = |at: usize| (at / count).abs_diff(at % count) as f64;
            let distances = (0..count * count).map(far).collect();
            (
                &read[*number].tree,
                ProbedDistances { distances, depths: (0..count).map(|place| depth(place) as f64).collect() },
            )
        };
        let scores: Vec<ProbeScores> =
            splits.iter().map(|split| ProbeScores::of(split.test.iter().map(found))).collect();
        // Writing into a string never fails.
        let _ = writeln!(out, "| – | chain, {name} | {} |", row(&scores));
    }
}

/// States that know which sign stands there and nothing else: drawn by chance, the same for the same token.
fn by_chance(read: &[Read], width: usize) -> Vec<Vec<f32>> {
    let mut drawn: HashMap<u32, Vec<f32>> = HashMap::new();
    for id in read.iter().flat_map(|read| &read.ids) {
        drawn.entry(*id).or_insert_with(|| {
            let mut random = Random::new(u64::from(*id));
            (0..width).map(|_| random.normal() as f32).collect()
        });
    }
    read.iter().map(|read| read.pooled(width, |place| drawn.get(&read.ids[place]).map_or(&[], Vec::as_slice))).collect()
}

/// For each layer the states of each sentence's words.
fn states(torso: &Torso, read: &[Read], layers: &[usize]) -> Result<Vec<Vec<Vec<f32>>>> {
    let width = torso.config().d_model;
    let mut found = vec![Vec::with_capacity(read.len()); layers.len()];
    let bar = ProgressBar::new(read.len() as u64);
    for read in read {
        let row = Row { ids: read.ids.clone(), places: Vec::new() };
        let states = block_on(torso.states(&row, &NeverYields))?;
        for (layer, found) in layers.iter().zip(&mut found) {
            found.push(read.pooled(width, |place| &states[*layer][place * width..][..width]));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(found)
}

/// Trains both geometries' probes of a layer, a thread for each, and writes their rows.
fn measure(
    arguments: &ProbeArguments,
    layer: &str,
    states: &[Vec<f32>],
    width: usize,
    read: &[Read],
    splits: &[Split],
    out: &mut String,
) -> Result<()> {
    let job = &|hyperbolic: bool| -> Result<Vec<ProbeScores>> {
        let seeds = arguments.seeds.iter().zip(splits);
        seeds
            .map(|(seed, split)| probed(arguments, [*seed, u64::from(hyperbolic)], states, width, read, split))
            .collect()
    };
    let found = std::thread::scope(|scope| {
        let threads = [true, false].map(|hyperbolic| (hyperbolic, scope.spawn(move || job(hyperbolic))));
        threads.map(|(hyperbolic, thread)| (hyperbolic, thread.join()))
    });
    for (hyperbolic, scores) in found {
        let scores = scores.map_err(|_| "a thread of the probe broke off")??;
        let geometry = if hyperbolic { "lorentz" } else { "euclidean" };
        let line = format!("| {layer} | {geometry} | {} |", row(&scores));
        eprintln!("{line}");
        let _ = writeln!(out, "{line}");
    }
    Ok(())
}

/// Learns from one part of the sentences and is measured on the other.
fn probed(
    arguments: &ProbeArguments,
    [seed, hyperbolic]: [u64; 2],
    states: &[Vec<f32>],
    width: usize,
    read: &[Read],
    split: &Split,
) -> Result<ProbeScores> {
    let scale = StateScale::of(split.train.iter().map(|number| states[*number].as_slice()), width);
    let scaled: Vec<Vec<f32>> = split.train.iter().map(|number| scale.apply(&states[*number])).collect();
    let own = split.train.iter().zip(&scaled);
    let examples: Vec<ProbeExample> =
        own.map(|(number, states)| ProbeExample { tree: &read[*number].tree, states }).collect();
    let ProbeArguments { dimension, rate, epochs, batch, .. } = *arguments;
    let learnt = |target: Target| {
        let settings =
            LinearProbeSettings { hyperbolic: hyperbolic == 1, target, dimension, rate, epochs, batch, seed };
        let mut probe = Probe::new(settings, width)?;
        probe.train(&examples);
        Ok::<_, SettingsError>(probe)
    };
    let (distance, depth) = (learnt(Target::Distance)?, learnt(Target::Depth)?);
    let found = |number: &usize| {
        let states = scale.apply(&states[*number]);
        (&read[*number].tree, ProbedDistances { distances: distance.find(&states), depths: depth.find(&states) })
    };
    Ok(ProbeScores::of(split.test.iter().map(found)))
}

/// The means of some runs' figures as cells.
fn row(runs: &[ProbeScores]) -> String {
    let cell = |at: usize| {
        let own: Vec<f64> = runs.iter().map(|run| run.row()[at]).collect();
        match runs.len() {
            1 => format!("{:.1}", mean(&own)),
            _ => format!("{:.1} ± {:.1}", mean(&own), deviation(&own)),
        }
    };
    (0..4).map(cell).collect::<Vec<_>>().join(" | ")
}
