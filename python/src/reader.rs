//! The Python class `Reader`: reads transliterations.

use super::output::{error, plain};
use pyo3::prelude::*;
use serde_json::json;
use tuppum_text::Document;

/// Reads transliterations in C-ATF, Oracc, eBL, print or Deep Past form.
#[pyclass(frozen, module = "tuppum")]
pub struct Reader;

#[pymethods]
impl Reader {
    /// Returns a reader; it needs no model.
    #[new]
    fn new() -> Self {
        Self
    }

    /// Reads each text. Returns its `canonical` form, its convention, its lines with their signs, the changes made, and
    /// `diagnostics`. Reading never fails: text that cannot be read is kept as typed, with a diagnostic.
    fn read<'py>(&self, py: Python<'py>, texts: Vec<String>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let read = |text: &String| {
            let document = Document::read(text);
            let canonical = document.canonical();
            serde_json::to_value(document).map(|mut value| {
                value["canonical"] = json!(canonical);
                value.to_string()
            })
        };
        let found: Result<Vec<String>, _> = py.detach(|| texts.iter().map(read).collect());
        found.map_err(error)?.iter().map(|json| plain(py, json)).collect()
    }
}
