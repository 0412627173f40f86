//! Faults while the translator is fetched, is opened, and translates.

use crate::cells::{LINE, NOT_POSTED, UNANSWERED, UNASKED, WAITS, breaks, browser, is_usable, open, strikes, table};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::faults::{Fault, arm, begin_with};
use tuppum_browser_tests::scripts::KILL_THE_WORKER;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, Workbench};

/// Runs a cell with a fault while the translator is fetched and opened, which the first translation starts.
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

/// Runs a cell with a fault in the middle of a translation.
pub fn translating_cell(bench: &Workbench, fault: Fault, shows: &str) {
    let site = open(bench, None, &TINY_TRANSLATOR.replace("device=cpu", "device=webgpu"));
    bench.ready();
    bench.write(LINE);
    bench.click("#translate");
    bench.page.wait("a translation", ANSWERING, |_| (bench.passages().len() == 1).then_some(()));
    let long = format!("{LINE}\n").repeat(12);
    bench.write(&long);
    begin_with(&site, None);
    bench.click("#translate");
    bench.page.wait("a translation under way", SOON, |_| bench.is_translating().then_some(()));
    arm(&bench.page, Some(fault));
    strikes(&bench.page);
    let trouble = bench.page.wait("the failure", OPENING, |_| {
        Some(bench.shown("#translation-trouble")).filter(|trouble| !trouble.is_empty())
    });
    assert!(trouble.contains(shows), "{trouble}");
    assert_eq!(bench.text().trim(), long.trim(), "the text stays");
    is_usable(bench);
    bench.ready();
    bench.click("#translate");
    bench.page.wait("a translation", ANSWERING, |_| (bench.passages().len() == 1).then_some(()));
}
