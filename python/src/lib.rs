//! The Python module `tuppum._tuppum`: the command line's library over lists of texts. What computes runs without
//! Python's lock; answers are plain dicts, made of the command's own JSON, with arrays of numpy for rows of numbers.

mod corpus;
mod output;
mod reader;
mod restorer;
mod translator;

use pyo3::prelude::*;

/// What `tuppum/__init__.py` offers under its own name.
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
