//! Conversion of errors and answers to Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;

/// Converts an error of the library, with its sentences.
pub fn error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Converts the error of a lock that a panic has poisoned.
pub fn broken<E>(_: E) -> PyErr {
    PyValueError::new_err("the model was left unusable by an earlier failure; open it again")
}

/// Converts JSON to dicts and lists.
pub fn plain<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// Converts rows of numbers, stored one after the other, to a numpy array.
pub fn rows<'py>(py: Python<'py>, numbers: &[f32], width: usize) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let flat = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes), "<f4"))?;
    flat.call_method1("reshape", (numbers.len() / width.max(1), width))
}

/// Converts lists of numbers to a numpy array.
pub fn array<'py>(py: Python<'py>, lists: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("asarray", (lists, "<f4"))
}
