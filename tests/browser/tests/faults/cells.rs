//! Shared parts of the fault tables: a page with a fault, and the printed table.

use std::panic::{AssertUnwindSafe, catch_unwind};
use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::faults::{Fault, WATCH_FAULTS, arm, begin_with, refuse_request, struck};
use tuppum_browser_tests::scripts::{NO_SERVICE_WORKER, SPY_ON_WORKERS};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{OPENING, SOON, Workbench};

pub const LINE: &str = "a-na x szar-ri [x] ma-na";

/// Row of a table: the fault, and words that the page then shows.
pub type Row = (Fault, &'static str);

/// Entry for a page that waits until the user stops it.
pub const WAITS: &str = "(waits, and can be stopped)";
/// Entry for a fault that makes no difference.
pub const NOTHING: &str = "(goes on without)";

/// Fault by which the browser has no memory to copy a message.
pub const NOT_POSTED: &str = "cannot be posted";
/// Message of the page when its question does not reach the engine.
pub const UNASKED: &str = "could not be handed to the engine";
/// Message of the page when the engine's answer does not reach it.
pub const UNANSWERED: &str = "could not be handed to the page";

/// Returns a browser for many cells; each cell has a site of its own, and so its own storage.
pub fn browser(setup: Setup) -> Workbench {
    let setup = setup.with_script(NO_SERVICE_WORKER).with_script(SPY_ON_WORKERS).with_script(WATCH_FAULTS);
    Workbench { page: setup.start() }
}

/// Opens the page of a new site, whose worker begins with this fault.
pub fn open(bench: &Workbench, fault: Option<Fault>, fragment: &str) -> Site {
    let site = Site::of_the_page();
    begin_with(&site, fault);
    bench.page.allow_clipboard(&site.origin());
    bench.page.open("about:blank");
    bench.page.open(&site.url(fragment));
    site
}

/// Runs all rows, prints them as a table, and fails if one failed.
pub fn table(doing: &str, rows: &[Row], cell: impl Fn(Fault, &str)) {
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

/// Checks that the page can be used: typed text is read at once.
#[track_caller]
pub fn is_usable(bench: &Workbench) {
    bench.write("um-ma a-na x");
    bench
        .page
        .wait("what was typed to be read", SOON, |page| (page.select("#reading [data-sign]").len() == 5).then_some(()));
    bench.write(LINE);
}

/// Arms the fault in the worker, or makes the page fail to post the next question of this name.
#[track_caller]
pub fn breaks(page: &Browser, fault: Fault) {
    match fault {
        (request @ ("Restore" | "OpenTranslator" | "Translate" | "Resume" | "Cancel"), NOT_POSTED) => {
            refuse_request(page, request)
        }
        fault => arm(page, Some(fault)),
    }
}

/// Waits until the fault has struck.
#[track_caller]
pub fn strikes(page: &Browser) {
    page.wait("the fault to strike", OPENING, |page| (struck(page) > 0).then_some(()));
}
