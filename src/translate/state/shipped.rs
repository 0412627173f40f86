//! Facts about the translator that comes with the page.

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
}
