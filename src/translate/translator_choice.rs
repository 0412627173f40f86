//! Which translator the page uses: the one that comes with the page, or one that the user brought. The Models page
//! chooses, the Translate card opens what is chosen.

use super::shipped::SHIPPED;
use super::version::TranslatorVersion;
use crate::kit::storage;
use leptos::prelude::*;
use tuppum_protocol::ModelRef;

/// The choice, kept between visits.
#[derive(Clone, Copy)]
pub struct TranslatorChoice(RwSignal<ModelRef>);

impl TranslatorChoice {
    /// The choice with which a visit begins: what the address asks for, else what was kept, else the shipped one.
    pub fn begin(asked: Option<ModelRef>) -> Self {
        let stored = || storage::stored(storage::TRANSLATOR);
        Self(RwSignal::new(asked.or_else(stored).unwrap_or(SHIPPED)))
    }

    /// The model. Followed as a signal.
    pub fn model(self) -> ModelRef {
        self.0.get()
    }

    /// What tells this translator's work from that of others, also from that of other versions. Followed as a signal.
    pub fn version(self) -> TranslatorVersion {
        TranslatorVersion::present(self.model())
    }

    /// Chooses, now and for later visits.
    ///
    /// # Errors
    /// Why the browser refused to keep the choice; it holds for this visit all the same.
    pub fn choose(self, model: &ModelRef) -> Result<(), String> {
        self.0.set(model.clone());
        storage::store(storage::TRANSLATOR, model)
    }
}
