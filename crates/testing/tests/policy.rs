//! The content security policy must be complete in the page, and the same in the headers for each kind of host.

use std::collections::BTreeMap;
use tuppum_testing::project;

/// All directives that limit where something may be loaded from or sent to; `default-src` would replace most of them.
const DIRECTIVES: [&str; 17] = [
    "base-uri",
    "child-src",
    "connect-src",
    "default-src",
    "font-src",
    "form-action",
    "frame-src",
    "img-src",
    "manifest-src",
    "media-src",
    "object-src",
    "script-src",
    "script-src-attr",
    "style-src",
    "style-src-attr",
    "worker-src",
    "frame-ancestors",
];

fn read(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn directives(policy: &str) -> BTreeMap<String, String> {
    let parts = policy.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_once(' ').unwrap_or((part, "")))
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

/// Returns the policy in the page itself.
fn of_the_page() -> BTreeMap<String, String> {
    let page = read("index.html");
    let meta = page.split("http-equiv=\"Content-Security-Policy\"").nth(1).unwrap_or_else(|| panic!("no policy"));
    directives(meta.split("content=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default())
}

/// Returns the headers of `_headers`, by name.
fn headers() -> BTreeMap<String, String> {
    let text = read("public/_headers");
    let lines = text.lines().filter(|line| line.starts_with("  ")).filter_map(|line| line.trim().split_once(": "));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn the_page_names_every_directive() {
    let mut expected = DIRECTIVES.to_vec();
    // A policy in a page cannot restrict framing.
    expected.retain(|name| *name != "frame-ancestors");
    expected.sort_unstable();
    let page = of_the_page();
    assert_eq!(page.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(page["default-src"], "'none'");
    for (name, value) in &page {
        assert!(!value.contains("unsafe-inline") && !value.contains("'unsafe-eval'"), "{name} {value}");
        assert!(!value.contains("http:") && !value.contains('*'), "{name} {value}");
    }
}

#[test]
fn the_headers_say_what_the_page_says_and_who_may_frame_it() {
    let mut header = directives(&headers()["Content-Security-Policy"]);
    assert_eq!(header.remove("frame-ancestors").as_deref(), Some("'none'"));
    // The worker may contact the hub that the user chooses; the page's own policy limits the page to its server.
    assert_eq!(header.insert("connect-src".into(), "'self'".into()).as_deref(), Some("'self' https:"));
    assert_eq!(header, of_the_page());
}

#[test]
fn apache_is_told_the_same() {
    let text = read("public/.htaccess");
    let set = text.lines().filter_map(|line| line.trim().strip_prefix("Header always set "));
    let told: BTreeMap<String, String> = set
        .filter_map(|line| line.split_once(' '))
        .map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned()))
        .collect();
    assert_eq!(told, headers());
}
