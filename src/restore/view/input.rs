//! The card with the text field: typing, pasting, dropping or opening a file, examples.

use crate::frame::keys;
use crate::frame::notice::Notice;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::view::controls::RestoreRow;
use crate::restore::view::palette;
use crate::texts::row::Shelf;
use leptos::ev::{DragEvent, KeyboardEvent};
use leptos::html::Textarea;
use leptos::prelude::*;
use tuppum_text::{ConventionEvidence, examples};
use tuppum_text::{DeterminativeStyle, IndexStyle, LetterStyle, Style};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// Confidence from which a convention counts as clearly recognised.
const CLEAR_CONFIDENCE: f32 = 0.6;
/// Size in bytes of the largest file that is read.
const MAX_FILE_BYTES: f64 = 4_000_000.0;

/// The text field with examples, files, special characters and the restore button.
#[component]
pub fn Input() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let field = NodeRef::<Textarea>::new();
    let over = RwSignal::new(false);
    let text = Memo::new(move |_| workbench.text.work.with(|work| work.text.clone()));
    view! {
        <section
            class="card input"
            class:over=over
            on:dragover=move |event: DragEvent| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                over.set(false);
                drop_file(workbench, &event);
            }
        >
            <div class="card-head">
                <h2><label for="text">"Transliteration"</label></h2>
                <Convention />
            </div>
            <Shelf changed=move |()| focus_field(field) />
            <Examples />
            <textarea
                id="text"
                node_ref=field
                rows="9"
                lang="akk-Latn"
                dir="ltr"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                aria-describedby="text-hint"
                placeholder="Type or paste a transliteration: x for an illegible sign, ... for a break."
                prop:value=move || text.get()
                on:beforeinput=move |event| keys::before_input(workbench, &event)
                on:input=move |event| workbench.type_text(event_target_value(&event))
                on:keydown=move |event: KeyboardEvent| press(workbench, field, &event)
            ></textarea>
            <p id="text-hint" class="hint">
                "Paste a text, write "<code>"x"</code>" where a sign is illegible and "<code>"..."</code>
                " where more is lost, and press Restore ("<kbd>"Shift"</kbd>"+"<kbd>"Enter"</kbd>"). A file can be \
                dropped here."
            </p>
            <Source />
            <palette::Palette field />
            <RestoreRow />
        </section>
    }
}

/// Puts the caret into the text field.
fn focus_field(field: NodeRef<Textarea>) {
    if let Some(field) = field.get_untracked() {
        // A field in the page takes the focus.
        let _ = field.focus();
    }
}

/// The convention in which the text is read and proposals are written.
#[component]
fn Convention() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let style = Memo::new(move |_| workbench.text.document.with(|document| document.style));
    view! {
        <p class="hint" id="convention" title="Recognised in the text; proposals are written in it too">
            "Written with "
            {move || habits(style.get())}
        </p>
        <ReadAs />
    }
}

/// Menu of conventions: recognised from the text, or chosen.
#[component]
fn ReadAs() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let chosen = Memo::new(move |_| workbench.text.work.with(|work| work.reading.convention));
    let found = Memo::new(move |_| workbench.text.document.with(|document| document.convention.clone()));
    let automatic = move || match found.get() {
        found if found.is_chosen => "as found in the text".to_owned(),
        found if found.confidence == 0.0 => format!("{}, by default", found.convention.name()),
        found if found.confidence < CLEAR_CONFIDENCE => format!("{}, not clearly", found.convention.name()),
        found => format!("{}, as found", found.convention.name()),
    };
    let evidence = move || {
        let seen = |seen: &ConventionEvidence| format!("{}: {}", seen.what, format::count(seen.count as u64));
        let all: Vec<String> = found.with(|found| found.evidence.iter().map(seen).collect());
        if all.is_empty() { "Nothing in the text tells the convention".to_owned() } else { all.join("; ") }
    };
    let choose = move |event| {
        let value = event_target_value(&event);
        let convention = tuppum_text::Convention::ALL.into_iter().find(|one| one.name() == value);
        workbench.read_as("choose a convention", |reading| reading.convention = convention);
    };
    let option = move |one: tuppum_text::Convention| {
        view! {
            <option value=one.name() prop:selected=move || chosen.get() == Some(one)>
                {one.name()}
            </option>
        }
    };
    view! {
        <label class="period" title=evidence>
            <span>"Read as"</span>
            <select id="read-as" on:change=choose>
                <option value="" prop:selected=move || chosen.get().is_none()>
                    {automatic}
                </option>
                {tuppum_text::Convention::ALL.map(option).collect_view()}
            </select>
        </label>
    }
}

