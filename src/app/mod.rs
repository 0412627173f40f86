//! The page: a workbench on which a transliteration is typed, read, and its gaps restored.
//!
//! The page talks to the engine by messages only (`session`). Plain logic without the browser is in `work`, `history`,
//! `address`, `pieces`, `grouping`, `export`, `format`, `start`; everything drawn is in `components`.
//! The second view, the sign tree, is in `tree` and `components::tree`; it shares no state with the workbench. The third, the
//! models, is in `models` and `components::models`.
//!
//! # What tests may rely on
//!
//! Roles and names first (all names are English and stable), then ids:
//!
//! | what | how to find it |
//! |---|---|
//! | text field | `#text`, a `textarea` named "Transliteration" |
//! | examples | buttons in `#examples`, `data-example="KEY"` |
//! | file field | `#file`, `input type=file` |
//! | restore, stop | buttons `#restore` ("Restore"; `aria-disabled` with its reason in `#restore-reason`), `#stop` ("Stop") |
//! | progress of a job | `#job-progress`; of the model `#engine-progress`, stop with `#engine-stop` |
//! | engine | `#device` with `data-engine="stopped, opening, ready, failed"` and `data-device="cpu, webgpu"`; opens `#device-dialog` |
//! | device preference | `#device-preference`, a `select` with `best`, `cpu`, `webgpu` |
//! | reading view | `#reading`; signs are buttons with `data-sign="N"`; gaps also have the class `gap`, filled ones `accepted` |
//! | lines | `#line-N`, N the number of the line in the text |
//! | glyphs above signs | `#glyphs`, a checkbox "Show signs" |
//! | changes | `#changes`, a `details`; rows `#changes tbody tr` |
//! | remarks | `#remarks li`, each with a button that goes to the place |
//! | proposals | `#proposals` with `data-sign="N"` and `data-origin="stored, engine"`; rows `#proposals tr[data-rank]`; their buttons accept; `data-probability` is the number |
//! | list by sign | `#by-sign`, a checkbox |
//! | accepted | `#accepted` in the panel; `#take-back` |
//! | filters | `#starts-with`, `#contains`, `#logogram`, `#boundary`, `#length`, `#period` |
//! | lengths of a break | rows `#lengths tr[data-length]` |
//! | all gaps together | rows `#joint tr[data-rank]`, buttons "Accept all" |
//! | undo, redo | `#undo`, `#redo` |
//! | copy | `#copy-text`, `#copy-tsv`, `#copy-json`, `#share` |
//! | confirmations | `#notice` (`data-failed="true"` when something failed) |
//! | failure panel | `#trouble` (`role="alert"`) with `data-kind="Network, ..."`; its buttons have `data-action` |
//! | a new version | `#update`, with buttons `#update-reload`, `#update-later` |
//! | previous work | `#previous`, with buttons `#previous-restore`, `#previous-forget` |
//! | a better answer is coming | `#joint`/`#proposals` have `aria-busy="true"` while a job runs |
//! | views | links in `nav` "Views": "Workbench", "Sign tree", "Models"; `#view=tree` opens the tree, `#view=models` the models |
//! | models | `#models-list`, rows `tr[data-model="NAME"]` with `data-complete="true, false"`; radio buttons "Translate with NAME"; buttons "Continue", "Delete" |
//! | add a model from a hub | `#hub-id` "Repository", `#hub-address` "Hub", `#hub-revision` "Revision" under "Settings"; button `#hub-ask` "Look it up" |
//! | what a hub offers | `#hub-offer` with the buttons `#hub-fetch` ("Fetch …") and "Not now" |
//! | add a model from files | `#model-files`, `input type=file`; `#model-name`; the card `#model-drop` takes drops |
//! | a model on its way | `#model-transfer` with `#model-pause` ("Pause", or "Stop" for files) |
//! | deleting | dialog `#model-deletion` with `#model-forget` "Delete" and "Keep it" |
//! | storage | `#model-room`; button `#model-persist` "Ask the browser to keep these" |
//! | models are loading, have failed | `#models-loading`; `#models-trouble` (`role="alert"`) with `data-kind` |
//! | disk | `#disk`, a `canvas` named "Sign tree"; `data-chosen` is the path of the chosen node, `data-middle` where the view is, `data-moving`, `data-drawn` how many nodes are drawn |
//! | what the pointer is on | `#disk-hover` with `data-node` |
//! | search in the tree | `#tree-search`; results are buttons in `#tree-results` |
//! | ancestors, details, table | `#tree-ancestors`, `#tree-details`, rows of `#tree-table`; `data-node` is a node's number |
//! | measuring | `#measure-from`, `#measure-end`; the figure is in `#tree-distance` |
//! | model of the plane | radio buttons "Poincaré", "Klein", "Lorentz" |
//! | zoom, root, pictures, link | `#zoom-in`, `#zoom-out`, `#tree-home`, `#save-png`, `#save-svg`, `#tree-link` |
//! | the tree is loading, has failed | `#tree-loading`, `#tree-failed` (`role="alert"`) with the button "Try again" |
//! | influence | `#why-N` in row N; `#influence` is its legend |

pub mod address;
mod clipboard;
pub mod codes;
mod components;
pub mod engine_client;
pub mod export;
mod fetch;
pub mod format;
pub mod grouping;
pub mod history;
mod keys;
pub mod models;
pub mod pieces;
mod session;
pub mod start;
mod state;
mod storage;
mod stored;
mod theme;
mod translator_choice;
pub mod tree;
pub mod updates;
mod visit;
pub mod work;

pub use components::App;

/// Puts the page into the document's body, in place of what stands there while the page loads.
pub fn mount() {
    console_error_panic_hook::set_once();
    if let Some(waiting) = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("loading"))
    {
        waiting.remove();
    }
    leptos::mount::mount_to_body(App);
}
