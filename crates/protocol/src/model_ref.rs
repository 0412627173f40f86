//! References to models, and the only place that reads and writes them as text.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt::{Display, Formatter};

/// Prefix of the text of a stored model: `kept:NAME`.
const STORED: &str = "kept:";
/// Text of a new small model.
const NEW_SMALL: &str = "new:small";

/// Reference to a model, by its origin.
///
/// In addresses, the browser's storage, exports and messages it is written as text by [`Display`]: `models/restorer/`,
/// `kept:NAME` or `new:small`. Every text can be read; one that is not of the last two forms names a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ModelRef {
    /// Model shipped with the page, in this folder.
    Shipped(ShippedFolder),
    /// Model in the browser's storage under this name: fetched, imported or trained by the user.
    Stored(String),
    /// New, untrained model.
    New(NewModel),
}

/// Kinds of new models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NewModel {
    /// Translator small enough to memorise a few pairs in minutes.
    Small,
}

/// Folder of a shipped model: a path relative to the page that ends in a slash.
///
/// Runs of early versions recorded the whole address instead. An address stays as it is: resolved against the page it
/// is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShippedFolder(Cow<'static, str>);

impl ModelRef {
    /// Returns the shipped model in a folder beside the page; `path` must end in a slash.
    pub const fn shipped(path: &'static str) -> Self {
        Self::Shipped(ShippedFolder(Cow::Borrowed(path)))
    }

    /// Returns the model of this name in the browser's storage.
    pub fn stored(name: impl Into<String>) -> Self {
        Self::Stored(name.into())
    }

    /// Reads a model reference from a link. Anyone may have written the link, so it must not make the engine fetch from
    /// another site: it may be a relative path downwards or the plain name of a stored model. Returns `None` for
    /// anything else.
    pub fn from_link(text: &str) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let is_path =
            |path: &str| !path.is_empty() && !path.starts_with('/') && !path.contains("..") && path.chars().all(plain);
        match text.strip_prefix(STORED) {
            Some(name) => (is_path(name) && !name.contains('/')).then(|| Self::stored(name)),
            None => is_path(text).then(|| Self::from(text)),
        }
    }

    /// Returns the name, if the model is a stored one.
    pub fn stored_name(&self) -> Option<&str> {
        match self {
            Self::Stored(name) => Some(name),
            Self::Shipped(_) | Self::New(_) => None,
        }
    }

    /// Returns `true` if both are the same model, also where an early version recorded the whole address of a folder.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shipped(one), Self::Shipped(two)) => one.is_same(two),
            _ => self == other,
        }
    }
}

impl ShippedFolder {
    /// Returns the path, which ends in a slash.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// Returns the last part of the path.
    pub fn name(&self) -> &str {
        self.0.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
    }

    fn is_same(&self, other: &Self) -> bool {
        let ends_with = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|site| site.ends_with('/'));
        self == other || ends_with(&self.0, &other.0) || ends_with(&other.0, &self.0)
    }
}

impl From<&str> for ModelRef {
    fn from(text: &str) -> Self {
        match text.strip_prefix(STORED) {
            Some(name) => Self::stored(name),
            None if text == NEW_SMALL => Self::New(NewModel::Small),
            None if text.ends_with('/') => Self::Shipped(ShippedFolder(text.to_owned().into())),
            None => Self::Shipped(ShippedFolder(format!("{text}/").into())),
        }
    }
}

impl From<String> for ModelRef {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> Self {
        model.to_string()
    }
}

impl Display for ModelRef {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shipped(folder) => out.write_str(folder.path()),
            Self::Stored(name) => write!(out, "{STORED}{name}"),
            Self::New(NewModel::Small) => out.write_str(NEW_SMALL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESTORER: ModelRef = ModelRef::shipped("models/restorer/");

    #[test]
    fn what_earlier_versions_wrote_is_read_and_written_alike() {
        let cases = [
            ("models/restorer/", RESTORER),
            ("kept:my-own.1", ModelRef::stored("my-own.1")),
            ("new:small", ModelRef::New(NewModel::Small)),
        ];
        for (text, model) in cases {
            let json = format!("\"{text}\"");
            assert_eq!(serde_json::from_str::<ModelRef>(&json).unwrap(), model);
            assert_eq!(serde_json::to_string(&model).unwrap(), json);
        }
        assert_eq!(ModelRef::from("models/restorer"), RESTORER, "a folder ends in a slash");
    }

    #[test]
    fn a_folder_noted_by_its_address_is_the_same_model() {
        let noted = ModelRef::from("https://example.org/tuppum/models/restorer/");
        assert_eq!(noted.to_string(), "https://example.org/tuppum/models/restorer/");
        assert!(noted.is_same(&RESTORER) && RESTORER.is_same(&noted) && noted != RESTORER);
        assert!(!ModelRef::from("https://example.org/other-models/restorer/").is_same(&RESTORER));
        assert!(!ModelRef::stored("restorer").is_same(&RESTORER));
    }

    #[test]
    fn a_link_names_a_folder_of_this_site_or_a_stored_model() {
        for (text, expected) in [
            ("models/mine", Some(ModelRef::from("models/mine/"))),
            ("kept:my-own.1", Some(ModelRef::stored("my-own.1"))),
            ("kept:../up", None),
            ("kept:a/b", None),
            ("https://elsewhere/", None),
            ("../x", None),
            ("/x", None),
            ("new:small", None),
            ("", None),
        ] {
            assert_eq!(ModelRef::from_link(text), expected, "{text}");
        }
    }

    #[test]
    fn a_folder_is_called_by_its_last_part() {
        let ModelRef::Shipped(folder) = RESTORER else { panic!("no folder") };
        assert_eq!(folder.name(), "restorer");
    }
}
