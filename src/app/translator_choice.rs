//! Which translator the page uses: the one that comes with the page, or one that the user brought. The Models page
//! chooses, the Translate card opens what is chosen.

use super::storage;
use leptos::prelude::*;

/// The translator that comes with the page, relative to the page.
pub const SHIPPED: &str = "models/translator/";
/// How many numbers it has.
pub const SHIPPED_PARAMETERS: u64 = 3_619_329;

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
}
