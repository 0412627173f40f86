//! The encoders whose states are probed, and their states for lines and words.

use crate::probes::occurrences::{Occurrences, ProbeLine};
use crate::probes::words::Read;
use crate::translation::trial::SavedTransformer;
use clap::Args;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tuppum_cli::device::OpenDevice;
use tuppum_cli::failure::{About, Failure, Result};
use tuppum_cli::{restore, translate};
use tuppum_domain::restoration::Row;
use tuppum_hyperbolic::transformer::{Space, Transformer};
use tuppum_nn::byt5::ByT5;
use tuppum_nn::yielding::NeverYields;
use tuppum_text::encode::encode;
use tuppum_text::tokens::UNKNOWN;
use tuppum_text::{Document, SignIndex};
use tuppum_weights::Model;

/// Encoders to probe.
#[derive(Args, Debug)]
pub struct EncoderArguments {
    /// Folder of the restorer.
    #[arg(long, default_value = "models/restorer")]
    restorer: PathBuf,
    /// Leave the restorer out.
    #[arg(long, conflicts_with = "restorer")]
    no_restorer: bool,
    /// Folder of a translator, and its name; may be given several times.
    #[arg(long = "translator", value_name = "FOLDER[=NAME]")]
    translators: Vec<String>,
    /// Probe translators that have a hyperbolic bias without it too.
    #[arg(long)]
    detached: bool,
    /// Folder of a run of `tuppum-lab hybonet translate`, and the name of its encoder; may be given several times.
    #[arg(long = "transformer", value_name = "FOLDER[=NAME]")]
    transformers: Vec<String>,
}

impl EncoderArguments {
    /// Opens the encoders: at least one, each with a name of its own.
    ///
    /// # Errors
    /// What is wrong with a folder, and what to do.
    pub fn open(&self, device: &OpenDevice) -> Result<Vec<Encoder>> {
        let mut encoders = Vec::new();
        if !self.no_restorer {
            encoders.push(Encoder::restorer(&self.restorer, device)?);
        }
        for asked in &self.translators {
            encoders.extend(Encoder::translators(asked, self.detached, device)?);
        }
        for asked in &self.transformers {
            encoders.push(Encoder::transformer(asked, device)?);
        }
        for (number, encoder) in encoders.iter().enumerate() {
            if encoders[..number].iter().any(|before| before.name == encoder.name) {
                return Err(format!("two encoders are called {:?}; give names by FOLDER=NAME", encoder.name).into());
            }
        }
        if encoders.is_empty() {
            let advice = "leave --no-restorer away, or name a folder by --translator or --transformer";
            return Err(format!("there is no encoder to probe; {advice}").into());
        }
        Ok(encoders)
    }
}

/// Checks that some encoder has each of the asked layers.
///
/// # Errors
/// No encoder has this many layers.
pub fn check_layers(asked: &[usize], encoders: &[Encoder]) -> Result<()> {
    let deepest = encoders.iter().map(Encoder::layers).max().unwrap_or_default();
    match asked.iter().find(|layer| **layer > deepest) {
        Some(layer) => {
            Err(format!("there is no layer {layer}; the deepest encoder has {deepest}, and 0 for its embeddings")
                .into())
        }
        None => Ok(()),
    }
}

/// An encoder by its name.
pub struct Encoder {
    /// Name of the encoder in the table and in the picture.
    pub name: String,
    kind: Kind,
}

/// States of a line by an encoder.
struct LineStates {
    /// Layer by layer the states of the tokens, one after the other.
    states: Vec<Vec<f32>>,
    /// The tokens of each sign that is looked at.
    places: Vec<Range<usize>>,
}

enum Kind {
    Restorer(Box<Model>),
    Translator(Box<ByT5>),
    Transformer(Box<Transformer>),
}

/// Splits `FOLDER` or `FOLDER=NAME` into folder and name; without a name the folder's own name is taken.
fn named(asked: &str) -> (&Path, String) {
    match asked.rsplit_once('=') {
        Some((folder, name)) if !name.is_empty() => (Path::new(folder), name.to_owned()),
        _ => {
            let folder = Path::new(asked);
            let own = folder.file_name().map(|name| name.to_string_lossy().into_owned());
            (folder, own.unwrap_or_else(|| asked.to_owned()))
        }
    }
}

impl Encoder {
    /// Returns the restorer in a folder.
    ///
    /// # Errors
    /// What is wrong with the folder, and what to do.
    fn restorer(folder: &Path, device: &OpenDevice) -> Result<Self> {
        let model = restore::open(folder, device)?;
        Ok(Self { name: "restorer".into(), kind: Kind::Restorer(Box::new(model)) })
    }

