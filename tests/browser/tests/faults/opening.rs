//! Faults while the restorer is fetched and opened.

use crate::cells::{LINE, NOTHING, WAITS, browser, is_usable, open, strikes, table};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::faults::{Fault, arm, begin_with};
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

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
