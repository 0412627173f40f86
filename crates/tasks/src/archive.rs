//! Texts of the user's own, which stand beside the edited ones on the same machine. Plain data; the search lies where
//! the edited texts are.

use serde::{Deserialize, Serialize};
use tuppum_text::ReadingOptions;

/// Texts that were put by together, under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnArchive {
    /// Its name, by which its places are told from others.
    pub name: String,
    /// Transliterations as typed. Lines such as `&P361583 = …` each begin a text of that number; without one all of it
    /// is one text. Translations in it (`#tr.en: …`) are remembered.
    pub text: String,
    /// How they are to be read where the reader could take them otherwise.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Passages with their translations. Where there are no transliterations beside them, the passages are a text too.
    #[serde(default)]
    pub pairs: Vec<OwnPair>,
    /// A list of names as a table, as it was brought: a spelling, the name, its kind and its rendering a row.
    #[serde(default)]
    pub names: String,
}

/// A passage and its translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPair {
    /// The transliteration.
    pub source: String,
    /// Its translation.
    pub target: String,
}

/// What an archive holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnReport {
    /// Its name.
    pub name: String,
    /// How many texts.
    pub texts: usize,
    /// How many lines with signs.
    pub lines: usize,
    /// How many signs that can be read.
    pub signs: usize,
    /// How many passages with a translation.
    pub translations: usize,
    /// How many spellings of names.
    pub names: usize,
}
