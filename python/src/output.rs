//! Errors and answers as Python has them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;

/// An error of the library, with its sentences.
pub fn error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The error of a lock that a panic has left behind.
pub fn broken<E>(_: E) -> PyErr {
    PyValueError::new_err("the model was left unusable by an earlier failure; open it again")
}

/// JSON as dicts and lists.
pub fn plain<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// Rows of numbers, one after the other, as an array of numpy.
pub fn rows<'py>(py: Python<'py>, numbers: &[f32], width: usize) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let flat = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes), "<f4"))?;
    flat.call_method1("reshape", (numbers.len() / width.max(1), width))
}

/// Numbers in lists, as an array of numpy.
pub fn array<'py>(py: Python<'py>, lists: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("asarray", (lists, "<f4"))
}
