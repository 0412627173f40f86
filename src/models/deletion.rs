//! The question before a model is deleted.

use crate::models::Models;
use crate::models::state::Deletion;
use crate::restore::state::Workbench;
use crate::shell::dialog::DeletionQuestion;
use crate::shell::format;
use crate::translate::Translating;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;

/// The dialog; it opens when a deletion is asked for.
#[component]
pub fn DeletionDialog() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let (choice, translating) = (expect_context::<TranslatorChoice>(), expect_context::<Translating>());
    let name = move || {
        let name = |deletion: &Deletion| deletion.shipped.map_or_else(|| deletion.name.clone(), str::to_owned);
        models.deletion.with(|deletion| deletion.as_ref().map(name).unwrap_or_default())
    };
    let is_shipped = move || models.deletion.with(|one| one.as_ref().is_some_and(|one| one.shipped.is_some()));
    let bytes = move || models.deletion.with(|deletion| deletion.as_ref().map_or(0, |deletion| deletion.bytes));
    let consequence = move || {
        let freed = format::bytes(bytes());
        match is_shipped() {
            true if !models.online.get() => format!(
                "This frees {freed}. There is no network at the moment: without one, nothing can be done with it until \
                 it is fetched again."
            ),
            true => format!("This frees {freed}. It is fetched again when it is next used."),
            false => format!("This frees {freed}. To use the model later, you must import it again."),
        }
    };
    view! {
        <DeletionQuestion
            id="model-deletion"
            delete_id="model-forget"
            is_asked=Signal::derive(move || models.deletion.with(Option::is_some))
            question=Signal::derive(move || format!("Delete {}?", name()))
            consequence=Signal::derive(consequence)
            on_delete=move || models.forget(workbench, choice, translating)
            on_keep=move || models.deletion.set(None)
        />
    }
}
