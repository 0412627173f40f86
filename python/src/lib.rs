//! The Python module `tuppum._tuppum`: the command line's library for lists of texts. Computations release Python's
//! lock. Answers are plain dicts made from the command's own JSON, with numpy arrays for rows of numbers.

mod corpus;
mod output;
mod reader;
mod restorer;
mod translator;

use pyo3::prelude::*;

/// The compiled module; `tuppum/__init__.py` re-exports it.
#[pymodule]
mod _tuppum {
    #[pymodule_export]
    use super::corpus::Corpus;
    #[pymodule_export]
    use super::reader::Reader;
    #[pymodule_export]
    use super::restorer::Restorer;
    #[pymodule_export]
    use super::translator::Translator;
}
