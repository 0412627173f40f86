//! The Python class `Restorer`: restores broken signs.

use super::output::{broken, error, plain, rows};
use futures_lite::future::block_on;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use tuppum_cli::device::DeviceArguments;
use tuppum_cli::restore;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_domain::restoration::search::Restorer as Search;
use tuppum_domain::restoration::{Question, Row, export};
use tuppum_nn::torso::NeverYields;
use tuppum_text::Document;
use tuppum_text::encode::encode;
use tuppum_weights::Model;

/// Restores illegible signs and breaks.
#[pyclass(frozen, module = "tuppum")]
pub struct Restorer {
    folder: String,
    /// Model and edited texts. On the heap, since Python aligns its objects less strictly than tensors need.
    opened: Box<Mutex<(Model, Option<OpenCorpus>)>>,
}

#[pymethods]
impl Restorer {
    /// Opens the model in a folder. With `corpus`, the pack of attested texts, proposals are also ranked by their
    /// contexts. `device` is cpu, wgpu or auto; the default is the CPU, without a message.
    #[new]
    #[pyo3(signature = (model, *, device = None, corpus = None))]
    fn new(py: Python<'_>, model: PathBuf, device: Option<&str>, corpus: Option<PathBuf>) -> PyResult<Self> {
        let device = device.map(DeviceArguments::named).transpose().map_err(error)?.unwrap_or_default();
        let opened = py.detach(|| {
            let corpus = corpus.as_deref().map(|pack| restore::open_corpus(pack, &[])).transpose();
            Ok((restore::open(&model, &device.open()?)?, corpus?))
        });
        let opened = opened.map_err(|problem: tuppum_cli::failure::Failure| error(problem))?;
        Ok(Self { folder: model.display().to_string(), opened: Box::new(Mutex::new(opened)) })
    }

    /// Restores each text; the result is what `tuppum restore --json` prints.
    #[pyo3(signature = (texts, *, beam = 5, top = 20, longest = 10, period = None))]
    fn restore<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        beam: usize,
        top: usize,
        longest: usize,
        period: Option<&str>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let period = period.map(restore::period).transpose().map_err(error)?;
        let answered = py.detach(|| {
            let opened = self.opened.lock().map_err(broken)?;
            let (model, corpus) = &*opened;
            let search = Search::new(model.vocabulary.clone());
            let one = |text: &String| {
                let contexts = corpus.is_some();
                let question = Question { beam, top, longest, period, contexts, ..Question::about(text) };
                let answer = restore::answer(&question, &search, model.torso.clone(), corpus.as_ref());
                answer.map(|answer| export::json(&question, &answer, &self.folder)).map_err(error)
            };
            texts.iter().map(one).collect::<PyResult<Vec<String>>>()
        });
        answered?.iter().map(|json| plain(py, json)).collect()
    }

    /// Returns the network's states after the last layer for each text: an array of float32 with a row for each token.
    fn states<'py>(&self, py: Python<'py>, texts: Vec<String>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let computed = py.detach(|| {
            let opened = self.opened.lock().map_err(broken)?;
            let model = &opened.0;
            let one = |text: &String| {
                let row = Row { ids: encode(&Document::read(text), &model.vocabulary).ids, places: Vec::new() };
                let mut layers = block_on(model.torso.states(&row, &NeverYields)).map_err(error)?;
                Ok((layers.pop().unwrap_or_default(), model.torso.config().d_model))
            };
            texts.iter().map(one).collect::<PyResult<Vec<(Vec<f32>, usize)>>>()
        });
        computed?.iter().map(|(states, width)| rows(py, states, *width)).collect()
    }
}
