//! The page “Train” as a user works with it: a corpus with a faulty row, the augmentation of its lines, a run that is
//! paused, reloaded, killed and resumed, its model in the list; and the messages when the storage fails.

use serde_json::json;
use tuppum_browser_tests::browser::Browser;
use tuppum_browser_tests::scripts::{CONTRAST, KILL_THE_WORKER, STORED_FILE};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{CORPUS, brings, last_row, open, plans, reach, run, sees, shown, types, until};
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};

#[test]
fn a_run_is_prepared_paused_reloaded_resumed_and_kept() {
    let site = Site::of_the_page();
    let page = open("train", &site);
    brings(&page, CORPUS);
    assert!(shown(&page, "#corpus-counts").starts_with("11 pairs:"), "{}", shown(&page, "#corpus-counts"));
    assert_eq!(shown(&page, "#corpus-left-out li"), "Line 6: the translation is empty");

    // The augmented lines are drawn again.
    let drawn = shown(&page, "#preview-rows");
    page.press("button", "Draw again");
    page.wait("another drawing", SOON, |page| (shown(page, "#preview-rows") != drawn).then_some(()));
    assert!(shown(&page, "#train-memory").contains("Memory: about"));

    plans(&page, "letters", 50);
    page.press("button", "Single step");
    until(&page, "paused", 1);
    page.press("button", "Resume");
    until(&page, "running", 3);
    page.press("button", "Pause");
    until(&page, "paused", 3);
    let (_, paused) = run(&page);

    // The tab is closed and opened again: corpus and settings are there, and the run continues.
    page.reload();
    sees(&page, "11 pairs:", SOON);
    assert_eq!(page.value_of(&page.the("textbox", "Steps")), "50");
    sees(&page, &format!("step {paused} of 50"), SOON);
    page.press("button", "Resume letters");
    until(&page, "finished", 50);
    let resumed = last_row(&page);
    let samples = page.run("return [...document.querySelectorAll('[data-after]')].map(one => one.textContent)", &[]);
    assert!(
        samples.as_array().is_some_and(|all| all.len() == 3 && all.iter().all(|one| one != "not yet")),
        "{samples}"
    );
    assert!(!page.select("#train-curve svg polyline").is_empty());
    assert!(shown(&page, "#train-compared").contains("bits per byte before"), "{}", shown(&page, "#train-compared"));

    // The same run without a pause has the same curve.
    page.press("button", "Close this run");
    plans(&page, "at-once", 50);
    page.press("button", "Start");
    until(&page, "finished", 50);
    assert_eq!(last_row(&page), resumed);

    can_be_read_and_shown_again(&page);
    assert_eq!(last_row(&page), resumed);
    becomes_a_model(page);
}

/// Checks that all text is legible, and that a finished run is shown again at another visit.
fn can_be_read_and_shown_again(page: &Browser) {
    for dark in [false, true] {
        page.set_dark(dark);
        assert_eq!(page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }
    page.reload();
    sees(page, "11 pairs:", SOON);
    sees(page, "step 50 of 50", SOON);
    page.press("button", "Show letters");
    // Scoring can be requested at once: opening the run takes seconds, and the scores come after it.
    page.press("button", "Translate what was set aside, and score it");
    until(page, "finished", 50);
    page.wait("the scores", ANSWERING, |page| shown(page, "#train-scored").contains("chrF++").then_some(()));
    let figures = page.run("return document.querySelectorAll('#train-scored tbody tr').length", &[]);
    assert_eq!(figures, json!(3));
    assert!(shown(page, "#train-strata").contains("Where sources are hard"));
}

/// Stores the run as a model of its own, which translates.
fn becomes_a_model(page: Browser) {
    // The list of runs is drawn again when a run has been shown: the newest comes first.
    page.wait("the list of runs", SOON, |page| {
        (shown(page, "tr[data-run]").starts_with("letters") && shown(page, "#train-run").contains("finished"))
            .then_some(())
    });
    page.press("button", "Save letters as a model");
    sees(&page, "letters is on the page “Models” now", SOON);
    let folder = tuppum_browser_tests::evidence().join("trained");
    std::fs::create_dir_all(&folder).expect("a folder for the export");
    for file in ["config.json", "model.safetensors"] {
        let bytes = page.run(STORED_FILE, &[json!("letters"), json!(file)]);
        let bytes = bytes.as_str().expect("base64");
        assert!(bytes.len() > 400, "{file}");
        std::fs::write(folder.join(format!("{file}.base64")), bytes).expect("the export is written");
    }
    page.press("link", "Models");
    sees(&page, "trained here", SOON);
    assert!(!page.select("tr[data-model=letters][data-complete=true]").is_empty());
    is_trained_further_by_adapters(&page);
    page.press("link", "Models");
    sees(&page, "trained here", SOON);
    page.press("radio", "Translating with letters");
    page.press("link", "Workbench");
    let bench = Workbench { page };
    bench.write("a-na a-lim");
    assert_eq!(bench.translate().len(), 1, "the trained model translates");
}

/// Trains adapters on the stored model, and resumes the run after the tab was closed.
fn is_trained_further_by_adapters(page: &Browser) {
    page.press("link", "Train");
    sees(page, "11 pairs:", SOON);
    if run(page).0 != "none" {
        page.press("button", "Close this run");
    }
    page.press("radio", "letters");
    page.press("radio", "Adapters only (LoRA)");
    assert!(shown(page, "#train-memory").contains("the maps of attention twice"), "{}", shown(page, "#train-memory"));
    types(page, "Name", "adapters");
    types(page, "Steps", "4");
    page.press("button", "Single step");
    until(page, "paused", 1);
    assert!(shown(page, "#train-facts").contains("others stay unchanged"), "{}", shown(page, "#train-facts"));
    page.reload();
    sees(page, "step 1 of 4", SOON);
    page.press("button", "Resume adapters");
    until(page, "finished", 4);
}

#[test]
fn a_worker_killed_in_the_middle_costs_only_the_steps_since_the_checkpoint() {
    let site = Site::of_the_page();
    let page = open("train-killed", &site);
    brings(&page, CORPUS);
    plans(&page, "killed", 8);
    page.press("button", "Single step");
    until(&page, "paused", 1);
    page.press("button", "Resume");
    until(&page, "running", 3);
    page.run(KILL_THE_WORKER, &[]);
    sees(&page, "The engine crashed and was restarted", SOON);
    assert_eq!(run(&page), ("paused".to_owned(), 1), "what the checkpoint has");
    assert!(page.select("#train-unkept").is_empty(), "no memory has the steps since");
    page.press("button", "Close");
    page.press("button", "Resume");
    until(&page, "finished", 8);
    let steps = page
        .run("return [...document.querySelectorAll('#train-table tr[data-step]')].map(row => row.dataset.step)", &[]);
    assert_eq!(steps, json!(["8", "7", "6", "5", "4", "3", "2", "1", "0"]), "every step once");
}

/// Script that flips a bit in the middle of the checkpoints with these names.
const DAMAGE: &str = "return (async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['tuppum', 'trainings', 'damaged']) folder = await folder.getDirectoryHandle(part);
    for (const name of arguments[0]) {
        const handle = await folder.getFileHandle(name);
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        bytes[bytes.length >> 1] ^= 1;
        const writable = await handle.createWritable();
        await writable.write(bytes);
        await writable.close();
    }
})()";

