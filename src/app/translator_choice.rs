//! Which translator the page uses: the one that comes with the page, or one that the user brought. The Models page
//! chooses, the Translate card opens what is chosen.

use super::storage;
use leptos::prelude::*;

/// The translator that comes with the page, relative to the page.
pub const SHIPPED: &str = "models/translator/";

/// The choice, kept between visits.
#[derive(Clone, Copy)]
pub struct TranslatorChoice(RwSignal<String>);

impl TranslatorChoice {
    /// The choice with which a visit begins: what the address asks for, else what was kept, else the shipped one.
    pub fn begin(asked: Option<String>) -> Self {
        let kept = || storage::kept::<String>(storage::TRANSLATOR);
        Self(RwSignal::new(asked.or_else(kept).unwrap_or_else(|| SHIPPED.to_owned())))
    }

    /// The model, as the engine's `OpenTranslator` wants it: a folder relative to the page, or `kept:NAME` for one in
    /// the browser's storage. Followed as a signal.
    pub fn model(self) -> String {
        self.0.get()
    }

    /// Chooses, now and for later visits.
    ///
    /// # Errors
    /// Why the browser refused to keep the choice; it holds for this visit all the same.
    pub fn choose(self, model: &str) -> Result<(), String> {
        self.0.set(model.to_owned());
        storage::keep(storage::TRANSLATOR, &model)
    }
}
