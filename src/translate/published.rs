//! The published translations that go with a translation when it is taken along: an edition's words, each with its
//! place and licence, beside the machine's.

use super::rendering::Rendering;
use crate::corpora::place;
use crate::corpora::remembered::stands_above;
use crate::corpora::state::Corpora;
use leptos::prelude::*;
use serde::Serialize;
use std::collections::HashMap;
use tuppum_protocol::{RememberedRun, RememberedTranslation};

/// The published translation of the edited passage that is nearest to a passage of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedTranslation {
    /// How like the edited passage is, from 0 to 1.
    pub similarity: f32,
    /// Whether it is from the user's own texts, rather than an edition.
    pub own: bool,
    /// Its parts, each from one place.
    pub parts: Vec<PublishedPart>,
}

/// What is published at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublishedPart {
    /// The words, as they are published: names and numbers are those of the edited text.
    pub translation: String,
    /// Text, project or period, line, address.
    pub place: String,
    /// Under which terms.
    pub licence: &'static str,
}

/// Published translations by what the translator reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published(HashMap<String, PublishedTranslation>);

impl Published {
    /// All that are like enough to stand above the machine's.
    pub fn of(corpora: Corpora) -> Self {
        let found = corpora.remembered.with_untracked(|all| {
            let found = all.iter().filter_map(|(source, found)| Some((source.clone(), found.as_deref()?.into())));
            found.filter(|(_, found): &(String, PublishedTranslation)| stands_above(found.similarity)).collect()
        });
        Self(found)
    }

    /// What is published of the passage nearest to what was translated.
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
pub mod toy {
    use super::*;

    /// One published translation, half like what was read.
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
