//! A knowledge graph on disk: `train`, `valid` and `test` in a folder, each `.tsv` or `.tsv.xz`.

use super::triples::{Graph, Part};
use std::path::Path;
use tuppum_corpus::signs_file::text_of;

/// Reads a folder.
///
/// # Errors
/// A sentence that names folder or file, and the line where one is to blame.
pub fn read(folder: &Path) -> Result<Graph, String> {
    let mut texts = Vec::new();
    for part in [Part::Train, Part::Valid, Part::Test] {
        let plain = folder.join(format!("{part}.tsv"));
        let packed = folder.join(format!("{part}.tsv.xz"));
        let path = if plain.is_file() { plain } else { packed };
        if !path.is_file() {
            return Err(format!(
                "{} has no file {part}.tsv or {part}.tsv.xz. A knowledge graph is a folder with the tables train, valid and test.",
                folder.display()
            ));
        }
        texts.push(text_of(&path).map_err(|error| error.to_string())?);
    }
    let table = |at: usize| texts.get(at).map_or("", String::as_str);
    Graph::parse([(Part::Train, table(0)), (Part::Valid, table(1)), (Part::Test, table(2))])
        .map_err(|error| format!("{}: {error}", folder.display()))
}
