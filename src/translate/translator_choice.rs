//! Which translator the page uses: the one that comes with the page, or one that the user brought. The Models page
//! chooses, the Translate card opens what is chosen.

use crate::shell::storage;
use leptos::prelude::*;
use tuppum_protocol::KEPT;

/// The translator that comes with the page, relative to the page.
pub const SHIPPED: &str = "models/translator/";
/// How many numbers it has.
pub const SHIPPED_PARAMETERS: u64 = 10_438_657;

/// The beginning of the sha256 of its weights, which tells one version of it from another.
pub const SHIPPED_WEIGHTS: &str = "f17ea54e";

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

    /// What tells this translator's work from that of others, also from that of other versions. Followed as a signal.
    pub fn weights(self) -> String {
        let model = self.model();
        if model == SHIPPED { format!("{model}@{SHIPPED_WEIGHTS}") } else { model }
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

/// What a translator is called, by [`TranslatorChoice::weights`].
pub fn name_of(weights: &str) -> String {
    match weights.strip_prefix(KEPT) {
        Some(name) => name.to_owned(),
        None if weights.starts_with(SHIPPED) && weights.ends_with(SHIPPED_WEIGHTS) => "Tuppum’s translator".to_owned(),
        None if weights.starts_with(SHIPPED) => "an earlier version of Tuppum’s translator".to_owned(),
        None => weights.trim_end_matches('/').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of safetensors tells the shape of every tensor, after its own length in eight bytes.
    #[test]
    fn the_shipped_translator_has_so_many_numbers() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SHIPPED).join("model.safetensors");
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
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SHIPPED);
        let manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
        let files = manifest["files"].as_array().unwrap();
        let weights = files.iter().find(|file| file["name"] == "model.safetensors").unwrap();
        assert!(weights["sha256"].as_str().unwrap().starts_with(SHIPPED_WEIGHTS), "{weights}");
    }

    #[test]
    fn translators_have_names_for_people() {
        assert_eq!(name_of(&format!("{SHIPPED}@{SHIPPED_WEIGHTS}")), "Tuppum’s translator");
        assert_eq!(name_of(SHIPPED), "an earlier version of Tuppum’s translator");
        assert_eq!(name_of("kept:my-translator (deleted)"), "my-translator (deleted)");
        assert_eq!(name_of("models/tiny/"), "models/tiny");
    }
}