#[test]
fn a_damaged_checkpoint_is_passed_over_and_two_are_told() {
    let site = Site::of_the_page();
    let page = open("train-damaged", &site);
    brings(&page, CORPUS);
    plans(&page, "damaged", 4);
    // Step 0 is stored in the first file, step 1 in the second.
    page.press("button", "Single step");
    until(&page, "paused", 1);
    page.run(DAMAGE, &[json!(["b.checkpoint"])]);
    page.reload();
    page.press("button", "Resume damaged");
    sees(&page, "The checkpoint of step 1 is damaged", ANSWERING);
    until(&page, "finished", 4);
    page.run(DAMAGE, &[json!(["a.checkpoint", "b.checkpoint"])]);
    page.reload();
    page.press("button", "Save damaged as a model");
    sees(&page, "neither of its two checkpoints can be read", ANSWERING);
    page.press("button", "Delete damaged");
    page.press("button", "Really delete damaged");
    page.wait("the run to be gone", SOON, |page| page.select("tr[data-run]").is_empty().then_some(()));
}

/// Worker script that makes the storage full.
const FULL: &str = "FileSystemSyncAccessHandle.prototype.write = () => {
    throw new DOMException('No space left on device', 'QuotaExceededError'); };";

#[test]
fn a_full_storage_is_told_and_corpora_come_in_every_shape() {
    let site = Site::of_the_page();
    site.engine_prelude(FULL);
    let page = open("train-full", &site);

    // One column, then a choice of columns, then a file that is no text.
    brings(&page, "a-na a-lim\num-ma a-šur");
    assert!(shown(&page, "#corpus-problem").contains("only one column"));
    sees(&page, "Load a corpus first", SOON);
    brings(&page, "thus,um-ma a-na\nto,a-na a-lim\nso,x x\n");
    page.wait("two pairs", SOON, |page| shown(page, "#corpus-counts").starts_with("2 pairs").then_some(()));
    let damage = shown(&page, "#corpus-damage");
    assert!(damage.contains("edited without brackets") && !damage.contains("Lose"), "{damage}");
    let folder = tuppum_browser_tests::evidence().canonicalize().expect("the folder of the evidence");
    let file = folder.join("latin.tsv");
    std::fs::write(&file, b"a\tb\n\xE1-na\tto").expect("a file");
    page.pick_file(&page.select("#corpus-file")[0], &file);
    sees(&page, "latin.tsv could not be read. The file is not UTF-8 (line 2)", SOON);
    page.press("button", "Take the sample");
    sees(&page, "60 pairs:", SOON);
    reach(&page, &page.select("#use-own-rate")[0]);
    let rate = page.run("return Number(document.querySelector('#rate-drop').value)", &[]);
    assert!(rate.as_f64().is_some_and(|rate| rate > 0.0 && rate != 15.0), "{rate}");

    plans(&page, "full", 2);
    page.press("button", "Start");
    sees(&page, "could not save a checkpoint of step 0", ANSWERING);
    assert_eq!(run(&page).0, "paused", "nothing is lost");
}
