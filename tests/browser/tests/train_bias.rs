//! A hyperbolic bias for any model: a model without one is imported, gets one on the page, trains it alone, and is
//! stored; the bias is then removed without a trace.

use serde_json::{Value, json};
use std::path::PathBuf;
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::evidence;
use tuppum_browser_tests::scripts::STORED_FILE;
use tuppum_browser_tests::shards::without_bias;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{
    CORPUS, brings, chooses, imports, open, plans, reach, sees, shown, types, until,
};
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};
use tuppum_browser_tests::workspace;

/// Number of steps in which the bias is trained alone.
const STEPS: u32 = 20;
/// The example line of the source.
const LINE: &str = "a-na {d}UTU be-li₂-ni";

/// Returns a folder with the tiny translator without its bias.
fn bare() -> PathBuf {
    let folder = evidence().join("bare-translator");
    std::fs::create_dir_all(&folder).expect("a folder for the model");
    // The driver accepts no path with `..` in it.
    let folder = folder.canonicalize().expect("the folder");
    let golden = workspace().join("tests/golden/tiny-translator");
    std::fs::copy(golden.join("config.json"), folder.join("config.json")).expect("its size");
    without_bias(&golden.join("model.safetensors"), &folder.join("model.safetensors"));
    folder
}

/// Returns a stored model's answer for the line, to the last digit.
fn answers(bench: &Workbench, model: &str) -> Value {
    bench.page.press("link", "Models");
    bench.page.press("radio", &format!("Translating with {model}"));
    bench.page.press("link", "Workbench");
    bench.write(LINE);
    bench.set_number("translate-longest", "12");
    assert_eq!(bench.translate().len(), 1, "{model} translates");
    let copied: Value = serde_json::from_str(&bench.copied("Translation as JSON")).expect("JSON");
    let found = copied["passages"][0]["translated"]["candidates"].clone();
    assert!(found[0]["words"].is_array(), "{copied}");
    found
}

/// Saves a stored model for `recipes/check_export.py`.
fn leaves(page: &Browser, model: &str) {
    let folder = evidence().join(model);
    std::fs::create_dir_all(&folder).expect("a folder for the export");
    for file in ["config.json", "model.safetensors"] {
        let bytes = page.run(STORED_FILE, &[json!(model), json!(file)]);
        std::fs::write(folder.join(format!("{file}.base64")), bytes.as_str().expect("base64")).expect("the export");
    }
}

/// Trains the bias alone, attached to the imported model.
fn trains_the_bias_alone(page: &Browser) {
    page.press("link", "Train");
    brings(page, CORPUS);
    page.press("radio", "bare");
    page.press("radio", "The hyperbolic bias alone");
    chooses(page, "#train-bias", "hard");
    sees(page, "those of UTU stand at the greatest distance, 3.00", SOON);
    chooses(page, "#train-bias", "soft");
    types(page, "Encoder blocks", "0");
    assert_eq!(page.value_of(&page.the("textbox", "Encoder blocks")), "2", "as many as it has; 0 is put back");
    types(page, "Encoder blocks", "1");
    types(page, "Name", "alone");
    types(page, "Steps", &STEPS.to_string());
    assert!(shown(page, "#train-memory").contains("the weights once"), "{}", shown(page, "#train-memory"));
    page.press("button", "Single step");
    until(page, "paused", 1);
    // The checkpoint contains only the bias; the run is resumed on the imported model.
    page.reload();
    sees(page, "step 1 of 20", SOON);
    page.press("button", "Resume alone");
    until(page, "finished", STEPS.into());
    let facts = shown(page, "#train-facts");
    assert!(facts.contains("12\u{202f}289 numbers, as many as") && facts.contains("others stay unchanged"), "{facts}");
    let points = shown(page, "#train-points");
    assert!(points.starts_with("moved by ") && !points.contains("0.0000 at most"), "{points}");
    page.press("button", "Save alone as a model");
    sees(page, "alone is on the page “Models” now", SOON);
}

