//! `tuppum-lab hybonet probe`: dependency trees in the states of encoders, layer by layer, beside controls that know no
//! tree.

use super::encoders::{Encoder, EncoderArguments, check_layers};
use crate::descent::SettingsError;
use crate::document::{DocumentSection, deviation, mean, named_seeds};
use crate::probes::linear::{LinearProbeSettings, Probe, ProbeExample, Target};
use crate::probes::scores::{ProbeScores, ProbedDistances, spanning_tree};
use crate::probes::words::{Read, StateScale};
use clap::Args;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use tuppum_cli::device::DeviceArguments;
use tuppum_cli::failure::{About, Result, at};
use tuppum_corpus::signs_file::text_of;
use tuppum_corpus::treebank::{self, Sentence};
use tuppum_domain::dependencies::{ProbedSentence, ProbedTrees, WordTree};
use tuppum_geometry::Random;

#[derive(Args, Debug)]
pub struct ProbeArguments {
    /// Treebank: a file .conllu or .conllu.xz, or a folder of such files.
    #[arg(long, default_value = "../shared/data/ud_akkadian")]
    treebank: PathBuf,
    #[command(flatten)]
    encoders: EncoderArguments,
    /// JSON file for the trees that the probe on the hyperboloid finds in the first encoder, for some short sentences
    /// held out with the first seed; the lesson draws them.
    #[arg(long)]
    drawn: Option<PathBuf>,
    /// Document whose table is replaced; without it the table goes to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Layers to probe, 0 for the embeddings [default: all]. An encoder with fewer layers is probed in the layers that
    /// it has.
    #[arg(long, value_delimiter = ',')]
    layers: Vec<usize>,
    /// Space-like coordinates that states are mapped to.
    #[arg(long, default_value_t = 16)]
    dimension: usize,
    /// One map for distances and depths, as in Chen et al. (2022), appendix C.4, in place of one for each.
    #[arg(long)]
    one_map: bool,
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
    /// Number of sentences to read, drawn by chance [default: all].
    #[arg(long)]
    sentences: Option<usize>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Reads the treebank, computes the states, trains the probes and writes the table.
///
/// # Errors
/// Message for the user.
pub fn run(arguments: &ProbeArguments) -> Result<()> {
    let place = DocumentSection::of(arguments.out.as_ref(), "probe")?;
    if arguments.seeds.is_empty() {
        return Err("there is no seed; give at least one by --seeds".into());
    }
    let sentences = sentences(&arguments.treebank)?;
    let encoders = arguments.encoders.open(&arguments.device.open()?)?;
    check_layers(&arguments.layers, &encoders)?;
    let mut read: Vec<Read> = sentences.iter().map(Read::of).collect();
    read.retain(|read| read.words.len() > 1 && encoders.iter().all(|encoder| encoder.reads(read)));
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
    let mut drawn = DrawnTrees::of(&read, &splits[0].test, arguments.seeds[0]);
    drawn.trees.neighbours = chains(&read, &splits, &mut out);
    let width = encoders.first().map_or(1, Encoder::width);
    let chance = States { layer: "random".to_owned(), width, are_points: false, of: &by_chance(&read, width) };
    measure(arguments, ("–", &chance), &read, &splits, &mut out)?;
    for encoder in &encoders {
        let (layers, width) = (encoder.layers_of(&arguments.layers), encoder.width());
        for (layer, of) in layers.iter().zip(&encoder.word_states(&read, &layers)?) {
            let states = States { layer: layer.to_string(), width, are_points: encoder.gives_points(), of };
            let (scores, found) = measure(arguments, (&encoder.name, &states), &read, &splits, &mut out)?;
            if encoder.name == encoders[0].name {
                drawn.add(*layer, links_found(&scores), &found);
            }
        }
    }
    if let Some(file) = &arguments.drawn {
        let text = serde_json::to_string(&drawn.trees).at(file)?;
        std::fs::write(file, text + "\n").at(file)?;
    }
    place.fill(&out)
}

/// Returns the sentences of a treebank, file by file in order of name.
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
    /// Holds out one of five texts; sentences of them that are also written in a text to learn from are left out.
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
    let own: usize = read.iter().map(|read| read.words.len()).sum();
    let links: usize = read.iter().map(|read| read.tree.edges().len()).sum();
    let signs: usize = read.iter().map(|read| read.readings.len()).sum();
    let held_out = |split: &Split| split.test.len().to_string();
    format!(
        "{} sentences with {words} words in the treebank; {} with at least two words that are spelt, {own} such words \
         and {links} links between two of them, {signs} signs. Held out: {} sentences. {}, {} dimensions, {} epochs, \
         batches of {}, learning rate {}, {}. Means over the seeds, with standard deviations where there are \
         several.\n\n| encoder | layer | probe | UUAS | Root % | Dspr. | Nspr. |\n|---|---|---|---|---|---|---|\n",
        sentences.len(),
        read.len(),
        splits.iter().map(held_out).collect::<Vec<_>>().join(", "),
        if arguments.one_map { "One map for distances and depths" } else { "A map for distances and one for depths" },
        arguments.dimension,
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        named_seeds(&arguments.seeds)
    )
}

