//! Version of a translator, which tells its work from that of other translators and versions.

use super::shipped::{SHIPPED, SHIPPED_WEIGHTS};
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter};
use tuppum_protocol::ModelRef;

/// Separator between a folder and the version of the weights in it.
const AT: &str = "/@";
/// Suffix of a stored translator that was deleted since.
const DELETED: &str = " (deleted)";

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
            ModelRef::Stored(name) if self.is_deleted => format!("{name}{DELETED}"),
            ModelRef::Stored(name) => name.clone(),
            _ if *self == Self::present(SHIPPED) => "Tuppum’s translator".to_owned(),
            _ if self.is_shipped() => "an earlier version of Tuppum’s translator".to_owned(),
            _ => self.to_string().trim_end_matches('/').to_owned(),
        }
    }
}

impl From<String> for TranslatorVersion {
    fn from(text: String) -> Self {
        let (text, is_deleted) = match text.strip_suffix(DELETED) {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        let (model, weights) = match text.rsplit_once(AT) {
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
        out.write_str(if self.is_deleted { DELETED } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