fn habits(style: Style) -> String {
    let index = match style.index {
        IndexStyle::Subscript => "u₂",
        IndexStyle::Digit => "u2",
        IndexStyle::Accent => "ú",
    };
    let letters = match style.letters {
        LetterStyle::Unicode => "š",
        LetterStyle::Ascii => "sz",
    };
    let h = if style.breve_h { "ḫ" } else { "h" };
    let determinative = match style.determinatives {
        DeterminativeStyle::Braces => "{KI}",
        DeterminativeStyle::LowerBraces => "{ki}",
        DeterminativeStyle::Raised => "raised ki",
    };
    [index, letters, h, determinative].join(", ")
}

#[component]
fn Examples() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let button = move |example: &'static examples::Example| {
        let open = move |_| {
            workbench.replace_text(format!("open the example “{}”", example.title), example.text.into());
        };
        view! {
            <button type="button" data-example=example.key title=example.source on:click=open>
                {example.title}
            </button>
        }
    };
    view! {
        <div id="examples" class="buttons" role="group" aria-label="Examples and files">
            <span class="hint">"Examples"</span>
            {examples::ALL.iter().map(button).collect_view()}
            <label class="file">
                <input
                    id="file"
                    type="file"
                    accept=".txt,.atf,text/plain"
                    class="unseen"
                    on:change=move |event| pick_file(workbench, &event)
                />
                "Open a file …"
            </label>
        </div>
    }
}

/// Source of an example, as long as its text is unchanged.
#[component]
fn Source() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let source = Memo::new(move |_| {
        workbench
            .text
            .work
            .with(|work| examples::ALL.iter().find(|example| example.text == work.text).map(|e| e.source))
    });
    view! {
        <p id="source" class="hint" hidden=move || source.get().is_none()>
            {source}
        </p>
    }
}

fn press(workbench: Workbench, field: NodeRef<Textarea>, event: &KeyboardEvent) {
    let command = event.ctrl_key() || event.meta_key();
    if event.key() == "Enter" && (event.shift_key() || command) {
        event.prevent_default();
        if workbench.why_not().is_none() {
            workbench.restore_all();
        }
        return;
    }
    if event.key() != "Tab" || event.shift_key() || command {
        return;
    }
    let Some(field) = field.get_untracked() else { return };
    let caret = field.selection_start().ok().flatten().unwrap_or_default();
    let value = field.value();
    let before = &value[..format::byte_offset(&value, caret)];
    if let Some(character) = palette::completion(before) {
        event.prevent_default();
        let length = u32::try_from(character.code.encode_utf16().count()).unwrap_or_default();
        // Both ends lie in the text, so the browser accepts the range.
        let _ = field.set_selection_range(caret.saturating_sub(length), caret);
        palette::insert(&field, character.text);
    }
}

fn drop_file(workbench: Workbench, event: &DragEvent) {
    let Some(data) = event.data_transfer() else { return };
    if let Some(file) = data.files().and_then(|files| files.get(0)) {
        event.prevent_default();
        read_file(workbench, file);
    }
}

fn pick_file(workbench: Workbench, event: &leptos::ev::Event) {
    let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(input) = input else { return };
    if let Some(file) = input.files().and_then(|files| files.get(0)) {
        read_file(workbench, file);
    }
    // Clearing the field lets the user choose the same file again.
    input.set_value("");
}

fn read_file(workbench: Workbench, file: web_sys::File) {
    let name = file.name();
    if file.size() > MAX_FILE_BYTES {
        workbench.notify(Notice::failure(format!(
            "{name} is too long: {} of at most {}. Split it and open one part.",
            format::megabytes(file.size() as u64),
            format::megabytes(MAX_FILE_BYTES as u64)
        )));
        return;
    }
    leptos::task::spawn_local(async move {
        let text = JsFuture::from(file.text()).await;
        match text.ok().and_then(|text| text.as_string()) {
            Some(text) if is_text(&text) => {
                workbench.replace_text(format!("open {name}"), text);
                workbench.notify(Notice::done(format!("{name} is open. Undo brings your text back.")));
            }
            Some(_) => workbench.notify(Notice::failure(format!(
                "{name} is not text in UTF-8. Your text is unchanged. Save the file as plain text and try again."
            ))),
            None => workbench.notify(Notice::failure(format!("{name} could not be read. Your text is unchanged."))),
        }
    });
}

/// Returns `true` if this can be text: no control characters except white space, few undecodable ones.
fn is_text(text: &str) -> bool {
    let control = text.chars().any(|letter| letter.is_control() && !letter.is_whitespace());
    let undecodable = text.matches('\u{fffd}').count();
    !control && undecodable * 100 <= text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn binary_files_are_told_from_text() {
        assert!(is_text("&P1 = x\n1. a-na x\r\n\tšu"));
        assert!(!is_text("PNG\u{0}\u{1}"));
        assert!(!is_text("a\u{fffd}\u{fffd}b"));
        assert!(is_text(""));
    }
}
