//! A restorer trained further on the page as a user does it: texts, a run that is closed with its tab and resumed, its
//! model in the list, chosen to restore with, and deleted.

use serde_json::json;
use tuppum_browser_tests::browser::Browser;
use tuppum_browser_tests::scripts::CONTRAST;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{last_row, open, run, sees, shown, types, until};
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, Workbench};

/// Returns twelve texts of signs that the tiny model knows, with an illegible one.
fn texts() -> String {
    let lines = ["a-na LUGAL ša DUMU la", "i-na ša LUGAL-ma lu u₃", "DUMU LUGAL a-na šu x", "la ma-ti e-ri-šu i-ba-šu"];
    let text = |number: usize| format!("&P{number:06}\n1. {}\n2. {}\n", lines[number % 4], lines[(number / 4 + 1) % 4]);
    (0..12).map(text).collect()
}

/// Chooses the restorer and pastes texts.
fn prepared(page: &Browser, texts: &str) {
    page.press("radio", "To restore");
    page.paste(&page.the("textbox", "Texts"), texts);
    page.wait("the texts to be read", SOON, |page| (!shown(page, "#texts-counts").is_empty()).then_some(()));
}

#[test]
fn a_restorer_is_trained_reloaded_kept_and_restored_with() {
    let site = Site::of_the_page();
    let page = open("train-restorer", &site);
    assert!(shown(&page, "#train-texts").is_empty(), "translating comes first");
    prepared(&page, &texts());
    assert!(shown(&page, "#texts-counts").starts_with("12 texts, 24 lines:"), "{}", shown(&page, "#texts-counts"));
    assert!(shown(&page, "#texts-damage").contains("damaged, restored or illegible"));
    assert!(shown(&page, "#restorer-memory").contains("Memory: about"));
    assert!(page.select("#train-ablation").is_empty(), "there are no pairs to compare ways with");

    types(&page, "Name", "archive");
    types(&page, "Steps", "6");
    types(&page, "Learning rate", "0.003");
    types(&page, "Layers that train (0: all)", "0");
    page.press("button", "Single step");
    until(&page, "paused", 1);
    page.reload();
    sees(&page, "12 texts, 24 lines:", SOON);
    sees(&page, "step 1 of 6", SOON);
    page.press("button", "Resume archive");
    until(&page, "finished", 6);
    let resumed = last_row(&page);
    assert!(shown(&page, "#train-restorers").contains("bits per sign"), "{}", shown(&page, "#train-restorers"));
    assert!(page.select("#train-score").is_empty(), "a restorer translates nothing");
    for dark in [false, true] {
        page.set_dark(dark);
        assert_eq!(page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }

    // The same run without a pause has the same curve.
    page.press("button", "Close this run");
    types(&page, "Name", "at-once");
    page.press("button", "Start");
    until(&page, "finished", 6);
    assert_eq!(last_row(&page), resumed);
    restores(page);
}

/// Stores the trained model and restores with it, in this visit and the next, until it is deleted.
fn restores(page: Browser) {
    // The row of the run that has just ended moves everything below it.
    page.the("button", "Save at-once as a model");
    page.come_to_rest();
    page.press("button", "Save archive as a model");
    sees(&page, "archive is on the page “Models” now; choose it there to restore with it", SOON);
    page.press("link", "Models");
    page.press("radio", "Restoring with archive");
    page.press("link", "Workbench");
    let bench = Workbench { page };
    bench.write("a-na [x] LUGAL");
    assert_eq!(bench.restore().len(), 20, "the trained model restores");
    bench.page.reload();
    is_trained_here(&bench);
    let page = &bench.page;
    page.press("link", "Models");
    page.press("button", "Delete archive");
    page.press("button", "Delete");
    sees(page, "archive is deleted", SOON);
    page.wait("the shipped one to be chosen", SOON, |page| {
        let chosen = page.run("return document.querySelector('[data-model=restorer] input').checked", &[]);
        (chosen == json!(true)).then_some(())
    });
}

/// Checks that the device dialog names the trained model.
fn is_trained_here(bench: &Workbench) {
    bench.page.wait("the engine to be ready", OPENING, |_| match bench.engine().as_str() {
        "ready" => Some(()),
        "failed" => panic!("the trained restorer could not be opened"),
        _ => None,
    });
    bench.page.press("button", "Ready, on the");
    sees(&bench.page, "a model of your own has no reference numbers", SOON);
    bench.page.press("button", "Close");
}

#[test]
fn too_little_to_learn_from_is_told() {
    let site = Site::of_the_page();
    let page = open("train-restorer-little", &site);
    prepared(&page, "x x [...]\n");
    page.wait("the reason", SOON, |page| shown(page, "#train-reason").contains("signs that can be read").then_some(()));
    // The tiny model has two layers, and four is the default.
    page.paste(&page.the("textbox", "Texts"), &texts());
    page.wait("the texts to be read", SOON, |page| shown(page, "#texts-counts").starts_with("12").then_some(()));
    page.press("button", "Start");
    page.wait("the reason", ANSWERING, |page| {
        shown(page, "#train-trouble").contains("4 layers are to train, and the model has 2").then_some(())
    });
    assert_eq!(run(&page).0, "none", "nothing was begun");
}
