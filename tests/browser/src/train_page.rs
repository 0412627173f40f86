//! Shared parts of the tests of the page “Train”: a corpus, and the user's actions.

use crate::browser::{Browser, Element, Setup, keys};
use crate::scripts::SPY_ON_WORKERS;
use crate::site::Site;
use crate::workbench::{ANSWERING, SOON};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Eleven pairs of four texts, and a row without its translation.
pub const CORPUS: &str = "text_id\tsource\ttarget
P1\ta-na a-lim\tto the city
P1\tum-ma a-šur-ma\tthus Aššur
P1\tqi₂-bi-ma a-na\tspeak to
P2\tKU₃.BABBAR i-šu\the has silver
P2\ta-na x-ri-im\t
P2\tma-na KU₃.BABBAR\ta mina of silver
P2\t⸢e⸣-ra-ab a-na\the enters
P3\t{d}UTU be-li₂\tŠamaš my lord
P3\tIGI a-šur-ma\tbefore Aššur
P4\tṭup-pu-um ša\tthe tablet of
P4\tli-mu-um a-šur\teponym Aššur
P4\tu₄-mu-šu ša\this day of";

/// Opens the empty page, with a spy on its worker.
pub fn open(name: &'static str, site: &Site) -> Browser {
    let page = Setup::new(name).with_script(SPY_ON_WORKERS).start();
    page.allow_clipboard(&site.origin());
    page.open(&site.url("view=train&model=models/tiny/&device=cpu"));
    sees(&page, "1. Your corpus", ANSWERING);
    page
}

/// Waits until the page shows a text.
#[track_caller]
pub fn sees(page: &Browser, text: &str, limit: Duration) {
    page.wait(&format!("the words “{text}”"), limit, |page| page.visible_text().contains(text).then_some(()));
}

/// Returns the text of the first element of a selector.
pub fn shown(page: &Browser, selector: &str) -> String {
    let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
    page.try_run(script, &[json!(selector)]).unwrap_or_default().as_str().unwrap_or_default().to_owned()
}

/// Scrolls to an element and clicks it, without smooth scrolling: the page would move under the mouse.
#[track_caller]
pub fn reach(page: &Browser, element: &Element) {
    let script = "document.documentElement.style.scrollBehavior = 'auto';
        arguments[0].scrollIntoView({ block: 'center' })";
    page.run(script, &[element.to_json()]);
    page.come_to_rest();
    page.click(element);
}

/// Types into a field in place of its content.
#[track_caller]
pub fn types(page: &Browser, label: &str, text: &str) {
    let field = page.the("textbox", label);
    reach(page, &field);
    page.chord(keys::CONTROL, 'a');
    page.type_keys(&format!("{text}{}", keys::TAB));
}

/// Pastes a corpus and waits until it is read.
#[track_caller]
pub fn brings(page: &Browser, corpus: &str) {
    page.paste(&page.the("textbox", "Pairs"), corpus);
    page.wait("the corpus to be read", SOON, |page| {
        (!shown(page, "#corpus-counts").is_empty() || !shown(page, "#corpus-problem").is_empty()).then_some(())
    });
}

/// Imports a model of two files from a folder, on the page of models.
#[track_caller]
pub fn imports(page: &Browser, model: &str, folder: &Path) {
    page.press("link", "Models");
    types(page, "Name", model);
    let files = ["config.json", "model.safetensors"].map(|name| folder.join(name).to_string_lossy().into_owned());
    let field = page.wait("the files", SOON, |page| page.select("#model-files").into_iter().next());
    page.pick_file(&field, Path::new(&files.join("\n")));
    sees(page, &format!("{model} is complete and stored"), ANSWERING);
}

/// Chooses an entry of a menu.
#[track_caller]
pub fn chooses(page: &Browser, menu: &str, entry: &str) {
    let script = "const menu = document.querySelector(arguments[0]);
        menu.value = arguments[1]; menu.dispatchEvent(new Event('change', { bubbles: true })); return menu.value";
    assert_eq!(page.run(script, &[json!(menu), json!(entry)]), json!(entry), "{menu} has no {entry}");
}

/// Returns the run's status and its step.
pub fn run(page: &Browser) -> (String, u64) {
    let script = "return [document.querySelector('#train-run')?.dataset.standing ?? '',
        Number(document.querySelector('#train-progress progress')?.getAttribute('value') ?? 0)]";
    let found = page.try_run(script, &[]).unwrap_or_default();
    (found[0].as_str().unwrap_or_default().to_owned(), found[1].as_u64().unwrap_or_default())
}

/// Waits until the run has this status and at least `least` steps.
#[track_caller]
pub fn until(page: &Browser, standing: &str, least: u64) {
    until_within(page, standing, least, ANSWERING);
}

/// Waits like [`until`], at most for `limit`, for slower devices.
#[track_caller]
pub fn until_within(page: &Browser, standing: &str, least: u64, limit: Duration) {
    page.wait(&format!("step {least}, {standing}"), limit, |page| {
        let trouble = shown(page, "#train-trouble");
        assert!(trouble.is_empty(), "training failed: {trouble}");
        let (found, step) = run(page);
        (found == standing && step >= least).then_some(())
    });
}

/// Returns the last row of the curve's table, which depends on every step before.
pub fn last_row(page: &Browser) -> Vec<Value> {
    let script = "return [...document.querySelector('#train-table tbody tr').children].map(cell => cell.textContent)";
    page.run(script, &[]).as_array().cloned().unwrap_or_default()
}

/// Sets up a run of `steps` steps with a new small model.
#[track_caller]
pub fn plans(page: &Browser, name: &str, steps: u32) {
    page.press("radio", "A new small model");
    types(page, "Name", name);
    types(page, "Steps", &steps.to_string());
    types(page, "Learning rate", "0.003");
}
