//! The fault table: at each step of the engine that may fail, it is made to fail, in every way that people meet. After
//! it the page says what happened, nothing is lost that was kept, the page can be used, and a second try works. The
//! test prints the table and fails when a cell does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::faults::{Fault, WATCH_FAULTS, arm, begin_with, refuse_request, struck};
use tuppum_browser_tests::scripts::{KILL_THE_WORKER, NO_SERVICE_WORKER, SPY_ON_WORKERS};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, TINY_ON_CPU, Workbench};

const LINE: &str = "a-na x szar-ri [x] ma-na";

/// A row of a table: the fault, and words that the page then shows.
type Row = (Fault, &'static str);

/// What the page shows when it goes on waiting, until the user stops it.
const WAITS: &str = "(waits, and can be stopped)";
/// What it shows when the fault makes no difference.
const NOTHING: &str = "(goes on without)";

/// How a message fails that the browser has no memory to copy.
const NOT_POSTED: &str = "cannot be posted";
/// What the page shows when its question does not reach the engine.
const UNASKED: &str = "could not be handed to the engine";
/// What it shows when the engine's answer does not reach it.
const UNANSWERED: &str = "could not be handed to the page";

/// A browser for many cells: each has a site of its own, and so a storage of its own.
fn browser(setup: Setup) -> Workbench {
    let setup = setup.with_script(NO_SERVICE_WORKER).with_script(SPY_ON_WORKERS).with_script(WATCH_FAULTS);
    Workbench { page: setup.start() }
}

/// Opens the page of a new site, whose worker begins with this fault.
fn open(bench: &Workbench, fault: Option<Fault>, fragment: &str) -> Site {
    let site = Site::of_the_page();
    begin_with(&site, fault);
    bench.page.allow_clipboard(&site.origin());
    bench.page.open("about:blank");
    bench.page.open(&site.url(fragment));
    site
}

/// Goes through the rows, prints them as a table, and fails if one did.
fn table(doing: &str, rows: &[Row], cell: impl Fn(Fault, &str)) {
    let mut printed = format!("\n| {doing} | way | after it the page shows | |\n|---|---|---|---|\n");
    let mut failed = 0;
    for &((step, way), shows) in rows {
        let outcome = catch_unwind(AssertUnwindSafe(|| cell((step, way), shows)));
        failed += usize::from(outcome.is_err());
        let verdict = if outcome.is_ok() { "green" } else { "RED" };
        printed += &format!("| {step} | {way} | {shows} | {verdict} |\n");
    }
    println!("{printed}");
    assert_eq!(failed, 0, "cells of the table that failed");
}

/// The page can be used: what is typed is read at once.
#[track_caller]
fn is_usable(bench: &Workbench) {
    bench.write("um-ma a-na x");
    bench
        .page
        .wait("what was typed to be read", SOON, |page| (page.select("#reading [data-sign]").len() == 5).then_some(()));
    bench.write(LINE);
}

/// Has the worker fail so from now on, or the page unable to post the next question of this name.
#[track_caller]
fn breaks(page: &Browser, fault: Fault) {
    match fault {
        (request @ ("Restore" | "OpenTranslator" | "Translate" | "Resume"), NOT_POSTED) => {
            refuse_request(page, request)
        }
        fault => arm(page, Some(fault)),
    }
}

/// Waits until the fault has struck.
#[track_caller]
fn strikes(page: &Browser) {
    page.wait("the fault to strike", OPENING, |page| (struck(page) > 0).then_some(()));
}

fn restorer_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let site = open(bench, Some(fault), TINY_ON_CPU);
    bench.write(LINE);
    bench.fetch_if_offered();
    strikes(&bench.page);
    begin_with(&site, None);
    let mut way_out = None;
    match shows {
        NOTHING => {}
        WAITS => {
            assert_eq!(bench.trouble(), "");
            bench.page.wait("a way to stop", SOON, |page| {
                page.try_run("document.querySelector('#engine-stop').click()", &[]).ok()
            });
            bench.page.wait("the engine to stop", SOON, |_| (bench.engine() != "opening").then_some(()));
        }
        note if note.contains("memory only") => {
            let statement = bench.ready();
            assert!(statement.text.contains(note), "{}", statement.text);
        }
        words => {
            let trouble = bench.failed();
            assert!(trouble.contains(words), "{trouble}");
            let ways = ["Try again", "Fetch the model again", "Work without storing"];
            way_out = ways.into_iter().find(|way| trouble.contains(way));
            assert!(way_out.is_some(), "no way out: {trouble}");
        }
    }
    assert_eq!(bench.text(), LINE, "the text stays");
    is_usable(bench);
    arm(&bench.page, None);
    match way_out {
        Some(way) => bench.page.press("button", way),
        None if shows == WAITS => drop(bench.restore()),
        None => {}
    }
    bench.ready();
    assert!(!bench.restore().is_empty(), "the second try");
}