#[test]
fn a_bias_is_attached_to_an_imported_model_trained_alone_and_taken_off() {
    let (site, folder) = (Site::of_the_page(), bare());
    let page = Setup::new("train-bias").start();
    page.allow_clipboard(&site.origin());
    page.open(&site.url("model=models/tiny/&device=cpu"));
    let bench = Workbench { page };
    bench.ready();
    imports(&bench.page, "bare", &folder);
    let base = answers(&bench, "bare");
    trains_the_bias_alone(&bench.page);
    let alone = answers(&bench, "alone");
    assert_ne!(alone, base, "the bias changes what the model computes");
    leaves(&bench.page, "alone");

    bench.page.press("link", "Models");
    bench.unfold("tr[data-model=alone] .bias-copy");
    chooses(&bench.page, "#bias-of-alone", "none");
    reach(&bench.page, &bench.page.the("button", "Store a copy without bias"));
    sees(&bench.page, "alone-without-bias is complete and stored", ANSWERING);
    assert_eq!(answers(&bench, "alone-without-bias"), base, "what is left is the imported model, bit by bit");

    bench.page.press("link", "Models");
    bench.unfold("tr[data-model=bare] .bias-copy");
    chooses(&bench.page, "#bias-of-bare", "signs");
    reach(&bench.page, &bench.page.the("button", "Store a copy with this bias"));
    sees(&bench.page, "reach 4 encoder blocks, and the model has 2", ANSWERING);
    bench.page.press("button", "Close");
    types(&bench.page, "Encoder blocks", "2");
    reach(&bench.page, &bench.page.the("button", "Store a copy with this bias"));
    sees(&bench.page, "bare-bias-signs is complete and stored", ANSWERING);
    assert_ne!(answers(&bench, "bare-bias-signs"), base);
}

#[test]
fn a_new_small_model_takes_every_bias_and_refused_numbers_are_told() {
    let site = Site::of_the_page();
    let page = open("train-new-bias", &site);
    brings(&page, CORPUS);
    plans(&page, "controls", 3);
    // As typed in Germany and France, then two that are not numbers.
    types(&page, "Learning rate", "0,003");
    assert_eq!(page.value_of(&page.the("textbox", "Learning rate")), "0.003");
    assert_eq!(shown(&page, "#train-rate-refused"), "");
    for (field, id, typed, stays) in
        [("Steps", "train-steps", "-5", "3"), ("Learning rate", "train-rate", "abc", "0.003")]
    {
        types(&page, field, typed);
        let told = shown(&page, &format!("#{id}-refused"));
        assert!(told.contains(typed) && told.ends_with(&format!("it stays at {stays}.")), "{told}");
        assert_eq!(page.value_of(&page.the("textbox", field)), stays);
    }
    for points in ["soft", "flat"] {
        let choose = "const menu = document.querySelector('#train-bias');
            menu.value = arguments[0];
            menu.dispatchEvent(new Event('change', { bubbles: true }))";
        page.run(choose, &[json!(points)]);
        page.wait("as many blocks as the model has", SOON, |page| {
            (page.run("return document.querySelector('#train-bias-layers')?.value", &[]) == "3").then_some(())
        });
        page.press("button", "Start");
        until(&page, "finished", 3);
        page.press("button", "Close this run");
    }
}

#[test]
fn the_focus_goes_to_the_button_that_takes_the_place_of_the_pressed_one() {
    let site = Site::of_the_page();
    let page = open("train-focus", &site);
    brings(&page, CORPUS);
    plans(&page, "focus", 400);
    page.press("button", "Start");
    until(&page, "running", 1);
    let focused = |page: &Browser| page.run("return document.activeElement.id", &[]);
    page.run("document.querySelector('#train-pause').focus()", &[]);
    page.type_keys(&keys::ENTER.to_string());
    until(&page, "paused", 1);
    page.wait("the focus on Resume", SOON, |page| (focused(page) == "train-resume").then_some(()));
    page.type_keys(&keys::ENTER.to_string());
    until(&page, "running", 2);
    page.wait("the focus on Pause", SOON, |page| (focused(page) == "train-pause").then_some(()));
}
