//! Versions of the page: a new one waits, asks, and reloads every tab once, and typed text stays. The first version is
//! stored even if little room is left; if it cannot be stored, the page says so.

use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::scripts::COUNT_LOADS;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{OPENING, SOON, TINY_ON_CPU, Workbench};

const LINE: &str = "a-na x szar-ri [x] ma-na";
const SERVICE_WORKER: &str = "/service-worker.js";

/// Returns a new version of the page with the same files.
fn newer(bytes: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(bytes).expect("a script");
    let newer = text.replace("const VERSION = \"", "const VERSION = \"newer-");
    assert_ne!(newer, text, "the service worker names its version");
    newer.into_bytes()
}

fn loads(page: &Browser) -> u64 {
    page.try_run("return Number(sessionStorage.loads)", &[]).unwrap_or_default().as_u64().unwrap_or(0)
}

#[test]
fn a_new_version_waits_asks_and_reloads_every_tab_once() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("updates").with_script(COUNT_LOADS), &site, TINY_ON_CPU);
    bench.ready();
    bench.kept_for_offline();
    bench.page.reload();
    bench.ready();
    assert_eq!(bench.page.run("return navigator.serviceWorker.controller !== null", &[]), true);
    bench.write(LINE);
    let first = bench.page.new_tab();
    bench.page.before_every_page(COUNT_LOADS);
    bench.page.open(&site.url(TINY_ON_CPU));
    bench.ready();
    let in_second = loads(&bench.page);

    bench.page.go_to_tab(&first);
    site.alter(SERVICE_WORKER, newer);
    bench.page.reload();
    bench.page.wait("the page to tell of the new version", OPENING, |page| {
        page.visible_text().contains("new version").then_some(())
    });
    bench.ready();
    assert_eq!(bench.text(), LINE);
    assert_eq!(bench.restore().len(), 20, "the old version works on while the new one waits");
    let before = loads(&bench.page);
    bench.page.press("button", "Reload");
    bench.page.wait("a reload", SOON, |page| (loads(page) > before).then_some(()));
    bench.ready();
    assert_eq!(loads(&bench.page), before + 1, "reloaded once");
    assert_eq!(bench.text(), LINE, "nothing typed is lost");
    assert!(!bench.page.visible_text().contains("new version"), "the new version is in use");
    let caches = bench.page.run("return caches.keys()", &[]);
    println!("kept: {caches}");
    assert!(caches.as_array().is_some_and(|kept| kept.len() == 1), "the old version is forgotten: {caches}");
    let second = bench.page.tabs().into_iter().find(|tab| *tab != first).expect("the second tab is still open");
    bench.page.go_to_tab(&second);
    bench.page.wait("the other tab to reload", SOON, |page| (loads(page) == in_second + 1).then_some(()));
}

/// Chromium makes no large blobs if the disk has only a few gigabytes left.
#[test]
fn the_page_is_stored_where_no_blob_can_be_made() {
    let mut site = Site::of_the_page();
    site.prelude(SERVICE_WORKER, "Response.prototype.blob = () => Promise.reject(new TypeError('Failed to fetch'));");
    let bench = Workbench::open(Setup::new("no-blob"), &site, TINY_ON_CPU);
    bench.ready();
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    bench.ready();
}

#[test]
fn a_page_that_could_not_be_stored_says_so_and_tries_again() {
    let mut site = Site::of_the_page();
    site.prelude(
        SERVICE_WORKER,
        "Cache.prototype.put = () => Promise.reject(new DOMException('', 'QuotaExceededError'));",
    );
    let bench = Workbench::open(Setup::new("not-stored"), &site, TINY_ON_CPU);
    bench.sees("This browser could not store the page");
    bench.ready();
    bench.write(LINE);
    assert_eq!(bench.restore().len(), 20, "all else works");
    bench.page.press("button", "Try again");
    bench.sees("This browser could not store the page");
    site.restore(SERVICE_WORKER);
    bench.page.press("button", "Try again");
    bench.kept_for_offline();
    assert!(!bench.page.visible_text().contains("could not store"), "what was mended is no longer told");
    site.stop();
    bench.page.reload();
    bench.page.wait("what was typed, without a network", SOON, |_| (bench.text() == LINE).then_some(()));
}
