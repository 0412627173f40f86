//! Faults while a model is fetched from a hub.

use crate::cells::{WAITS, browser, open, strikes, table};
use std::path::PathBuf;
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::faults::{Fault, arm};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

const WEIGHTS: &str = "/tiny/translator/resolve/main/model.safetensors";

fn hub() -> Site {
    let golden: PathBuf = tuppum_browser_tests::workspace().join("tests/golden/tiny-translator");
    let folder = tuppum_browser_tests::evidence().join("hub");
    std::fs::create_dir_all(&folder).expect("a folder for the hub");
    let site = Site::of_a_hub(&folder);
    site.mount("/tiny/translator/resolve/main/", &golden);
    site.field(WEIGHTS, "ETag", "\"one\"");
    site
}

#[track_caller]
fn types(page: &Browser, label: &str, text: &str) {
    let field = page.the("textbox", label);
    page.click(&field);
    page.chord(keys::CONTROL, 'a');
    page.type_keys(text);
}

fn hub_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let hub = hub();
    let site = open(bench, None, &format!("{TINY_ON_CPU}&text=a-na"));
    bench.page.press("link", "Models");
    let page = &bench.page;
    types(page, "Repository", "tiny/translator");
    page.press("button", "Settings");
    types(page, "Hub", &hub.origin());
    page.press("button", "Look it up");
    train_page::sees(page, "Memory in use", SOON);
    let closed = fault == ("tab", "closed");
    if closed {
        hub.hold(WEIGHTS);
    } else {
        arm(page, Some(fault));
    }
    page.press("button", "Fetch 0.");
    if closed {
        page.wait("half of the weights", SOON, |page| {
            train_page::shown(page, "#model-transfer .figure").contains("MB of").then_some(())
        });
        page.open("about:blank");
        hub.release();
        page.open(&site.url(&format!("{TINY_ON_CPU}&view=models")));
        page.press("button", "Continue fetching");
    } else {
        strikes(page);
        goes_on(page, shows);
    }
    train_page::sees(page, "complete, checksums compared", SOON);
    page.press("link", "Workbench");
    assert_eq!(bench.text(), "a-na", "the text stays");
}

/// Waits for the message, or stops the wait, and tries again without the fault.
#[track_caller]
fn goes_on(page: &Browser, shows: &str) {
    if shows == WAITS {
        page.press("button", "Pause");
        page.wait("the transfer to end", SOON, |page| page.select("#model-transfer").is_empty().then_some(()));
        arm(page, None);
        page.press("button", "Look it up");
        page.press("button", "Fetch 0.");
    } else {
        page.wait(shows, SOON, |page| train_page::shown(page, "#models-trouble").contains(shows).then_some(()));
        arm(page, None);
        page.press("button", "Continue");
    }
}

#[test]
fn a_model_comes_from_a_hub_in_spite_of_faults() {
    let rows = [
        (("fetch", "refused"), "could not be fetched"),
        (("fetch", "aborted"), "could not be fetched"),
        (("fetch", "cut"), "could not be fetched"),
        (("fetch", "never"), WAITS),
        (("folder", "refused"), "does not let the page keep a model"),
        (("folder", "never"), "does not let the page keep a model"),
        (("open", "refused"), "could not store"),
        (("open", "late"), "could not store"),
        (("write", "quota"), "could not store"),
        (("write", "short"), "could not store"),
        (("flush", "quota"), "could not store"),
        (("lock", "refused"), "could not store"),
        (("lock", "held"), WAITS),
        (("tab", "closed"), "Continue fetching"),
    ];
    let bench = browser(Setup::new("faults-hub"));
    table("Fetching a model from a hub", &rows, |fault, shows| hub_cell(&bench, fault, shows));
}
