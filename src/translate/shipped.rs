//! The translator that comes with the page.

use tuppum_protocol::{ModelRef, ModelSize};

/// Where it lies.
pub const SHIPPED: ModelRef = ModelRef::shipped("models/translator/");
/// How many numbers it has.
pub const SHIPPED_PARAMETERS: u64 = 10_438_657;

/// How large it is.
pub fn shipped_size() -> Option<ModelSize> {
    ModelSize::of_translator(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/translator/config.json")))
}

/// The beginning of the sha256 of its weights, which tells one version of it from another.
pub const SHIPPED_WEIGHTS: &str = "2d3cca34";

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of safetensors tells the shape of every tensor, after its own length in eight bytes.
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
