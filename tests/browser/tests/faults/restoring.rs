//! Faults while gaps are restored, and messages that cannot be posted.

use crate::cells::{LINE, NOT_POSTED, UNANSWERED, UNASKED, breaks, browser, is_usable, open, strikes, table};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::faults::{Fault, arm, begin_with};
use tuppum_browser_tests::scripts::KILL_THE_WORKER;
use tuppum_browser_tests::workbench::{OPENING, SOON, TINY_ON_CPU, Workbench};

/// Runs a cell in which a question or its answer cannot be posted.
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

/// Runs a cell with a fault in the middle of a long restoration.
pub fn computing_cell(bench: &Workbench, device: &str, fault: Fault, shows: &str) {
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
            // Of the texts before it, the example too has a "-szu", but none an "x-szu".
            bench.page.wait("the address to follow", SOON, |page| page.address().contains("x-szu").then_some(()));
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
