//! Faults while the graphics device is opened, and its loss.

use crate::cells::{LINE, browser, is_usable, open, strikes, table};
use crate::restoring::computing_cell;
use crate::translator::translating_cell;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::faults::{Fault, arm, begin_with};
use tuppum_browser_tests::workbench::Workbench;

/// Runs a cell in which the device that the user insists on fails to open.
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
    const NO_PART: &str = "part for graphics devices could not be fetched";
    let rows = [
        (("part", "refused"), NO_PART),
        (("part", "cut"), NO_PART),
        (("part", "never"), NO_PART),
        (("adapter", "refused"), "the browser refuses a graphics device"),
        (("adapter", "never"), SILENT),
        (("device", "refused"), "could not be opened"),
        (("device", "never"), SILENT),
    ];
    let bench = browser(Setup::new("faults-adapter").with_webgpu());
    table("Opening on WebGPU", &rows, |fault, shows| device_cell(&bench, fault, shows));
}

#[test]
fn what_did_not_come_for_a_graphics_device_is_fetched_again() {
    let bench = browser(Setup::new("faults-part").with_webgpu());
    let site = open(&bench, Some(("part", "never")), "model=models/tiny/&device=webgpu");
    bench.write(LINE);
    bench.fetch_if_offered();
    strikes(&bench.page);
    begin_with(&site, None);
    let trouble = bench.failed();
    assert!(trouble.contains("did not come within a minute"), "{trouble}");
    arm(&bench.page, None);
    bench.page.press("button", "Try again");
    assert!(bench.ready().text.contains("GPU"), "the second try is by WebGPU");
}

#[test]
fn a_lost_graphics_device_is_done_without() {
    let rows = [(("compute", "device lost"), "The graphics device stopped working")];
    let bench = browser(Setup::new("faults-device").with_webgpu());
    table("Restoring on WebGPU", &rows, |fault, shows| computing_cell(&bench, "webgpu", fault, shows));
    let shown = bench.ready();
    assert!(shown.text.contains("because the engine broke off, and the GPU may have been"), "{}", shown.text);
    table("Translating on WebGPU", &rows, |fault, shows| translating_cell(&bench, fault, shows));
}