    /// Returns the translator that `FOLDER` or `FOLDER=NAME` asks for; with `detached`, and where it has a bias, a
    /// second one without it.
    ///
    /// # Errors
    /// What is wrong with the folder, and what to do.
    fn translators(asked: &str, detached: bool, device: &OpenDevice) -> Result<Vec<Self>> {
        let (folder, name) = named(asked);
        let model = translate::open(folder, false, device)?;
        let mut bare = model.clone();
        let has_bias = bare.detach().is_some();
        let of = |name: String, model: ByT5| Self { name, kind: Kind::Translator(Box::new(model)) };
        Ok(match detached && has_bias {
            true => vec![of(format!("{name} with its bias"), model), of(format!("{name} without it"), bare)],
            false => vec![of(name, model)],
        })
    }

    /// Returns the encoder of a run of `tuppum-lab hybonet translate` that `FOLDER` or `FOLDER=NAME` asks for.
    ///
    /// # Errors
    /// What is wrong with the folder.
    fn transformer(asked: &str, device: &OpenDevice) -> Result<Self> {
        let (folder, name) = named(asked);
        let path = folder.join("config.json");
        let cannot = |problem: Failure| {
            let folder = folder.display();
            format!("{folder} holds no run of `tuppum-lab hybonet translate` that ended: {problem}")
        };
        let json = std::fs::read(&path).at(&path).map_err(cannot)?;
        let settings = serde_json::from_slice(&json).at(&path).map_err(cannot)?;
        let model = device.trusted(&SavedTransformer { settings, folder }).map_err(cannot)?;
        Ok(Self { name, kind: Kind::Transformer(Box::new(model)) })
    }

    /// Returns the maximum bytes of a line that the encoder reads, if there is a bound.
    pub fn longest(&self) -> Option<usize> {
        match &self.kind {
            // The end of a line is a token too.
            Kind::Transformer(model) => Some(model.settings().longest.saturating_sub(1)),
            Kind::Restorer(_) | Kind::Translator(_) => None,
        }
    }

    /// Returns the number of layers; there is one state more, of the embeddings.
    pub fn layers(&self) -> usize {
        match &self.kind {
            Kind::Restorer(model) => model.torso.config().layers,
            Kind::Translator(model) => model.config().num_layers,
            Kind::Transformer(model) => model.settings().encoder_layers,
        }
    }

    /// Numbers in a state; of a point on the hyperboloid its space-like coordinates, which the time-like one follows
    /// from.
    pub fn width(&self) -> usize {
        match &self.kind {
            Kind::Restorer(model) => model.torso.config().d_model,
            Kind::Translator(model) => model.config().d_model,
            Kind::Transformer(model) => model.settings().width,
        }
    }

    /// Returns `true` if the states are points of the hyperboloid, given by their space-like coordinates.
    pub fn gives_points(&self) -> bool {
        matches!(&self.kind, Kind::Transformer(model) if model.settings().space == Space::Lorentz)
    }

    /// Returns `true` if the encoder has a token for a reading; bytes are known to every translator.
    pub fn knows(&self, reading: &str, starts_word: bool) -> bool {
        match &self.kind {
            Kind::Restorer(model) => model.vocabulary.id(reading, starts_word) != UNKNOWN,
            Kind::Translator(_) | Kind::Transformer(_) => true,
        }
    }

    /// Returns the asked layers that the encoder has, or all its layers if none is asked for.
    pub fn layers_of(&self, asked: &[usize]) -> Vec<usize> {
        (0..=self.layers()).filter(|layer| asked.is_empty() || asked.contains(layer)).collect()
    }

    /// Returns `true` if the encoder reads a sentence as a whole.
    pub fn reads(&self, read: &Read) -> bool {
        match &self.kind {
            // The beginning and the end are tokens too.
            Kind::Restorer(model) => read.readings.len() + 2 <= model.torso.config().longest,
            Kind::Translator(_) | Kind::Transformer(_) => {
                self.longest().is_none_or(|longest| read.transliteration().len() <= longest)
            }
        }
    }

