//! Without a network: after one visit, everything that the page refers to on its own server is available, in every
//! view.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{OPENING, SOON, Workbench};

/// Script that returns the addresses of links, images and the like on the page's own server, without fragments, and the
/// addresses that the page requested. Weights are left out: they are stored when the user asks for them.
const NAMED: &str = r"
    const named = [...document.querySelectorAll('[href], [src]')].map(one => one.href || one.src);
    const asked = performance.getEntriesByType('resource').map(entry => entry.name);
    const own = [...named, ...asked].filter(address => typeof address === 'string')
        .map(address => new URL(address, document.baseURI)).filter(address => address.origin === location.origin);
    return [...new Set(own.map(address => address.origin + address.pathname))].sort()";

/// Script that fetches addresses and returns those that fail.
const FETCHED: &str = r"
    return Promise.all(arguments[0].map(address => fetch(address).then(
        answer => answer.ok ? null : `${address}: ${answer.status}`, error => `${address}: ${error}`)))
    .then(all => all.filter(one => one))";

const VIEWS: [&str; 6] = ["Workbench", "Sign tree", "Attention", "Learn", "Train", "Models"];

fn list(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|own| own.as_str().map(str::to_owned)).collect()
}

/// Returns every file that the service worker promises to keep.
fn promised(page: &Browser) -> Vec<String> {
    let script =
        std::fs::read_to_string(tuppum_browser_tests::dist().join("service-worker.js")).expect("the built page");
    let entries = script.lines().filter_map(|line| line.trim().strip_prefix("[\"")?.split('"').next());
    let base = page.run("return document.baseURI.split('#')[0]", &[]);
    entries.map(|path| format!("{}{path}", base.as_str().unwrap_or_default())).collect()
}

#[test]
fn everything_named_is_there_without_a_network() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("offline"), &site, "");
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    bench.page.wait("the page without a network", OPENING, |page| {
        page.visible_text()
            .contains("On this page")
            .then_some(())
            .or_else(|| (!page.all("link", "Learn").is_empty()).then_some(()))
    });
    let page = &bench.page;
    let mut named = BTreeSet::new();
    for view in VIEWS {
        page.press("link", view);
        page.come_to_rest();
        page.wait("the view", SOON, |page| (!page.visible_text().contains("is loading")).then_some(()));
        named.extend(list(&page.run(NAMED, &[])));
    }
    page.press("button", "Help");
    page.wait("the help", SOON, |page| page.visible_text().contains("Model card of the restorer").then_some(()));
    named.extend(list(&page.run(NAMED, &[])));
    let cards = named.iter().filter(|address| address.ends_with("/card.html")).count();
    assert!(cards >= 3, "the help names the models' cards: {named:?}");
    // Manifests are requested from the server to look for newer versions, and no answer is no failure.
    named.retain(|address| !address.ends_with("/manifest.json"));
    named.extend(promised(page));
    println!("{} addresses", named.len());
    assert!(named.iter().any(|address| address.ends_with("old-assyrian-letters.txt")), "{named:?}");
    let missing = page.run(FETCHED, &[json!(named)]);
    assert_eq!(missing, json!([]), "named, and not there without a network");
}

#[test]
fn samples_and_cards_open_without_a_network() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("offline-samples"), &site, "");
    bench.kept_for_offline();
    site.stop();
    bench.page.open(&site.url("view=train"));
    bench.page.reload();
    bench.page.wait("the sample of pairs", OPENING, |page| {
        (!page.all("button", "Take the sample: 60 Old Assyrian pairs").is_empty()).then_some(())
    });
    bench.page.press("button", "Take the sample: 60 Old Assyrian pairs");
    bench.page.wait("the pairs", OPENING, |page| page.visible_text().contains("60 pairs").then_some(()));
    // A card opens as a document of its own, not as the page.
    bench.page.open(&format!("{}/models/restorer/card.html", site.origin()));
    bench.page.wait("the card of the restorer", SOON, |page| page.visible_text().contains("icence").then_some(()));
    let tables = bench.page.run("return document.querySelectorAll('main table').length", &[]);
    assert!(tables.as_u64().is_some_and(|tables| tables > 2), "read as a page, not as Markdown: {tables}");
    let styled = "return getComputedStyle(document.body).maxWidth !== 'none'";
    assert_eq!(bench.page.run(styled, &[]), true, "with its styles, which are kept too");
    bench.page.press("link", "Back to Tuppum");
    bench.page.wait("the page again", OPENING, |page| (!page.all("link", "Workbench").is_empty()).then_some(()));
}
