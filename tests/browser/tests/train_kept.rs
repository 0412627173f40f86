//! No trained step and no typed text is lost: a run that the browser cannot store, one that two tabs want, a corpus
//! that another replaced, and a restoration during a run.

use serde_json::json;
use tuppum_browser_tests::browser::Browser;
use tuppum_browser_tests::scripts::NO_FILE_SYSTEM;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{CORPUS, brings, open, plans, run, sees, shown, until};
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};

#[test]
fn a_run_keeps_nobody_from_restoring() {
    /// Number of steps: enough that the run is still under way after the rest of the test.
    const STEPS: u32 = 100_000;
    let site = Site::of_the_page();
    let page = open("train-beside", &site);
    brings(&page, CORPUS);
    plans(&page, "beside", STEPS);
    page.press("button", "Start");
    until(&page, "running", 2);
    let bench = Workbench { page };
    bench.page.press("link", "Workbench");
    bench.ready();
    bench.write("a-na x be-li2\num-ma");
    bench.restore();
    assert!(!bench.offers().is_empty(), "a proposal came beside the run");
    bench.page.press("link", "Train");
    let (_, then) = run(&bench.page);
    until(&bench.page, "running", then + 2);
    bench.page.press("button", "Pause");
    until(&bench.page, "paused", then + 2);
}

/// Page script that records the addresses passed to downloads, in place of downloading.
const NOTE_DOWNLOADS: &str = "window.downloads = [];
    HTMLAnchorElement.prototype.click = function () { window.downloads.push([this.download, this.href]); };";

/// Saves the model of a run that exists only in memory, and checks the files.
#[track_caller]
fn saves(page: &Browser, name: &str) {
    page.run(NOTE_DOWNLOADS, &[]);
    page.press("button", "Save the model on this device");
    sees(page, &format!("{name}: config.json, model.safetensors are saved."), ANSWERING);
    let names = page.run("return window.downloads.map(([name]) => name)", &[]);
    assert_eq!(names, json!([format!("{name}-config.json"), format!("{name}-model.safetensors")]));
    assert!(page.run("return window.downloads[1][1]", &[]).as_str().is_some_and(|from| from.starts_with("blob:")));
}

#[test]
fn a_run_that_the_browser_keeps_nothing_of_can_be_carried_away() {
    let site = Site::of_the_page();
    site.engine_prelude(NO_FILE_SYSTEM);
    let page = open("train-unkept", &site);
    brings(&page, CORPUS);
    plans(&page, "unkept", 2);
    page.press("button", "Start");
    until(&page, "finished", 2);
    assert!(shown(&page, "#train-facts").contains("nothing: "), "{}", shown(&page, "#train-facts"));
    sees(&page, "2 steps of this run exist only in this open page", SOON);
    sees(&page, "The run unkept is only in the memory of this page: save it first, or close it.", SOON);
    saves(&page, "unkept");

    // The run is discarded only after a second press.
    page.press("button", "Close this run");
    sees(&page, "The run unkept, at step 2, is only in the memory of this page and would be lost.", SOON);
    page.press("button", "Discard this run");
    page.wait("the run to be gone", SOON, |page| (run(page).0 == "none").then_some(()));
    page.press("button", "Single step");
    until(&page, "paused", 1);
}

/// Worker script that makes the storage full from the third file of weights on.
const FULL_LATER: &str = "const write = FileSystemSyncAccessHandle.prototype.write; let files = 0;
    const create = FileSystemFileHandle.prototype.createSyncAccessHandle;
    FileSystemFileHandle.prototype.createSyncAccessHandle = function (...all) {
        if (this.name.endsWith('.checkpoint')) files += 1;
        return create.apply(this, all);
    };
    FileSystemSyncAccessHandle.prototype.write = function (...all) {
        if (files > 1) throw new DOMException('No space left on device', 'QuotaExceededError');
        return write.apply(this, all);
    };";

#[test]
fn a_last_checkpoint_that_fails_is_tried_again() {
    let site = Site::of_the_page();
    site.engine_prelude(FULL_LATER);
    let page = open("train-full-later", &site);
    brings(&page, CORPUS);
    plans(&page, "late", 2);
    page.press("button", "Start");
    sees(&page, "could not save a checkpoint of step 2", ANSWERING);
    assert_eq!(run(&page), ("paused".to_owned(), 2), "it can be gone on with");
    assert!(shown(&page, "#train-compared").contains("bits per byte before"), "what it came to is told all the same");
    sees(&page, "2 steps of this run exist only in this open page", SOON);
    saves(&page, "late");
    page.press("button", "Resume");
    sees(&page, "could not save a checkpoint of step 2", ANSWERING);
    page.press("button", "Stop here");
    sees(&page, "could not save a checkpoint of step 2", ANSWERING);
    page.the("button", "Discard this run");
}

#[test]
fn a_run_belongs_to_one_tab_until_it_is_put_away() {
    let site = Site::of_the_page();
    let page = open("train-tabs", &site);
    brings(&page, CORPUS);
    plans(&page, "shared", 8);
    page.press("button", "Single step");
    until(&page, "paused", 1);
    let first = page.new_tab();
    page.open(&site.url("view=train&model=models/tiny/&device=cpu"));
    page.press("button", "Resume shared");
    sees(&page, "The run shared is open in another tab of this browser.", ANSWERING);
    page.press("button", "Delete shared");
    page.press("button", "Really delete shared");
    sees(&page, "The run shared is open in another tab of this browser.", ANSWERING);
    let second = page.tabs().into_iter().find(|tab| *tab != first).expect("the second tab");
    page.go_to_tab(&first);
    page.press("button", "Stop here");
    page.wait("the run to be put away", SOON, |page| (run(page).0 == "none").then_some(()));
    page.go_to_tab(&second);
    page.press("button", "Resume shared");
    until(&page, "finished", 8);
}

#[test]
fn a_corpus_that_was_typed_can_be_brought_back() {
    let site = Site::of_the_page();
    let page = open("train-back", &site);
    brings(&page, CORPUS);
    let counts = shown(&page, "#corpus-counts");
    page.press("button", "Take the sample");
    sees(&page, "60 pairs:", SOON);
    page.press("button", "Bring back what was here before");
    page.wait("the corpus", SOON, |page| (shown(page, "#corpus-counts") == counts).then_some(()));
    page.press("button", "Clear");
    page.wait("no corpus", SOON, |page| shown(page, "#corpus-counts").is_empty().then_some(()));
    page.press("button", "Bring back what was here before");
    page.wait("the corpus", SOON, |page| (shown(page, "#corpus-counts") == counts).then_some(()));
    assert!(page.all("button", "Bring back what was here before").is_empty(), "there is nothing else");
}
