//! The Python class `Corpus`: looks up texts in the edited texts and the lexicon.

use super::output::{error, plain};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use tuppum_cli::corpus::{opened, opened_glosses};
use tuppum_corpus::attested::{AttestedTexts, asked};
use tuppum_corpus::glosses::Glossary;
use tuppum_corpus::parallels::parallels;
use tuppum_domain::attested::EditionPlace;
use tuppum_domain::gloss::table;
use tuppum_domain::restoration::texts::Text;
use tuppum_text::Document;

/// The edited texts and the lexicon.
#[pyclass(frozen, module = "tuppum")]
pub struct Corpus {
    texts: AttestedTexts,
    glossary: Glossary,
}

#[pymethods]
impl Corpus {
    /// Opens the packs in a folder.
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| Ok((opened(&folder)?, opened_glosses(&folder)?)));
        let (texts, glossary) = opened.map_err(|problem: tuppum_cli::failure::Failure| error(problem))?;
        Ok(Self { texts, glossary })
    }

    /// Returns the parallels of every line of each text, the most similar first, as `tuppum search` prints them.
    /// `except_text` is the number of a text whose own lines are left out.
    #[pyo3(signature = (texts, *, top = 3, except_text = None))]
    fn parallels<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        top: usize,
        except_text: Option<&str>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let except = except_text.and_then(|id| self.texts.text_number(id));
        let line = |line: &tuppum_domain::restoration::texts::CorpusLine| {
            let found = parallels(&self.texts, &asked(line, self.texts.readings()), top, except);
            let passages = found.passages.iter().map(|parallel| {
                let range = &parallel.alignment.attested;
                let EditionPlace { text, project, line, address, own } =
                    self.texts.edition(parallel.text, range.clone());
                json!({"similarity": parallel.alignment.similarity, "text": text, "project": project, "line": line,
                       "address": address, "own": own, "written": self.texts.written(range.clone())})
            });
            json!({"line": line.signs, "formula": found.is_formula(), "parallels": passages.collect::<Vec<_>>()})
        };
        let one = |text: &String| {
            let lines = Text::of_document("", &Document::read(text)).lines;
            lines.iter().map(line).collect::<serde_json::Value>().to_string()
        };
        let found: Vec<String> = py.detach(|| texts.iter().map(one).collect());
        found.iter().map(|json| plain(py, json)).collect()
    }

    /// Returns lemma, guide word and part of speech of the words of each text: the rows of `tuppum gloss --format tsv`.
    fn gloss<'py>(&self, py: Python<'py>, texts: Vec<String>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let one = |text: &String| {
            let document = Document::read(text);
            let table = table(&document, &self.glossary.gloss(&document));
            let mut lines = table.lines();
            let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
            let row = |line: &str| -> serde_json::Value {
                let cells = line.split('\t').map(serde_json::Value::from);
                names.iter().map(|name| (*name).to_owned()).zip(cells).collect::<serde_json::Map<_, _>>().into()
            };
            lines.map(row).collect::<serde_json::Value>().to_string()
        };
        let found: Vec<String> = py.detach(|| texts.iter().map(one).collect());
        found.iter().map(|json| plain(py, json)).collect()
    }
}
