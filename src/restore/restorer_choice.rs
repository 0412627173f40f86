//! The restorer in use: the one that comes with the page, or one that was trained here and chosen on the Models page.

use crate::kit::storage;
use tuppum_protocol::ModelRef;

/// Returns the restorer at the beginning of a visit: one that was trained here and chosen, else the one that comes with
/// the page.
pub fn begin(shipped: &ModelRef) -> ModelRef {
    chosen(storage::stored(storage::RESTORER), shipped)
}

/// Prefers a stored model that was chosen to the one that comes with the page.
fn chosen(stored: Option<ModelRef>, shipped: &ModelRef) -> ModelRef {
    stored.filter(|model| matches!(model, ModelRef::Stored(_))).unwrap_or_else(|| shipped.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_model_that_was_trained_here_stands_above_the_folder() {
        for (stored, expected) in [
            (None, "models/restorer/"),
            (Some("kept:archive"), "kept:archive"),
            (Some("models/other/"), "models/restorer/"),
        ] {
            let shipped = ModelRef::from("models/restorer/");
            assert_eq!(chosen(stored.map(ModelRef::from), &shipped), ModelRef::from(expected));
        }
    }
}
