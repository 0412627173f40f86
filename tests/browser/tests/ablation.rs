//! The ablation as a user runs it on the page: six ways compared, stopped, continued after the tab was closed, deleted.

use serde_json::json;
use tuppum_browser_tests::browser::Browser;
use tuppum_browser_tests::scripts::CONTRAST;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::train_page::{CORPUS, brings, open, plans, sees, shown, types};
use tuppum_browser_tests::workbench::{ANSWERING, SOON};

/// Steps of each run: enough that twelve runs are not over before the user has pressed Stop.
const STEPS: usize = 20;
/// Number of runs: six ways with two seeds.
const RUNS: usize = 12;

/// Returns the ablation's status and the number of finished runs.
fn ablation(page: &Browser) -> (String, usize) {
    let script = "return [document.querySelector('#train-ablation')?.dataset.standing ?? '',
        Number(document.querySelector('#ablation-progress progress')?.getAttribute('value') ?? 0)]";
    let found = page.try_run(script, &[]).unwrap_or_default();
    (found[0].as_str().unwrap_or_default().to_owned(), found[1].as_u64().unwrap_or_default() as usize)
}

#[track_caller]
fn until(page: &Browser, standing: &str, least: usize) {
    page.wait(&format!("{least} runs, {standing}"), ANSWERING, |page| {
        let trouble = shown(page, "#train-trouble");
        assert!(trouble.is_empty(), "the ablation failed: {trouble}");
        let (found, runs) = ablation(page);
        (found == standing && runs >= least).then_some(())
    });
}

/// Returns the number of steps that the worker reported in this visit.
fn steps(page: &Browser) -> usize {
    let script = "return window.spy.heard.filter(heard => heard.message.Event?.event?.AblationStep).length";
    page.run(script, &[]).as_u64().unwrap_or_default() as usize
}

#[test]
fn six_ways_are_compared_stopped_and_gone_on_with() {
    let site = Site::of_the_page();
    let page = open("ablation", &site);
    assert!(shown(&page, "#ablation-reason").contains("Load a corpus first"));
    brings(&page, CORPUS);
    plans(&page, "unused", 50);
    types(&page, "Steps of each run", &STEPS.to_string());
    types(&page, "Seeds for each way", "2");
    page.press("button", "Compare six ways");
    until(&page, "running", 2);
    // No run can begin meanwhile.
    assert!(shown(&page, "#train-reason").contains("The six ways are being compared"));
    page.press("button", "Stop comparing");
    until(&page, "resting", 2);
    let (_, kept) = ablation(&page);
    assert!(kept < RUNS, "stopped in time");

    // The tab is closed and opened again: the results are there, and only missing runs are made.
    page.reload();
    sees(&page, "11 pairs:", SOON);
    until(&page, "resting", kept);
    assert!(shown(&page, "tr[data-arm=A]").contains("seed"), "{}", shown(&page, "tr[data-arm=A]"));
    page.press("button", "Continue comparing");
    until(&page, "finished", RUNS);
    assert_eq!(steps(&page), (RUNS - kept) * STEPS);
    for arm in ["A", "B", "C", "D", "E", "F"] {
        let row = shown(&page, &format!("tr[data-arm={arm}]"));
        assert!(row.contains("2 seeds"), "{row}");
    }
    assert!(!page.select("#ablation-bars svg rect").is_empty());
    let verdicts = page.run("return document.querySelectorAll('#ablation-verdicts li').length", &[]);
    assert_eq!(verdicts, json!(8), "the questions of the design");
    for dark in [false, true] {
        page.set_dark(dark);
        assert_eq!(page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }

    // Nothing is repeated if nothing changed; with another number of steps, all runs are made again.
    page.press("button", "Compare again");
    until(&page, "finished", RUNS);
    assert_eq!(steps(&page), (RUNS - kept) * STEPS);
    page.press("button", "Delete these results");
    page.wait("an empty section", SOON, |page| page.select("tr[data-arm]").is_empty().then_some(()));
    page.press("button", "Bring back the earlier results");
    until(&page, "finished", 0);
    assert_eq!(page.select("tr[data-arm]").len(), 6);
}

#[test]
fn a_corpus_of_one_text_is_told_what_is_missing() {
    let site = Site::of_the_page();
    let page = open("ablation-one-text", &site);
    brings(&page, "text_id\tsource\ttarget\nP1\ta-na a-lim\tto the city\nP1\tum-ma a-šur-ma\tthus Aššur");
    page.wait("the reason", SOON, |page| {
        shown(page, "#ablation-reason").contains("Nothing would be set aside").then_some(())
    });
}
