//! A knowledge graph on disk: `train`, `valid` and `test` in a folder, each `.tsv` or `.tsv.xz`.

use std::path::{Path, PathBuf};
use thiserror::Error;
use tuppum_corpus::error::CorpusError;
use tuppum_corpus::signs_file::text_of;
use tuppum_hyperbolic::graph_training::triples::{GraphError, GraphSplit, KnowledgeGraph};

/// Reason why a folder has no graph.
#[derive(Debug, Error)]
pub enum GraphFilesError {
    /// A table is missing.
    #[error(
        "{} has no file {part}.tsv or {part}.tsv.xz. A knowledge graph is a folder with the tables train, valid and \
         test.",
        .folder.display()
    )]
    NoTable {
        /// The folder.
        folder: PathBuf,
        /// The part whose table is missing.
        part: GraphSplit,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] CorpusError),
    /// The tables are no graph.
    #[error("{}: {error}", .folder.display())]
    Graph {
        /// The folder.
        folder: PathBuf,
        /// Problem of the tables.
        error: GraphError,
    },
}

/// Reads a folder.
///
/// # Errors
/// [`GraphFilesError`] names folder or file, and the line that is wrong, if any.
pub fn read(folder: &Path) -> Result<KnowledgeGraph, GraphFilesError> {
    let mut texts = Vec::new();
    for part in [GraphSplit::Train, GraphSplit::Valid, GraphSplit::Test] {
        let plain = folder.join(format!("{part}.tsv"));
        let packed = folder.join(format!("{part}.tsv.xz"));
        let path = if plain.is_file() { plain } else { packed };
        if !path.is_file() {
            return Err(GraphFilesError::NoTable { folder: folder.to_owned(), part });
        }
        texts.push(text_of(&path)?);
    }
    let table = |at: usize| texts.get(at).map_or("", String::as_str);
    KnowledgeGraph::parse([(GraphSplit::Train, table(0)), (GraphSplit::Valid, table(1)), (GraphSplit::Test, table(2))])
        .map_err(|error| GraphFilesError::Graph { folder: folder.to_owned(), error })
}
