//! Translators: the one that comes with the page, versions that tell their work apart, and the choice of the one in
//! use. The Models page makes the choice, the translation card opens the chosen translator.

use crate::kit::storage;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter};
use tuppum_protocol::{ModelRef, ModelSize};

/// Reference to the shipped translator.
pub const SHIPPED: ModelRef = ModelRef::shipped("models/translator/");
/// Number of parameters of the shipped translator.
pub const SHIPPED_PARAMETERS: u64 = 10_438_657;

/// Returns the size of the shipped translator; `None` if its configuration cannot be read, which a test excludes.
pub fn shipped_size() -> Option<ModelSize> {
    ModelSize::of_translator(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/translator/config.json")))
}

/// First digits of the SHA-256 of the shipped weights, which tell its versions apart.
pub const SHIPPED_WEIGHTS: &str = "2d3cca34";

/// Separator between a folder and the version of the weights in it.
const WEIGHTS_SEPARATOR: &str = "/@";
/// Suffix of a stored translator that was deleted since.
const DELETED_SUFFIX: &str = " (deleted)";

/// A translator in a certain version.
///
/// Stored and exported as text: `models/translator/@f17ea54e`, `kept:NAME`, or `kept:NAME (deleted)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct TranslatorVersion {
    model: ModelRef,
    /// First digits of the SHA-256 of the weights, where they were recorded.
    weights: Option<String>,
    is_deleted: bool,
}

impl TranslatorVersion {
    /// Returns the present version of a translator.
    pub fn present(model: ModelRef) -> Self {
        let weights = (model == SHIPPED).then(|| SHIPPED_WEIGHTS.to_owned());
        Self { model, weights, is_deleted: false }
    }

    /// Returns `true` if this is any version of the shipped translator.
    pub fn is_shipped(&self) -> bool {
        self.model == SHIPPED
    }

    /// Marks this version as deleted if the stored translator of this name is meant.
    pub fn note_deletion(&mut self, name: &str) {
        self.is_deleted |= self.model.stored_name() == Some(name);
    }

    /// Returns the name that the page shows.
    pub fn name(&self) -> String {
        match &self.model {
            ModelRef::Stored(name) if self.is_deleted => format!("{name}{DELETED_SUFFIX}"),
            ModelRef::Stored(name) => name.clone(),
            _ if *self == Self::present(SHIPPED) => "Tuppum’s translator".to_owned(),
            _ if self.is_shipped() => "an earlier version of Tuppum’s translator".to_owned(),
            _ => self.to_string().trim_end_matches('/').to_owned(),
        }
    }
}

impl From<String> for TranslatorVersion {
    fn from(text: String) -> Self {
        let (text, is_deleted) = match text.strip_suffix(DELETED_SUFFIX) {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        let (model, weights) = match text.rsplit_once(WEIGHTS_SEPARATOR) {
            Some((folder, weights)) => (ModelRef::from(folder), Some(weights.to_owned())),
            None => (ModelRef::from(text), None),
        };
        Self { model, weights, is_deleted }
    }
}

impl From<TranslatorVersion> for String {
    fn from(version: TranslatorVersion) -> Self {
        version.to_string()
    }
}

impl Display for TranslatorVersion {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.model)?;
        if let Some(weights) = &self.weights {
            write!(out, "@{weights}")?;
        }
        out.write_str(if self.is_deleted { DELETED_SUFFIX } else { "" })
    }
}

/// The choice, stored between visits.
#[derive(Clone, Copy)]
pub struct TranslatorChoice(RwSignal<ModelRef>);

impl TranslatorChoice {
    /// Returns the choice at the beginning of a visit: the translator that the address names, else the stored one, else
    /// the shipped one.
    pub fn begin(asked: Option<ModelRef>) -> Self {
        let stored = || storage::stored(storage::TRANSLATOR);
        Self(RwSignal::new(asked.or_else(stored).unwrap_or(SHIPPED)))
    }

    /// Returns the chosen model. Tracked as a signal.
    pub fn model(self) -> ModelRef {
        self.0.get()
    }

    /// Returns the present version of the chosen translator. Tracked as a signal.
    pub fn version(self) -> TranslatorVersion {
        TranslatorVersion::present(self.model())
    }

    /// Chooses a translator, for this visit and later ones.
    ///
    /// # Errors
    /// The reason why the browser refused to store the choice; it holds for this visit all the same.
    pub fn choose(self, model: &ModelRef) -> Result<(), String> {
        self.0.set(model.clone());
        storage::store(storage::TRANSLATOR, model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the header of the safetensors file: its length in eight bytes, then the shape of every tensor as JSON.
    #[test]
    fn the_shipped_translator_has_so_many_numbers() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SHIPPED.to_string()).join("model.safetensors");
        let bytes = std::fs::read(path).unwrap();
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap());
        let header: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes[8..8 + usize::try_from(length).unwrap()]).unwrap();
        let numbers = |tensor: &serde_json::Value| {
            tensor["shape"].as_array().map_or(0, |shape| shape.iter().filter_map(|own| own.as_u64()).product::<u64>())
        };
        assert_eq!(header.values().map(numbers).sum::<u64>(), SHIPPED_PARAMETERS);
    }

    #[test]
    fn the_shipped_weights_are_these() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SHIPPED.to_string());
        let manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
        let files = manifest["files"].as_array().unwrap();
        let weights = files.iter().find(|file| file["name"] == "model.safetensors").unwrap();
        assert!(weights["sha256"].as_str().unwrap().starts_with(SHIPPED_WEIGHTS), "{weights}");
    }

    #[test]
    fn what_is_kept_is_read_and_written_alike() {
        for (text, name) in [
            (format!("{SHIPPED}@{SHIPPED_WEIGHTS}"), "Tuppum’s translator"),
            (SHIPPED.to_string(), "an earlier version of Tuppum’s translator"),
            (format!("{SHIPPED}@0123abcd"), "an earlier version of Tuppum’s translator"),
            ("kept:mine".to_owned(), "mine"),
            ("kept:my-translator (deleted)".to_owned(), "my-translator (deleted)"),
            ("models/tiny/".to_owned(), "models/tiny"),
        ] {
            let version = TranslatorVersion::from(text.clone());
            assert_eq!((version.to_string(), version.name()), (text, name.to_owned()));
        }
    }

    #[test]
    fn work_of_a_deleted_translator_is_no_work_of_another_with_its_name() {
        let present = TranslatorVersion::present(ModelRef::stored("mine"));
        let mut before = present.clone();
        before.note_deletion("other");
        assert_eq!(before, present);
        before.note_deletion("mine");
        assert_ne!(before, present);
        before.note_deletion("mine");
        assert_eq!(before.name(), "mine (deleted)");
    }
}
