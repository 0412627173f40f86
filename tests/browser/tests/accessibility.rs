//! Accessibility rules that a program can check (axe-core: WCAG 2.2, levels A and AA), on every view, wide and narrow,
//! light and dark.

use serde_json::Value;
use std::path::PathBuf;
use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

/// Names of the links to the views.
const VIEWS: [&str; 6] = ["Workbench", "Sign tree", "Attention", "Learn", "Train", "Models"];
const RULES: [&str; 5] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/// Returns axe-core as `cargo xtask test` provides it; without it nothing is checked, and the test says so.
fn axe() -> Option<String> {
    let file = std::env::var_os("AXE").map(PathBuf::from)?;
    Some(std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

#[test]
fn no_view_breaks_a_rule() {
    let Some(axe) = axe() else {
        return println!("NOT RUN: axe-core is not there; `cargo xtask test` fetches it and sets AXE");
    };
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("accessibility"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write("1. IGI {m}a-šur-ta-ak-la-ku");
    bench.click("#new-text");
    bench.click("#shelf-button");
    bench.page.wait("the list of the shelf", SOON, |page| page.select("#shelf li").into_iter().next());
    bench.write("&P000001 = A letter\n1. a-na x be-li₂-ia x\n2. um-ma [...] ARAD-ka-ma");
    bench.restore();
    bench.accept(1);
    let mut broken = Vec::new();
    for (width, height, phone) in [(1440, 900, false), (390, 844, true)] {
        bench.page.set_screen(width, height, phone);
        for dark in [false, true] {
            bench.page.set_dark(dark);
            for view in VIEWS {
                bench.page.press("link", view);
                bench.page.wait("the view", SOON, |page| page.run(SHOWN, &[]).as_bool().filter(|shown| *shown));
                bench.page.come_to_rest();
                let found = violations(&bench.page, &axe);
                broken.extend(found.into_iter().map(|one| format!("{view}, {width}, dark {dark}: {one}")));
            }
        }
    }
    assert!(broken.is_empty(), "{} broken rules:\n{}", broken.len(), broken.join("\n"));
}

/// Script that returns `true` if a view is drawn: each has a heading or a field of its own.
const SHOWN: &str = "return [...document.querySelectorAll('main')].some(main => main.checkVisibility())";

/// Returns every violated rule, with the elements.
fn violations(page: &Browser, axe: &str) -> Vec<String> {
    let rules = RULES.map(|rule| format!("'{rule}'")).join(",");
    let script = format!(
        "{axe};
        return axe.run(document, {{ runOnly: [{rules}] }}).then(found => found.violations.flatMap(rule =>
            rule.nodes.map(node => `${{rule.id}} at ${{node.target.join(' ')}}: ${{node.failureSummary}}`)))"
    );
    let found = page.run(&script, &[]);
    let one = |one: &Value| one.as_str().unwrap_or_default().replace('\n', " ");
    found.as_array().map(|all| all.iter().map(one).collect()).unwrap_or_default()
}
