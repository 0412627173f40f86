//! The Python class `Translator`: translates.

use super::output::{array, broken, error, plain};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Mutex;
use tuppum_cli::device::DeviceArguments;
use tuppum_cli::translate::{self, as_json, outputs, sources};
use tuppum_domain::generation::{Method, Options};
use tuppum_nn::byt5::ByT5;
use tuppum_text::Document;

/// Translates into English.
#[pyclass(frozen, module = "tuppum")]
pub struct Translator {
    /// Model. On the heap, since Python aligns its objects less strictly than tensors need.
    model: Box<Mutex<ByT5>>,
}

#[pymethods]
impl Translator {
    /// Opens the model in a folder: Tuppum's, or any ByT5 in Hugging Face's format. `device` is cpu, wgpu or auto; the
    /// default is the CPU, without a message.
    #[new]
    #[pyo3(signature = (model, *, device = None))]
    fn new(py: Python<'_>, model: PathBuf, device: Option<&str>) -> PyResult<Self> {
        let device = device.map(DeviceArguments::named).transpose().map_err(error)?.unwrap_or_default();
        let opened = py.detach(|| translate::open(&model, false, &device.open()?));
        Ok(Self { model: Box::new(Mutex::new(opened.map_err(error)?)) })
    }

    /// Translates each text, line by line, or with `whole` as many lines together as the model reads at once. Returns
    /// for every passage what `tuppum translate --json` prints, with float32 arrays for the numbers of its bytes.
    #[pyo3(signature = (texts, *, whole = false, beams = 5, length_penalty = 1.0, longest = 512, answers = 1,
                        attention = false))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn translate<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        whole: bool,
        beams: usize,
        length_penalty: f32,
        longest: usize,
        answers: usize,
        attention: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let method = if beams < 2 { Method::Greedy } else { Method::Beam { beams, length_penalty, early: false } };
        let options = Options { method, longest, answers, attention, ..Options::default() };
        let translated = py.detach(|| {
            let model = self.model.lock().map_err(broken)?;
            let calibration = model.config().calibration;
            let one = |text: &String| {
                let sources = sources(&Document::read(text), whole);
                let answer = |source: &String| {
                    let outputs = outputs(&model, source, &options).map_err(error)?;
                    Ok(as_json(source, &outputs, calibration.as_ref()))
                };
                let answers = sources.iter().map(answer).collect::<PyResult<Vec<_>>>()?;
                serde_json::to_string(&answers).map_err(error)
            };
            texts.iter().map(one).collect::<PyResult<Vec<String>>>()
        });
        translated?.iter().map(|json| with_arrays(py, plain(py, json)?)).collect()
    }
}

/// Replaces lists of numbers in a text's passages by arrays.
fn with_arrays<'py>(py: Python<'py>, passages: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    for passage in passages.try_iter()? {
        for translation in passage?.get_item("translations")?.try_iter()? {
            let translation = translation?.cast_into::<PyDict>()?;
            for name in ["byte_probabilities", "byte_attention"] {
                let numbers = translation.get_item(name)?.filter(|numbers| !numbers.is_none());
                if let Some(numbers) = numbers {
                    translation.set_item(name, array(py, numbers)?)?;
                }
            }
        }
    }
    Ok(passages)
}
