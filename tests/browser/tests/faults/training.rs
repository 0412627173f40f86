//! Faults while a translator is trained.

use crate::cells::{NOT_POSTED, UNANSWERED, UNASKED, breaks, browser, open, strikes, table};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::faults::{Fault, arm};
use tuppum_browser_tests::scripts::KILL_THE_WORKER;
use tuppum_browser_tests::train_page;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, Workbench};

fn training_cell(bench: &Workbench, (device, steps): (&str, u32), fault: Fault, shows: &str) {
    let fragment = &format!("view=train&model=models/tiny/&device={device}");
    let site = open(bench, None, fragment);
    let page = &bench.page;
    train_page::sees(page, "1. Your corpus", SOON);
    train_page::brings(page, train_page::CORPUS);
    train_page::plans(page, "faulty", steps);
    page.press("button", "Single step");
    // On a busy machine the software adapter needs a minute for a step and its measurement.
    let limit = if device == "webgpu" { 4 * ANSWERING } else { ANSWERING };
    train_page::until_within(page, "paused", 1, limit);
    match fault {
        ("tab", "closed") => {
            page.press("button", "Resume");
            page.open("about:blank");
            page.open(&site.url(fragment));
        }
        ("worker", "dies") => {
            page.press("button", "Resume");
            page.run(KILL_THE_WORKER, &[]);
        }
        ("Cancel", _) => {
            page.press("button", "Resume");
            train_page::until(page, "running", 2);
            breaks(page, fault);
            page.press("button", "Pause");
            strikes(page);
        }
        fault => {
            breaks(page, fault);
            page.press("button", "Resume");
            strikes(page);
        }
    }
    page.wait(shows, limit, |page| page.visible_text().contains(shows).then_some(()));
    train_page::sees(page, "11 pairs:", SOON);
    page.wait("the run to rest", SOON, |page| {
        ["none", "paused"].contains(&train_page::run(page).0.as_str()).then_some(())
    });
    if device == "webgpu" {
        assert_eq!(train_page::run(page).1, 1, "the run stands where its checkpoint does");
    } else if !["tab", "worker"].contains(&fault.0) {
        arm(page, None); // a new worker fails at nothing
    }
    if fault.0 == "memory" {
        page.press("button", "Resume in smaller parts");
    } else {
        if !page.select("#train-trouble").is_empty() {
            page.press("button", "Close");
        }
        page.press("button", "Resume");
    }
    train_page::until_within(page, "finished", steps.into(), limit);
    let device = train_page::shown(page, "#train-device");
    assert_eq!(device.contains("Each batch in 2 parts"), fault.0 == "memory", "{device}");
}

#[test]
fn a_run_of_training_goes_on_in_spite_of_faults() {
    const UNSAVED: &str = "could not save a checkpoint";
    let rows = [
        (("open", "refused"), UNSAVED),
        (("open", "late"), UNSAVED),
        (("write", "quota"), UNSAVED),
        (("write", "short"), UNSAVED),
        (("flush", "quota"), UNSAVED),
        (("Resume", NOT_POSTED), UNASKED),
        (("TrainingStep", NOT_POSTED), UNANSWERED),
        (("worker", "dies"), "The engine crashed and was restarted"),
        (("tab", "closed"), "step 1 of 30"),
    ];
    let bench = browser(Setup::new("faults-training"));
    table("Training", &rows, |fault, shows| training_cell(&bench, ("cpu", 30), fault, shows));
}

#[test]
fn a_pause_that_cannot_be_posted_is_asked_for_again() {
    // So many steps that the run does not end by itself before.
    let rows = [(("Cancel", NOT_POSTED), "paused")];
    let bench = browser(Setup::new("faults-pausing"));
    table("Pausing", &rows, |fault, shows| training_cell(&bench, ("cpu", 300), fault, shows));
}

#[test]
fn a_run_of_training_goes_on_after_its_graphics_device_was_lost() {
    const LOST: &str = "The graphics device stopped working";
    let rows = [(("compute", "device lost"), LOST), (("memory", "none left"), LOST)];
    let bench = browser(Setup::new("faults-training-device").with_webgpu());
    table("Training on WebGPU", &rows, |fault, shows| training_cell(&bench, ("webgpu", 2), fault, shows));
}
