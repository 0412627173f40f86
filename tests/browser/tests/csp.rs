//! The content security policy: it forbids nothing that the page does, it forbids inline scripts and evaluation, and no
//! address outside the page's own is requested before the user looks up a hub.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::{TELL_WHAT_IS_ASKED, WATCH_THE_POLICY};
use tuppum_browser_tests::sign_tree::SignTree;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

/// Script that returns every address that page and worker requested.
const ASKED: &str = "return [...performance.getEntriesByType('resource').map(entry => entry.name), ...window.asked]";

#[test]
fn the_page_keeps_to_its_policy_and_to_its_own_server() {
    let site = Site::of_the_page();
    site.engine_prelude(TELL_WHAT_IS_ASKED);
    let bench = Workbench::open(Setup::new("policy").with_script(WATCH_THE_POLICY), &site, TINY_ON_CPU);
    bench.ready();
    bench.write("a-na x szar-ri [x] ma-na");
    bench.restore();
    bench.accept(1);
    bench.page.press("button", "Copy as JSON");
    let asked = addresses(&bench.page.run(ASKED, &[]));
    assert!(asked.iter().any(|address| address.contains("restorer.safetensors")), "the worker tells: {asked:?}");
    for (link, seen) in [("Models", "You have imported no model yet"), ("Sign tree", "Sign tree")] {
        bench.page.press("link", link);
        bench.page.wait(seen, SOON, |page| page.visible_text().contains(seen).then_some(()));
    }
    let tree = SignTree { page: bench.page };
    tree.drawn();
    let page = tree.page;
    let asked = addresses(&page.run(ASKED, &[]));
    let own = site.origin();
    let outside: Vec<_> = asked.iter().filter(|address| !address.starts_with(&own)).collect();
    assert!(outside.is_empty(), "asked elsewhere: {outside:?}");
    assert_eq!(page.run("return window.forbidden", &[]), json!([]), "the page does nothing that it forbids itself");
    let console = page.console();
    assert!(!console.iter().any(|line| line.contains("Content Security Policy")), "{console:?}");

    // The policy is in force: inline scripts, handlers in attributes and evaluation do not run.
    let page_itself = "
        const script = document.createElement('script');
        script.textContent = 'window.ran = 1';
        document.head.append(script);
        document.body.insertAdjacentHTML('beforeend', '<p id=trial onclick=\"window.ran = 2\"></p>');
        document.querySelector('#trial').click();
        return window.ran ?? null";
    assert_eq!(page.run(page_itself, &[]), Value::Null);
    page.wait("the reports of what was forbidden", SOON, |page| {
        let forbidden = page.try_run("return window.forbidden.length", &[]).unwrap_or_default();
        (forbidden.as_u64() >= Some(2)).then_some(())
    });
    let elsewhere = "return fetch('http://127.0.0.1:9/').then(() => 'answered', error => error.name)";
    assert_eq!(page.run(elsewhere, &[]), "TypeError");
    let forbidden = page.run("return window.forbidden.join()", &[]).to_string();
    assert!(forbidden.contains("connect-src"), "{forbidden}");
}

/// Returns the headers that hosts should send, as `dist/_headers` has them.
fn headers() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(tuppum_browser_tests::dist().join("_headers")).expect("the built page");
    let lines = text.lines().filter(|line| line.starts_with("  ")).filter_map(|line| line.trim().split_once(": "));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The page restores under the headers for hosts just as without them.
#[test]
fn the_page_works_under_the_headers_that_hosts_are_told_to_send() {
    let site = Site::of_the_page();
    let all = tuppum_browser_tests::files_of_the_page();
    assert!(all.iter().any(|path| path.ends_with(".wasm")), "{all:?}");
    for path in all.iter().map(String::as_str).chain(["/"]) {
        // The test server sets its own `Cache-Control`.
        headers().iter().filter(|(name, _)| name != "Cache-Control").for_each(|(name, value)| {
            site.field(path, name, value);
        });
    }
    let bench = Workbench::open(Setup::new("headers").with_script(WATCH_THE_POLICY), &site, TINY_ON_CPU);
    bench.ready();
    bench.write("a-na x");
    assert!(!bench.restore().is_empty());
    bench.kept_for_offline();
    let isolated = bench.page.run("return [window.crossOriginIsolated, window.forbidden]", &[]);
    assert_eq!(isolated, json!([true, []]), "isolated, and nothing needed is forbidden");
    let console = bench.page.console();
    assert!(!console.iter().any(|line| line.contains("Content Security Policy")), "{console:?}");
}

fn addresses(value: &Value) -> Vec<String> {
    let list = value.as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|address| address.as_str().map(str::to_owned)).collect()
}
