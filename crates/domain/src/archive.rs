//! The user's own texts, stored beside the edited ones on the same machine. Plain data; the index is in `corpus`.

use serde::{Deserialize, Serialize};
use tuppum_text::ReadingOptions;

/// Texts stored together under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnArchive {
    /// Name, which marks the archive's places.
    pub name: String,
    /// Transliterations as typed. Lines such as `&P361583 = …` begin a text of that number; without such lines all of
    /// it is one text. Translations in it (`#tr.en: …`) are remembered.
    pub text: String,
    /// Options of reading that the user has set.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Passages with their translations. If there are no transliterations, the passages are a text too.
    #[serde(default)]
    pub pairs: Vec<OwnPair>,
    /// List of names as a table, as imported: spelling, name, kind and rendering per row.
    #[serde(default)]
    pub names: String,
}

/// A passage and its translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPair {
    pub source: String,
    pub target: String,
}

/// Counts of an archive's content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnReport {
    pub name: String,
    /// Number of texts.
    pub texts: usize,
    /// Number of lines with signs.
    pub lines: usize,
    /// Number of legible signs.
    pub signs: usize,
    /// Number of passages with a translation.
    pub translations: usize,
    /// Number of spellings of names.
    pub names: usize,
}
