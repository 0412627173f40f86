//! The encoders whose states are probed, and a state for each reading from what they make of lines.

use super::super::trial::SavedTransformer;
use crate::device::OpenDevice;
use crate::failure::{About, Failure, Result};
use crate::{restore, translate};
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use std::ops::Range;
use std::path::Path;
use tuppum_hyperbolic::probe::occurrences::{Occurrences, ProbeLine};
use tuppum_hyperbolic::transformer::Transformer;
use tuppum_nn::byt5::ByT5;
use tuppum_nn::yielding::NeverYields;
use tuppum_tasks::restoration::Row;
use tuppum_text::Document;
use tuppum_text::encode::encode;
use tuppum_text::tokens::UNKNOWN;
use tuppum_weights::Model;

/// An encoder by its name.
pub struct Encoder {
    /// Name of the encoder in the table and in the picture.
    pub name: String,
    kind: Kind,
}

/// States of a line by an encoder.
struct Read {
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

/// Folder and name of `FOLDER` or `FOLDER=NAME`; the folder's own name where none is given.
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
    /// The restorer in a folder.
    ///
    /// # Errors
    /// What is wrong with the folder, and what to do.
    pub fn restorer(folder: &Path, device: &OpenDevice) -> Result<Self> {
        let model = restore::open(folder, device)?;
        Ok(Self { name: "restorer".into(), kind: Kind::Restorer(Box::new(model)) })
    }

    /// The translator that `FOLDER` or `FOLDER=NAME` asks for; with `detached`, and where it has a bias, a second one
    /// without it.
    ///
    /// # Errors
    /// What is wrong with the folder, and what to do.
    pub fn translators(asked: &str, detached: bool, device: &OpenDevice) -> Result<Vec<Self>> {
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

    /// The encoder of a run of `tuppum hybonet translate` that `FOLDER` or `FOLDER=NAME` asks for.
    ///
    /// # Errors
    /// What is wrong with the folder.
    pub fn transformer(asked: &str, device: &OpenDevice) -> Result<Self> {
        let (folder, name) = named(asked);
        let path = folder.join("config.json");
        let cannot = |problem: Failure| {
            let folder = folder.display();
            format!("{folder} holds no run of `tuppum hybonet translate` that ended: {problem}")
        };
        let json = std::fs::read(&path).at(&path).map_err(cannot)?;
        let settings = serde_json::from_slice(&json).at(&path).map_err(cannot)?;
        let model = device.trusted(&SavedTransformer { settings, folder }).map_err(cannot)?;
        Ok(Self { name, kind: Kind::Transformer(Box::new(model)) })
    }

    /// Most bytes of a line that it reads, where there is such a bound.
    pub fn longest(&self) -> Option<usize> {
        match &self.kind {
            // The end of a line is a token too.
            Kind::Transformer(model) => Some(model.settings().longest.saturating_sub(1)),
            Kind::Restorer(_) | Kind::Translator(_) => None,
        }
    }

    /// Its layers; there is one state more than these, of the embeddings.
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

    /// Whether it has a token for a reading; bytes are known to every translator.
    pub fn knows(&self, reading: &str, starts_word: bool) -> bool {
        match &self.kind {
            Kind::Restorer(model) => model.vocabulary.id(reading, starts_word) != UNKNOWN,
            Kind::Translator(_) | Kind::Transformer(_) => true,
        }
    }

    /// For each of these layers the states of all readings, `readings × width`: means over the places where they are
    /// looked at, and there over the tokens of the sign.
    ///
    /// # Errors
    /// A line that cannot be read.
    pub fn states(&self, occurrences: &Occurrences, layers: &[usize]) -> Result<Vec<Vec<f32>>> {
        let (width, count) = (self.width(), occurrences.readings.len());
        let mut sums = vec![vec![0.0; count * width]; layers.len()];
        let mut times = vec![0.0; count];
        let bar = ProgressBar::new(occurrences.lines.len() as u64);
        for line in &occurrences.lines {
            let Read { states, places } = self.read(line)?;
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

    fn read(&self, line: &ProbeLine) -> Result<Read> {
        let document = line.document();
        let (states, places) = match &self.kind {
            Kind::Restorer(model) => {
                let encoded = encode(&document, &model.vocabulary);
                let place = |(_, sign): &(usize, usize)| {
                    // A sign that is left out adds nothing.
                    encoded.place_of(*sign).map_or(0..0, |place| place..place + 1)
                };
                let places = line.uses.iter().map(place).collect();
                let row = Row { ids: encoded.ids, places: Vec::new() };
                (block_on(model.torso.states(&row, &NeverYields)).map_err(Failure::from), places)
            }
            Kind::Translator(model) => {
                let states = block_on(model.states(&model.row_of(&line.text), &NeverYields));
                (states.map_err(Failure::from), bytes_of(line, &document))
            }
            Kind::Transformer(model) => {
                let states = block_on(model.states(&line.text));
                let first = model.settings().coordinates() - model.settings().width;
                let space = |states: Vec<f32>| -> Vec<f32> {
                    let points = states.chunks_exact(model.settings().coordinates());
                    points.flat_map(|point| &point[first..]).copied().collect()
                };
                let states = states.map(|layers| layers.into_iter().map(space).collect());
                (states.map_err(Failure::from), bytes_of(line, &document))
            }
        };
        let cannot = |error: Failure| format!("{:?} cannot be read by the {}: {error}", line.text, self.name);
        Ok(Read { states: states.map_err(cannot)?, places })
    }
}

/// The bytes of each sign of a line that is looked at.
fn bytes_of(line: &ProbeLine, document: &Document) -> Vec<Range<usize>> {
    let signs: Vec<_> = document.signs().collect();
    let place = |(_, sign): &(usize, usize)| {
        let span = &signs[*sign].span;
        span.start - ProbeLine::LABEL.len()..span.end - ProbeLine::LABEL.len()
    };
    line.uses.iter().map(place).collect()
}
