//! The optimiser as a user chooses it: the plan shows its memory, the choice is stored, and a run is resumed with it.

use tuppum_browser_tests::browser::Browser;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{CORPUS, brings, chooses, last_row, open, plans, sees, shown, until};
use tuppum_browser_tests::workbench::SOON;

#[track_caller]
fn tells(page: &Browser, part: &str) {
    page.wait(part, SOON, |page| shown(page, "#train-memory").contains(part).then_some(()));
}

fn runs(page: &Browser, name: &str) -> Vec<serde_json::Value> {
    plans(page, name, 6);
    page.press("button", "Start");
    until(page, "finished", 6);
    let last = last_row(page);
    page.press("button", "Close this run");
    last
}

#[test]
fn an_optimiser_is_chosen_kept_and_gone_on_with() {
    let site = Site::of_the_page();
    let page = open("train-optimiser", &site);
    brings(&page, CORPUS);
    tells(&page, "weights, gradients and two averages of them");
    chooses(&page, "#train-optimiser", "adafactor");
    tells(&page, "(weights and gradients, and what the layers keep");
    plans(&page, "means", 6);
    page.press("button", "Single step");
    until(&page, "paused", 1);

    page.reload();
    sees(&page, "11 pairs:", SOON);
    sees(&page, "step 1 of 6", SOON);
    tells(&page, "(weights and gradients, and what the layers keep");
    page.press("button", "Resume means");
    until(&page, "finished", 6);
    let resumed = last_row(&page);
    page.press("button", "Close this run");

    assert_eq!(runs(&page, "at-once"), resumed, "a run that was cut makes the same steps");
    chooses(&page, "#train-optimiser", "muon");
    tells(&page, "weights, gradients and an average of them");
    let muon = runs(&page, "muon");
    chooses(&page, "#train-optimiser", "adamw");
    let adamw = runs(&page, "adamw");
    assert!(muon != resumed && adamw != resumed && adamw != muon, "{resumed:?} {muon:?} {adamw:?}");
}