/// Writes the controls that look at no state: every word linked to the next, the first or the last as the root.
fn chains(read: &[Read], splits: &[Split], out: &mut String) -> f64 {
    let mut share = 0.0;
    for (name, last) in [("first word the root", false), ("last word the root", true)] {
        let found = |number: &usize| {
            let count = read[*number].words.len();
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
        let _ = writeln!(out, "| – | – | chain, {name} | {} |", row(&scores));
        share = links_found(&scores);
    }
    share
}

/// Returns the share of links that some runs find on average, in percent.
fn links_found(runs: &[ProbeScores]) -> f64 {
    mean(&runs.iter().map(|run| run.uuas).collect::<Vec<_>>())
}

/// Returns states that know only the sign: drawn by chance, the same for the same reading.
fn by_chance(read: &[Read], width: usize) -> Vec<Vec<f32>> {
    let readings: BTreeSet<&str> = read.iter().flat_map(|read| &read.readings).map(String::as_str).collect();
    let drawn: HashMap<&str, Vec<f32>> = readings
        .into_iter()
        .enumerate()
        .map(|(number, reading)| {
            let mut random = Random::new(number as u64);
            (reading, (0..width).map(|_| random.normal() as f32).collect())
        })
        .collect();
    let pooled = |read: &Read| {
        let mut pooled = vec![0.0; read.words.len() * width];
        for (word, signs) in pooled.chunks_exact_mut(width).zip(&read.words) {
            for vector in signs.iter().filter_map(|sign| drawn.get(read.readings.get(*sign)?.as_str())) {
                word.iter_mut().zip(vector).for_each(|(sum, one)| *sum += one / signs.len() as f32);
            }
        }
        pooled
    };
    read.iter().map(pooled).collect()
}

/// States of every sentence's words in a layer.
struct States<'s> {
    layer: String,
    width: usize,
    /// `true` if the states are points of the hyperboloid, which the probe on it takes as they are.
    are_points: bool,
    of: &'s [Vec<f32>],
}

/// Trains both geometries' probes of a layer, a thread for each, and writes their rows. Returns the figures of the one
/// on the hyperboloid, and what it found with the first seed.
fn measure(
    arguments: &ProbeArguments,
    (encoder, states): (&str, &States),
    read: &[Read],
    splits: &[Split],
    out: &mut String,
) -> Result<(Vec<ProbeScores>, Vec<ProbedDistances>)> {
    let job = &|hyperbolic: bool| -> Result<(Vec<ProbeScores>, Vec<ProbedDistances>)> {
        let (mut scores, mut first) = (Vec::new(), None);
        for (seed, split) in arguments.seeds.iter().zip(splits) {
            let found = probed(arguments, [*seed, u64::from(hyperbolic)], states, read, split)?;
            let trees = split.test.iter().map(|number| &read[*number].tree);
            scores.push(ProbeScores::of(trees.zip(found.iter().cloned())));
            first.get_or_insert(found);
        }
        Ok((scores, first.unwrap_or_default()))
    };
    let found = std::thread::scope(|scope| {
        let threads = [true, false].map(|hyperbolic| (hyperbolic, scope.spawn(move || job(hyperbolic))));
        threads.map(|(hyperbolic, thread)| (hyperbolic, thread.join()))
    });
    let mut on_hyperboloid = (Vec::new(), Vec::new());
    for (hyperbolic, outcome) in found {
        let (scores, first) = outcome.map_err(|_| "a thread of the probe broke off")??;
        let geometry = if hyperbolic { "lorentz" } else { "euclidean" };
        let line = format!("| {encoder} | {} | {geometry} | {} |", states.layer, row(&scores));
        eprintln!("{line}");
        let _ = writeln!(out, "{line}");
        if hyperbolic {
            on_hyperboloid = (scores, first);
        }
    }
    Ok(on_hyperboloid)
}

