//! Published translations of similar passages in an export, each with its place and licence, beside the machine's.

use crate::corpora::place;
use crate::corpora::remembered::stands_above;
use crate::corpora::state::Corpora;
use crate::translate::state::rendering::Rendering;
use leptos::prelude::*;
use serde::Serialize;
use std::collections::HashMap;
use tuppum_protocol::{RememberedRun, RememberedTranslation};

/// Published translation of the edited passage that is most similar to a passage of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedTranslation {
    /// Similarity of the edited passage, from 0 to 1.
    pub similarity: f32,
    /// `true` if the passage is one of the user's own texts, `false` if it is from an edition.
    pub own: bool,
    /// Parts of the translation, each from one place.
    pub parts: Vec<PublishedPart>,
}

/// Part of a published translation, from one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublishedPart {
    /// Words as published: names and numbers are those of the edited text.
    pub translation: String,
    /// Text, project or period, line, and address of the edition.
    pub place: String,
    pub licence: &'static str,
}

/// Published translations, by the text that the translator reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published(HashMap<String, PublishedTranslation>);

impl Published {
    /// Returns the published translations that are similar enough to be shown above the machine's.
    pub fn of(corpora: Corpora) -> Self {
        let found = corpora.remembered.with_untracked(|all| {
            let found = all.iter().filter_map(|(source, found)| Some((source.clone(), found.as_deref()?.into())));
            found.filter(|(_, found): &(String, PublishedTranslation)| stands_above(found.similarity)).collect()
        });
        Self(found)
    }

    /// Returns the published translation of the passage most similar to the translated one.
    pub fn beside(&self, rendering: &Rendering) -> Option<&PublishedTranslation> {
        self.0.get(&rendering.translated.source)
    }
}

impl From<&RememberedTranslation> for PublishedTranslation {
    fn from(found: &RememberedTranslation) -> Self {
        let part = |run: &RememberedRun| PublishedPart {
            translation: run.translation.clone(),
            place: place::citation(&run.edition),
            licence: place::licence_of_translation(&run.edition),
        };
        Self {
            similarity: found.similarity,
            own: found.runs.iter().any(|run| run.edition.own),
            parts: found.runs.iter().map(part).collect(),
        }
    }
}

#[cfg(test)]
pub mod examples {
    use super::*;

    /// Returns one published translation, of a passage with similarity 0.5 to `source`.
    pub fn published(source: &str) -> Published {
        let part = PublishedPart {
            translation: "To the king".into(),
            place: "P334567 (saao/saa01), o 1, https://example.org/P334567".into(),
            licence: "CC BY-SA 3.0",
        };
        let found = PublishedTranslation { similarity: 0.5, own: false, parts: vec![part] };
        Published(HashMap::from([(source.to_owned(), found)]))
    }
}