#[test]
fn the_restorer_opens_in_spite_of_faults() {
    const UNREACHED: &str = "could not be fetched";
    let rows = [
        (("fetch", "refused"), UNREACHED),
        (("fetch", "aborted"), UNREACHED),
        (("fetch", "cut"), UNREACHED),
        (("fetch", "never"), WAITS),
        (("folder", "refused"), "memory only"),
        (("folder", "never"), "memory only"),
        (("open", "refused"), "memory only"),
        (("open", "never"), "memory only"),
        (("file", "refused"), "could not store"),
        (("file", "never"), "could not store"),
        (("write", "quota"), "memory only"),
        (("write", "short"), "memory only"),
        (("flush", "quota"), "could not store"),
        (("lock", "refused"), NOTHING),
        (("lock", "held"), WAITS),
        (("read", "refused"), "cannot be read"),
        (("read", "never"), "cannot be read"),
    ];
    let bench = browser(Setup::new("faults-restorer"));
    table("Opening the restorer", &rows, |fault, shows| restorer_cell(&bench, fault, shows));
}

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

/// Waits for the message, or stops what waits, and tries again without the fault.
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

fn training_cell(bench: &Workbench, (device, steps): (&str, u32), fault: Fault, shows: &str) {
    let fragment = &format!("view=train&model=models/tiny/&device={device}");
    let site = open(bench, None, fragment);
    let page = &bench.page;
    train_page::sees(page, "1. Your corpus", SOON);
    train_page::brings(page, train_page::CORPUS);
    train_page::plans(page, "faulty", steps);
    page.press("button", "Single step");
    // The software adapter needs a minute for a step and its measurement on a busy machine.
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
    if !page.select("#train-trouble").is_empty() {
        page.press("button", "Close");
    }
    page.press("button", "Resume");
    train_page::until_within(page, "finished", steps.into(), limit);
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
fn a_run_of_training_goes_on_after_its_graphics_device_was_lost() {
    const LOST: &str = "The graphics device stopped working";
    let rows = [(("compute", "device lost"), LOST), (("memory", "none left"), LOST)];
    let bench = browser(Setup::new("faults-training-device").with_webgpu());
    table("Training on WebGPU", &rows, |fault, shows| training_cell(&bench, ("webgpu", 2), fault, shows));
}

/// While the translator is fetched and opened, which the first translation asks for.
fn translator_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let _site = open(bench, None, TINY_TRANSLATOR);
    bench.ready();
    bench.write(LINE);
    let dies = fault == ("worker", "dies");
    breaks(&bench.page, if dies { ("fetch", "never") } else { fault });
    bench.click("#translate");
    strikes(&bench.page);
    if dies {
        bench.page.run(KILL_THE_WORKER, &[]);
    }
    if shows == WAITS {
        assert_eq!(bench.shown("#translation-trouble"), "");
        bench.click("#translate-stop");
        bench.page.wait("the translator to stop", SOON, |_| (!bench.is_translating()).then_some(()));
    } else {
        let trouble = bench.page.wait("the failure", OPENING, |_| {
            Some(bench.shown("#translation-trouble")).filter(|trouble| !trouble.is_empty())
        });
        assert!(trouble.contains(shows), "{trouble}");
    }
    assert_eq!(bench.text(), LINE, "the text stays");
    is_usable(bench);
    bench.ready();
    arm(&bench.page, None);
    bench.click("#translate");
    bench.page.wait("a translation", ANSWERING, |_| (bench.passages().len() == 1).then_some(()));
    assert!(!bench.restore().is_empty(), "the restorer is still there");
}

#[test]
fn the_translator_opens_in_spite_of_faults() {
    let rows = [
        (("fetch", "refused"), "could not be fetched"),
        (("fetch", "aborted"), "could not be fetched"),
        (("fetch", "cut"), "could not be fetched"),
        (("fetch", "never"), WAITS),
        (("OpenTranslator", NOT_POSTED), UNASKED),
        (("Translate", NOT_POSTED), UNASKED),
        (("Translator", NOT_POSTED), UNANSWERED),
        (("Translated", NOT_POSTED), UNANSWERED),
        (("worker", "dies"), "The engine crashed and was restarted"),
    ];
    let bench = browser(Setup::new("faults-translator"));
    table("Opening the translator", &rows, |fault, shows| translator_cell(&bench, fault, shows));
}