/// Learns from one part of the sentences, and returns the distances found in the other.
fn probed(
    arguments: &ProbeArguments,
    [seed, hyperbolic]: [u64; 2],
    states: &States,
    read: &[Read],
    split: &Split,
) -> Result<Vec<ProbedDistances>> {
    let (width, as_they_are) = (states.width, states.are_points && hyperbolic == 1);
    let states = states.of;
    let scale = if as_they_are {
        StateScale::none(width)
    } else {
        StateScale::of(split.train.iter().map(|number| states[*number].as_slice()), width)
    };
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
    let (distance, depth) = match arguments.one_map {
        true => {
            let both = learnt(Target::Both)?;
            (both.clone(), both)
        }
        false => (learnt(Target::Distance)?, learnt(Target::Depth)?),
    };
    let found = |number: &usize| {
        let states = scale.apply(&states[*number]);
        ProbedDistances { distances: distance.distances(&states), depths: depth.depths(&states) }
    };
    Ok(split.test.iter().map(found).collect())
}

/// Returns the means of some runs' figures as cells.
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

/// Number of sentences to draw.
const SENTENCES: usize = 8;
/// Lengths of these sentences, in words.
const WORDS: RangeInclusive<usize> = 5..=10;

/// The sentences, and where each stands among those that were kept aside.
struct DrawnTrees {
    trees: ProbedTrees,
    places: Vec<usize>,
}

impl DrawnTrees {
    /// Draws sentences by chance from those kept aside, whose numbers these are: all their words are spelt, and no two
    /// are of one text.
    fn of(read: &[Read], kept_aside: &[usize], seed: u64) -> Self {
        let whole = |place: &usize| {
            let read = &read[kept_aside[*place]];
            let words = read.words.len();
            let is_connected = read.tree.edges().len() + 1 == words && read.tree.root().is_some();
            WORDS.contains(&words) && is_connected && read.transliteration().split(' ').count() == words
        };
        let mut places: Vec<usize> = (0..kept_aside.len()).filter(whole).collect();
        Random::new(seed).shuffle(&mut places);
        let mut texts: Vec<&str> = Vec::new();
        places.retain(|place| {
            let text = read[kept_aside[*place]].text.as_str();
            let is_new = texts.len() < SENTENCES && !texts.contains(&text);
            is_new.then(|| texts.push(text)).is_some()
        });
        let sentence = |place: &usize| {
            let read = &read[kept_aside[*place]];
            ProbedSentence {
                text: read.text.clone(),
                words: read.transliteration().split(' ').map(str::to_owned).collect(),
                tree: WordTree { links: read.tree.edges(), root: read.tree.root().unwrap_or_default() },
                found: Vec::new(),
            }
        };
        let sentences = places.iter().map(sentence).collect();
        Self { trees: ProbedTrees { sentences, ..ProbedTrees::default() }, places }
    }

    /// Adds what was found in a layer: the share of all links, in percent, and each sentence kept aside in order.
    fn add(&mut self, layer: usize, share: f64, found: &[ProbedDistances]) {
        self.trees.layers.push(layer);
        self.trees.found.push((10.0 * share).round() / 10.0);
        for (sentence, place) in self.trees.sentences.iter_mut().zip(&self.places) {
            let ProbedDistances { distances, depths } = &found[*place];
            let least = (0..depths.len()).min_by(|one, other| depths[*one].total_cmp(&depths[*other]));
            let mut links = spanning_tree(distances, depths.len());
            links.sort_unstable();
            sentence.found.push(WordTree { links, root: least.unwrap_or_default() });
        }
    }
}
