//! A part of the sign tree learnt live, as a user watches it: points move and stay inside the disk, a ranked list marks
//! attested rows, and learning can be stopped.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::sign_tree::SignTree;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::ANSWERING;

/// Returns a `data-` attribute of the card.
fn data(tree: &SignTree, name: &str) -> String {
    tree.data_of("#settle", name)
}

fn number(tree: &SignTree, name: &str) -> f64 {
    data(tree, name).parse().unwrap_or(f64::NAN)
}

#[track_caller]
fn ends(tree: &SignTree, state: &str) {
    tree.run_ends("#settle", state);
}

/// Returns the numbers of attested and of other rows in a ranked list.
fn rows(tree: &SignTree, list: &str) -> [u64; 2] {
    ["true", "false"].map(|attested| {
        let selector = format!("[data-ranked={list}] tr[data-attested={attested}]");
        let count = tree.page.run("return document.querySelectorAll(arguments[0]).length", &[json!(selector)]);
        count.as_u64().unwrap_or(0)
    })
}

#[test]
fn points_settle_inside_the_disk_and_the_sign_s_readings_are_ranked() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("settle"), &site, "&node=KA");
    tree.chooses("KA");
    assert_eq!(data(&tree, "state"), "not");
    assert!(!site.requests().iter().any(|path| Site::is_of_a_model(path)), "nothing of a model is fetched");
    tree.page.press("button", "Learn it live");
    tree.page.wait("some epochs", ANSWERING, |_| (number(&tree, "epoch") >= 1.0).then_some(()));
    ends(&tree, "done");
    let (moved, far) = (number(&tree, "moved"), number(&tree, "far"));
    println!("moved by {moved}, the farthest at {far}\n{}", tree.shown("#settle"));
    assert!(moved > 0.05, "the points have moved: {moved}");
    assert!(far > 0.1 && far < 1.0, "inside the disk: {far}");
    assert!(tree.page.run("return +document.querySelector('#settle-disk').dataset.drawn", &[]).as_u64() > Some(200));
    let told = tree.shown("#settle-figures");
    assert!(told.contains("Seed 1") && told.contains("Loss") && told.contains("held out"), "{told}");
    for list in ["readings", "words"] {
        let [attested, not] = rows(&tree, list);
        assert!(attested > 0 && not > 0 && attested + not == 20, "{list}: {attested} attested, {not} not");
    }
    let marks = "return [...document.querySelectorAll('#settle tr[data-attested=false]')].every(row => \
        row.innerText.includes('⚠'))";
    assert_eq!(tree.page.run(marks, &[]), true, "what is not attested is marked");
    let first = (moved, far, told);
    tree.page.press("button", "Learn it again");
    tree.page.wait("the new run", ANSWERING, |_| (data(&tree, "state") != "done").then_some(()));
    ends(&tree, "done");
    assert_eq!((number(&tree, "moved"), number(&tree, "far"), tree.shown("#settle-figures")), first, "the same seed");
    tree.is_legible();
}

/// Script that presses the button as soon as the first epoch is reported, when nearly all of the run is still to come.
const STOP_AT_ONCE: &str = "new MutationObserver((_, own) => {
        if (+document.querySelector('#settle').dataset.epoch === 0) return;
        own.disconnect();
        document.querySelector('#settle-stop').click();
    }).observe(document.querySelector('#settle'), { attributes: true });
    document.querySelector('#settle-start').click();";

#[test]
fn learning_stops_when_it_is_asked_to_and_can_begin_anew() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("settle-stop"), &site, "");
    tree.page.run(STOP_AT_ONCE, &[]);
    ends(&tree, "stopped");
    let epoch = number(&tree, "epoch");
    assert!((1.0..200.0).contains(&epoch), "stopped after epoch {epoch}");
    assert!(tree.shown("#settle").contains("Stopped after epoch"));
    tree.page.press("button", "Learn it again");
    ends(&tree, "done");
    assert_eq!(rows(&tree, "readings"), [0, 0], "no sign is chosen, so none is ranked");
}

#[test]
fn the_picture_rests_where_stillness_is_asked_for() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("settle-still"), &site, "");
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    tree.page.devtools("Emulation.setEmulatedMedia", &still);
    // Every drawing sets the attribute again.
    let count = "window.drawn = 0; new MutationObserver(all => window.drawn += all.length)
        .observe(document.querySelector('#settle-disk'), { attributes: true, attributeFilter: ['data-drawn'] });";
    tree.page.run(count, &[]);
    tree.page.press("button", "Learn it live");
    ends(&tree, "done");
    tree.page.come_to_rest();
    let drawn: Value = tree.page.run("return window.drawn", &[]);
    assert!(drawn.as_u64().is_some_and(|drawn| (1..=3).contains(&drawn)), "drawn {drawn} times");
}