/// A question, or its answer, that the browser cannot hand over.
fn posting_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let site = open(bench, None, TINY_ON_CPU);
    bench.ready();
    bench.write(LINE);
    begin_with(&site, None);
    breaks(&bench.page, fault);
    bench.page.press("button", "Restore");
    strikes(&bench.page);
    let trouble = bench.failed();
    assert!(trouble.contains(shows), "{trouble}");
    assert_eq!(bench.text(), LINE, "the text stays");
    is_usable(bench);
    let workers = bench.page.run("return window.spy.workers.length", &[]);
    let expected = if fault.0 == "anything" { 2 } else { 1 };
    assert_eq!(workers, expected, "only a worker that says nothing more is replaced");
    bench.ready();
    assert!(!bench.restore().is_empty(), "the second try");
}

#[test]
fn what_cannot_be_posted_is_told_as_such() {
    let rows = [
        (("Restore", NOT_POSTED), UNASKED),
        (("Answer", NOT_POSTED), UNANSWERED),
        (("anything", NOT_POSTED), "The engine crashed and was restarted"),
    ];
    let bench = browser(Setup::new("faults-posting"));
    table("Restoring", &rows, |fault, shows| posting_cell(&bench, fault, shows));
}

/// In the middle of a long restoration.
fn computing_cell(bench: &Workbench, device: &str, fault: Fault, shows: &str) {
    let fragment = format!("model=models/tiny/&device={device}");
    let site = open(bench, None, &fragment);
    bench.ready();
    bench.write(LINE);
    let before = bench.restore();
    let long = "a-na x szar-ri [x] ma-na x-szu\n".repeat(40);
    bench.write(&long);
    bench.page.press("button", "Restore");
    bench.page.wait("a job under way", OPENING, |_| bench.is_computing().then_some(()));
    match fault {
        ("tab", "closed") => {
            bench.page.wait("the address to follow", SOON, |page| page.address().contains("szu").then_some(()));
            let address = bench.page.address();
            bench.page.open("about:blank");
            bench.page.open(&address);
        }
        ("worker", "dies") => drop(bench.page.run(KILL_THE_WORKER, &[])),
        fault => {
            begin_with(&site, None);
            arm(&bench.page, Some(fault));
            strikes(&bench.page);
        }
    }
    if fault.0 != "tab" {
        let trouble = bench.failed();
        assert!(trouble.contains(shows), "{trouble}");
    }
    assert_eq!(bench.text().trim(), long.trim(), "the text stays");
    is_usable(bench);
    bench.ready();
    assert_eq!(bench.restore().len(), before.len(), "the second try");
}

#[test]
fn restoring_goes_on_in_spite_of_faults() {
    let rows =
        [(("worker", "dies"), "your text is untouched"), (("tab", "closed"), "(the text, in the address and kept)")];
    let bench = browser(Setup::new("faults-computing"));
    table("Restoring on the CPU", &rows, |fault, shows| computing_cell(&bench, "cpu", fault, shows));
}

/// While the graphics device is opened that the user wants and no other.
fn device_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let site = open(bench, Some(fault), "model=models/tiny/&device=webgpu");
    bench.write(LINE);
    bench.fetch_if_offered();
    strikes(&bench.page);
    begin_with(&site, None);
    let trouble = bench.failed();
    assert!(trouble.contains(shows), "{trouble}");
    assert_eq!(bench.text(), LINE, "the text stays");
    is_usable(bench);
    arm(&bench.page, None);
    bench.page.press("button", "Use the CPU");
    bench.ready();
    assert!(!bench.restore().is_empty(), "the second try");
}

#[test]
fn a_graphics_device_that_cannot_be_had_is_done_without() {
    const SILENT: &str = "does not answer";
    let rows = [
        (("adapter", "refused"), "the browser refuses a graphics device"),
        (("adapter", "never"), SILENT),
        (("device", "refused"), "could not be opened"),
        (("device", "never"), SILENT),
    ];
    let bench = browser(Setup::new("faults-adapter").with_webgpu());
    table("Opening on WebGPU", &rows, |fault, shows| device_cell(&bench, fault, shows));
}

#[test]
fn a_lost_graphics_device_is_done_without() {
    let rows = [(("compute", "device lost"), "The graphics device stopped working")];
    let bench = browser(Setup::new("faults-device").with_webgpu());
    table("Restoring on WebGPU", &rows, |fault, shows| computing_cell(&bench, "webgpu", fault, shows));
    let shown = bench.ready();
    assert!(shown.text.contains("because the engine broke off, and the GPU may have been"), "{}", shown.text);
}
