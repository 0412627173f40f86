//! Import of a model from files that the user chooses or drops. The page does not read them: the engine does.

use crate::models::Models;
use crate::restore::state::Workbench;
use leptos::ev::DragEvent;
use leptos::prelude::*;
use tuppum_protocol::plain_name;
use wasm_bindgen::JsCast;
use web_sys::{File, FileList};

/// Area where files are dropped or chosen.
#[component]
pub fn Files() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let name = RwSignal::new(String::new());
    let over = RwSignal::new(false);
    let import = move |files: Option<FileList>| {
        let typed = name.get_untracked();
        let named = if typed.trim().is_empty() { "my-model" } else { typed.trim() };
        models.import_files(workbench, plain_name(named), listed(files.as_ref()));
    };
    let pick = move |event: leptos::ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        import(input.files());
        // Without this, choosing the same files again would fire no event.
        input.set_value("");
    };
    view! {
        <section
            id="model-drop"
            class="card"
            class:over=over
            aria-labelledby="files-title"
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                over.set(false);
                import(event.data_transfer().and_then(|data| data.files()));
            }
        >
            <h2 id="files-title">"From files"</h2>
            <p class="hint">
                "Drop all files of a model here: "<code>"config.json"</code>" and "<code>"model.safetensors"</code>
                ", or "<code>"pytorch_model.bin"</code>", or the pieces with their index; or the files of a run \
                that you saved on the page “Train”. Nothing leaves this device."
            </p>
            <label class="field">
                <span>"Name"</span>
                <input
                    id="model-name"
                    type="text"
                    autocomplete="off"
                    placeholder="my-model"
                    on:input=move |event| name.set(event_target_value(&event))
                />
            </label>
            <label class="file">
                <input id="model-files" type="file" multiple=true class="unseen" on:change=pick />
                "Choose files …"
            </label>
        </section>
    }
}

fn listed(files: Option<&FileList>) -> Vec<File> {
    let Some(files) = files else { return Vec::new() };
    (0..files.length()).filter_map(|number| files.get(number)).collect()
}
