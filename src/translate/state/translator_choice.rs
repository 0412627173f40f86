//! Choice of the translator: the shipped one, or one that the user brought. The Models page makes the choice, the
//! translation card opens the chosen translator.

use super::shipped::SHIPPED;
use super::version::TranslatorVersion;
use crate::shell::storage;
use leptos::prelude::*;
use tuppum_protocol::ModelRef;

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
