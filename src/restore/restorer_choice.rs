//! Which restorer the page uses: the one that comes with the page, or one that was trained here. The Models page chooses.

use super::session::EngineState;
use super::state::Workbench;
use crate::shell::storage;
use leptos::prelude::*;
use tuppum_protocol::KEPT;

/// The restorer with which a visit begins: one that was trained here and chosen, else the one in this folder.
pub fn begin(folder: &str) -> String {
    chosen(storage::kept(storage::RESTORER), folder)
}

/// What was chosen stands above the folder that comes with the page.
fn chosen(kept: Option<String>, folder: &str) -> String {
    kept.filter(|model| model.starts_with(KEPT)).unwrap_or_else(|| folder.to_owned())
}

impl Workbench {
    /// Restores with this model from now on, and in later visits: `kept:NAME`, or the folder of the one that comes with the page.
    ///
    /// # Errors
    /// Why the browser refused to keep the choice; it holds for this visit all the same.
    pub fn restore_with(self, model: &str) -> Result<(), String> {
        if self.model.with_untracked(|before| before == model) {
            return Ok(());
        }
        self.model.set(model.to_owned());
        // What another model said of this text is not this one's answer.
        self.forget_answers();
        if !matches!(self.engine.get_untracked(), EngineState::Stopped) {
            self.open_engine();
        }
        storage::keep(storage::RESTORER, &model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_model_that_was_trained_here_stands_above_the_folder() {
        for (kept, expected) in [
            (None, "models/restorer/"),
            (Some("kept:archive"), "kept:archive"),
            (Some("models/other/"), "models/restorer/"),
        ] {
            assert_eq!(chosen(kept.map(str::to_owned), "models/restorer/"), expected);
        }
    }
}