    /// Returns for each of these layers the states of each sentence's words, `words × width`: means over their signs,
    /// and there over the tokens of the sign.
    ///
    /// # Errors
    /// A sentence that cannot be read.
    pub fn word_states(&self, sentences: &[Read], layers: &[usize]) -> Result<Vec<Vec<Vec<f32>>>> {
        let width = self.width();
        let mut found = vec![Vec::with_capacity(sentences.len()); layers.len()];
        let bar = ProgressBar::new(sentences.len() as u64);
        for read in sentences {
            let document = Document::read(&read.line);
            let signs: Vec<SignIndex> = read.words.iter().flatten().copied().collect();
            let LineStates { states, places } = self.read(read.transliteration(), &document, &signs)?;
            for (layer, found) in layers.iter().zip(&mut found) {
                let mut places = places.iter();
                let mut pooled = vec![0.0; read.words.len() * width];
                for (word, signs) in pooled.chunks_exact_mut(width).zip(&read.words) {
                    let own: Vec<usize> = places.by_ref().take(signs.len()).cloned().flatten().collect();
                    for token in &own {
                        let state = &states[*layer][token * width..][..width];
                        word.iter_mut().zip(state).for_each(|(sum, one)| *sum += one / own.len() as f32);
                    }
                }
                found.push(pooled);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(found)
    }

    /// Returns for each of these layers the states of all readings, `readings × width`: means over the places where
    /// they are looked at, and there over the tokens of the sign.
    ///
    /// # Errors
    /// A line that cannot be read.
    pub fn states(&self, occurrences: &Occurrences, layers: &[usize]) -> Result<Vec<Vec<f32>>> {
        let (width, count) = (self.width(), occurrences.readings.len());
        let mut sums = vec![vec![0.0; count * width]; layers.len()];
        let mut times = vec![0.0; count];
        let bar = ProgressBar::new(occurrences.lines.len() as u64);
        for line in &occurrences.lines {
            let signs: Vec<SignIndex> = line.uses.iter().map(|(_, sign)| *sign).collect();
            let LineStates { states, places } = self.read(&line.text, &line.document(), &signs)?;
            for ((reading, _), places) in line.uses.iter().zip(places) {
                times[*reading] += 1.0;
                for (layer, sums) in layers.iter().zip(&mut sums) {
                    for state in states[*layer][places.start * width..places.end * width].chunks_exact(width) {
                        let own = sums[reading * width..][..width].iter_mut().zip(state);
                        own.for_each(|(sum, one)| *sum += one / places.len() as f32);
                    }
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        for sums in &mut sums {
            for (state, times) in sums.chunks_exact_mut(width).zip(&times) {
                state.iter_mut().for_each(|one| *one /= f32::max(*times, 1.0));
            }
        }
        Ok(sums)
    }

    /// Reads a line; `document` is the line with a label before it, `signs` are those of it that are looked at.
    fn read(&self, line: &str, document: &Document, signs: &[SignIndex]) -> Result<LineStates> {
        let (states, places) = match &self.kind {
            Kind::Restorer(model) => {
                let encoded = encode(document, &model.vocabulary);
                let place = |sign: &SignIndex| {
                    // A sign that is left out adds nothing.
                    encoded.place_of(*sign).map_or(0..0, |place| place..place + 1)
                };
                let places = signs.iter().map(place).collect();
                let row = Row { ids: encoded.ids, places: Vec::new() };
                (block_on(model.torso.states(&row, &NeverYields)).map_err(Failure::from), places)
            }
            Kind::Translator(model) => {
                let states = block_on(model.states(&model.row_of(line), &NeverYields));
                (states.map_err(Failure::from), bytes_of(document, signs))
            }
            Kind::Transformer(model) => {
                let states = block_on(model.states(line));
                let first = model.settings().coordinates() - model.settings().width;
                let space = |states: Vec<f32>| -> Vec<f32> {
                    let points = states.chunks_exact(model.settings().coordinates());
                    points.flat_map(|point| &point[first..]).copied().collect()
                };
                let states = states.map(|layers| layers.into_iter().map(space).collect());
                (states.map_err(Failure::from), bytes_of(document, signs))
            }
        };
        let cannot = |error: Failure| format!("{line:?} cannot be read by the {}: {error}", self.name);
        Ok(LineStates { states: states.map_err(cannot)?, places })
    }
}

/// Returns the bytes of each sign of a line that is looked at, counted without the label.
fn bytes_of(document: &Document, looked_at: &[SignIndex]) -> Vec<Range<usize>> {
    let signs: Vec<_> = document.signs().collect();
    let place = |sign: &SignIndex| {
        let span = &signs[*sign].span;
        span.start - ProbeLine::LABEL.len()..span.end - ProbeLine::LABEL.len()
    };
    looked_at.iter().map(place).collect()
}
