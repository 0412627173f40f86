//! The texts that a restorer is trained with, from the files that a user has.

use crate::failure::Result;
use crate::input;
use std::path::Path;
use tuppum_corpus::signs_file::{corpora, for_each_row};
use tuppum_domain::restoration::texts::{Text, texts};
use tuppum_train::sequences::TextGatherer;

/// Returns the texts of a corpus of signs, of a folder of such, or of a file of transliterations.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(path: &Path, limit: Option<usize>) -> Result<Vec<Text>> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if path.is_dir() || name.ends_with(".tsv") || name.ends_with(".xz") {
        return of_corpora(path, limit);
    }
    let found = texts(&input::read(path)?);
    if found.is_empty() {
        return Err(
            format!("{} has no line of transliteration; see whether it is the right file", path.display()).into()
        );
    }
    Ok(found)
}

fn of_corpora(path: &Path, limit: Option<usize>) -> Result<Vec<Text>> {
    let mut texts = TextGatherer::default();
    for file in corpora(path)? {
        for_each_row(&file, limit, |row| texts.add(row))?;
        texts.end_file();
    }
    Ok(texts.into_texts())
}
