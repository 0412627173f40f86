//! The page: a workbench on which a transliteration is typed, read, and its gaps restored.
//!
//! The page talks to the engine by messages only (`session`). Plain logic without the browser is in `work`, `history`,
//! `address`, `pieces`, `grouping`, `export`, `format`, `start`; everything drawn is in `components`. The translation of the
//! same text is in `translation` and `components::translate`.
//! The second view, the sign tree, is in `tree` and `components::tree`; it shares no state with the workbench. The maps of
//! attention are in `attention` and `components::attention`, training in `training` and `components::train`, the models in `models`
//! and `components::models`.
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
//! | failure panel | `#trouble` (`role="alert"`) with `data-kind="Network, Missing, ..."`; its buttons have `data-action` |
//! | a new version | `#update`, with buttons `#update-reload`, `#update-later` |
//! | previous work | `#previous`, with buttons `#previous-restore`, `#previous-forget` |
//! | a better answer is coming | `#joint`/`#proposals` have `aria-busy="true"` while a job runs |
//! | views | links in `nav` "Views": "Workbench", "Sign tree", "Attention", "Learn", "Train", "Models"; `#view=tree` opens the tree, `#view=models` the models |
//! | corpus to train on | `#view=train`; text field `#corpus-text`, named "Pairs"; `#corpus-file`, `input type=file`; `#corpus-sample`, `#corpus-clear`, `#corpus-back`; the card `#train-corpus` takes drops |
//! | its columns | selects `#corpus-shape`, `#column-source`, `#column-target`, `#column-text`, `#column-weight`; checkbox `#corpus-header`; `#corpus-problem`; rows of `#corpus-table` |
//! | what was read of it | `#corpus-counts`, `#corpus-left-out li`, `#corpus-leaks`, `#corpus-damage` with `#use-own-rate`; `#corpus-unread` (`role="alert"`), `#corpus-not-kept` |
//! | what training does to lines | sliders `#rate-drop`, `#rate-shuffle`, `#rate-vary`; rows of `#preview-rows`, what differs is `mark`; `#preview-again` "Draw again" |
//! | what is trained | radio buttons `train-base`; fields `#train-name`, `#train-steps`, `#train-rate`, `#train-seed`; `#train-memory` |
//! | a run | `#train-run` with `data-standing="none, starting, running, pausing, paused, finished"`; buttons `#train-start`, `#train-pause`, `#train-resume`, `#train-step` "Single step", `#train-stop`; `#train-reason`; `#train-unkept`, where steps lie in memory only |
//! | how it goes | `#train-progress`, `#train-facts`, `#train-curve` holds an SVG, rows `#train-table tr[data-step]`, `#train-samples .sample`, `#train-compared`; `#train-said` (`role="status"`) |
//! | runs that are kept | rows `#train-runs tr[data-run="NAME"]` with buttons "Resume NAME", "Keep NAME as a model", "Download NAME", "Delete NAME" |
//! | training has failed | `#train-trouble` (`role="alert"`) with `data-kind` |
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
//! | attention | `#view=attention`; text field `#attention-text`, named "Line to look at"; `#attention-from` fills it; `#attention-read` is what the model reads |
//! | its translator | `#attention-opening` with `data-state="not, waiting, ready, failed"`; buttons `#attention-open`, `#attention-stop` |
//! | its choices | `#attention-kind` (`encoder, decoder, cross`), `#attention-layer`, `#attention-head` (`all` or a number from 1); radio buttons "Bytes", "Signs", "Words"; sliders `#alpha-left`, `#alpha-right` with buttons `#alpha-off`, `#alpha-own` |
//! | its maps | canvases `#attention-off`, `#attention-on`, `#attention-difference`; `data-drawn` is how many cells are drawn; `#attention-maps` has `aria-busy` while the engine computes, `data-cursor="ROW,COLUMN"`, `data-kind`, `data-by` |
//! | a value, a row, shares | `#attention-value`; rows of `#attention-row`; rows of `#attention-shares` |
//! | pictures of the maps | `#attention-png`, `#attention-svg`; `#attention-zoom-in`, `#attention-zoom-out`, `#attention-all` |
//! | what the model knows | `#known` in the sign tree, `data-learnt="true"` once the translator's points are there; `#known-figure` holds an SVG; radio buttons "Points of bytes", "Points of signs"; `#known-compare`, `#known-svg` |
//! | a part of the tree learnt live | `#settle` with `data-state="not, waiting, running, done, stopped, failed"`, `data-epoch`, `data-far` (farthest point, the disk's radius being 1), `data-moved` (mean way of the points); `#settle-start`, `#settle-stop`; canvas `#settle-disk`; `#settle-figures`; `[data-ranked="readings, words"] tr[data-rank]` with `data-attested="true, false"` |
//! | lesson | `#view=learn`; steps `#learn-step-1` to `#learn-step-6`; `#learn-line` is named "Your line", `#learn-take` fills it; answers are `details` |
//! | its widgets | `#learn-readings` with buttons `data-sign-name`; the disk; `#learn-radius` with `#learn-circles`; `#learn-alpha` with `#learn-bias`, `#learn-bias-told`; `#learn-seed` with `#learn-damage`; signs `data-learn-sign="N"`, `#learn-restore`, rows `#learn-proposals tr[data-rank]` |
//! | influence | `#why-N` in row N; `#influence` is its legend |
//! | translate, stop | buttons `#translate` ("Translate"; `aria-disabled` with its reason in `#translate-reason`), `#translate-stop` ("Stop translating") |
//! | what is translated | `#translate-extent`, a `select` with `lines`, `whole`, `line` (that of the chosen sign); `#translate-restored`, a checkbox |
//! | settings of the translation | in the `details` `#translate-settings`: `#translate-beams`, `#translate-answers`, `#translate-longest`, `#translate-penalty`, `#translate-bias` |
//! | progress | of opening the translator `#translator-progress`, of translating `#translate-progress` |
//! | translator | `#translator` with `data-translator="closed, opening, ready, absent"` and `data-device="cpu, webgpu"`; `#translator-absent` when there is none |
//! | passages | `#translation .passage` with `data-lines` and `data-status="current, outdated, unfinished, writing"`; in them `.source` with `[data-source="N"]`, `.english` with `[data-word="N"]`, `.passage-facts` |
//! | what belongs together | words with the class `linked`; accepted restorations are `mark.restored`, unsure words have the classes `unsure`, `very-unsure`, the user's `own` |
//! | alternatives | `.alternatives tr[data-rank]`, whose buttons choose; the user's own wording has no rank |
//! | own wording | button `.edit` ("Edit"), the field "Your wording", "Keep", "Cancel" |
//! | names | `#names` with `data-disagreeing`; `#names [data-name]`, buttons `[data-rendering]` |
//! | outdated | `#translation-outdated` with `#translation-delete` where nothing holds; `#translation-deleted` with `#translation-put-back` |
//! | copying the translation | in the `details` `#translation-export`: `#translation-text`, `#translation-tsv`, `#translation-json`, `#translation-tei` |
//! | its failures, its voice | `#translation-trouble` as `#trouble`; `#translation-said` (`role="status"`) |

pub mod address;
pub mod attention;
mod clipboard;
pub mod codes;
mod components;
mod downloads;
pub mod engine_client;
pub mod export;
mod fetch;
pub mod format;
pub mod grouping;
pub mod history;
mod keys;
pub mod models;
pub mod pieces;
pub mod points;
mod restorer_choice;
mod session;
pub mod start;
mod state;
mod storage;
mod stored;
mod theme;
pub mod training;
pub mod translation;
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
