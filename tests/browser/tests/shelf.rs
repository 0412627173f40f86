//! Several texts: put on the shelf, taken back with all work on them, deleted; and a browser whose storage is full.

use serde_json::json;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

const LETTER: &str = "1. um-ma a-šur-i-di₂-ma\n2. a-na x qi₂-bi₄-ma";
const NOTE: &str = "&P361583 = a debt note\n1. IGI {m}a-šur-ta-ak-la-ku";

/// Returns the texts on the shelf, as the list shows them; unfolds the list if necessary.
fn listed(bench: &Workbench) -> Vec<String> {
    let closed = "return document.querySelector('#shelf-button').getAttribute('aria-expanded') === 'false'";
    if bench.page.run(closed, &[]) == json!(true) {
        bench.click("#shelf-button");
        bench.page.wait("the list", SOON, |page| page.select("#shelf ul").into_iter().next());
    }
    let script = "return [...document.querySelectorAll('#shelf li')].map(row => row.innerText.replaceAll('\\n', ' '))";
    let rows = bench.page.run(script, &[]);
    rows.as_array().into_iter().flatten().filter_map(|row| row.as_str().map(str::to_owned)).collect()
}

/// Returns the id of the focused element.
fn focused(bench: &Workbench) -> String {
    bench.page.run("return document.activeElement?.id ?? ''", &[]).as_str().unwrap_or_default().to_owned()
}

fn take(bench: &Workbench, name: &str, text: &str) {
    listed(bench);
    bench.page.press("button", name);
    bench.page.wait("the text on the workbench", SOON, |_| (bench.text() == text).then_some(()));
}

#[test]
fn each_text_comes_back_as_it_was_left() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shelf"), &site, TINY_ON_CPU);
    bench.ready();
    bench.click("#new-text");
    assert_eq!((bench.text().as_str(), focused(&bench).as_str()), ("", "text"));
    assert_eq!(listed(&bench).len(), 0, "an example that nobody touched is not put by");

    bench.write(LETTER);
    bench.restore();
    bench.accept(1);
    bench.click("#new-text");
    assert_eq!(bench.text(), "");
    bench.write(NOTE);
    let rows = listed(&bench);
    assert!(rows.len() == 1 && rows[0].contains("2 lines · 1 reading accepted"), "{rows:?}");

    take(&bench, "um-ma a-šur-i-di₂-ma", LETTER);
    assert_eq!(bench.accepted(), 1, "with its reading");
    let rows = listed(&bench);
    assert!(rows.iter().any(|row| row.starts_with("P361583")), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("on the workbench") && row.contains("um-ma")), "{rows:?}");
    bench.click("#undo");
    bench.page.wait("its steps", SOON, |_| (bench.accepted() == 0).then_some(()));

    let longer = format!("{LETTER}\n3. a-na be-li₂-ia");
    bench.write(&longer);
    bench.page.reload();
    bench.ready();
    assert_eq!(bench.text(), longer);
    take(&bench, "P361583", NOTE);
    take(&bench, "um-ma a-šur-i-di₂-ma", &longer);
    assert_eq!(listed(&bench).len(), 2, "the edited text is the same text");

    bench.page.press("button", "Delete P361583 …");
    bench.click("#shelf-delete");
    bench.page.wait("the list without it", SOON, |_| (listed(&bench).len() == 1).then_some(()));
    bench.page.wait("the focus on the shelf", SOON, |_| (focused(&bench) == "shelf-button").then_some(()));
    bench.page.reload();
    bench.ready();
    assert_eq!(listed(&bench).len(), 1, "it is gone for good");
}

#[test]
fn a_text_that_was_overwritten_stays_on_the_shelf() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shelf-overwritten"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.click("#new-text");
    take(&bench, "um-ma a-šur-i-di₂-ma", LETTER);
    bench.write(NOTE);
    bench.click("#new-text");
    let rows = listed(&bench);
    assert!(rows.len() == 2 && rows.iter().any(|row| row.starts_with("um-ma")), "{rows:?}");
}

#[test]
fn what_another_tab_wrote_is_not_written_over() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shelf-tabs"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.click("#new-text");
    take(&bench, "um-ma a-šur-i-di₂-ma", LETTER);
    let elsewhere = "const key = Object.keys(localStorage).find(key => key.startsWith('tuppum.shelf'));
        const text = JSON.parse(localStorage.getItem(key));
        text.history.present.text += '\\n3. a-na be-li₂-ia';
        text.lines = 3;
        localStorage.setItem(key, JSON.stringify(text));";
    bench.page.run(elsewhere, &[]);
    bench.page.reload();
    bench.ready();
    assert_eq!(bench.text(), LETTER);
    let rows = listed(&bench);
    assert!(rows.len() == 1 && rows[0].contains("3 lines"), "theirs stays: {rows:?}");
    bench.click("#new-text");
    let rows = listed(&bench);
    assert!(rows.len() == 2 && rows.iter().any(|row| row.contains("2 lines")), "and so does this tab's: {rows:?}");
}

#[test]
fn without_room_the_text_stays_on_the_workbench() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shelf-full"), &site, TINY_ON_CPU);
    bench.ready();
    let refuse = "const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) {
            if (key.startsWith('tuppum.shelf')) throw new Error('no room');
            return set.call(this, key, value);
        }";
    bench.page.run(refuse, &[]);
    bench.write(LETTER);
    bench.click("#new-text");
    bench.sees("There is no room for “um-ma a-šur-i-di₂-ma” on the shelf: no room.");
    assert_eq!(bench.text(), LETTER);
    assert_eq!(listed(&bench).len(), 0);
}

#[test]
fn work_that_links_displace_is_on_the_shelf() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("shelf-link"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.page.wait("the work to be stored", SOON, |page| {
        let script = "return (localStorage.getItem('tuppum.work.1') ?? '').includes('qi₂-bi₄-ma')";
        (page.run(script, &[]) == json!(true)).then_some(())
    });
    // Two links one after the other: each replaces the present text, the second one the text of the first.
    for text in ["a-na%20x", "IGI%20x"] {
        bench.page.open("about:blank");
        bench.page.open(&site.url(&format!("{TINY_ON_CPU}&text={text}")));
        bench.ready();
    }
    assert!(bench.shown("#previous").contains("is on the shelf"), "{}", bench.shown("#previous"));
    let rows = listed(&bench);
    assert!(rows.len() == 2 && rows.iter().any(|row| row.starts_with("um-ma a-šur-i-di₂-ma")), "{rows:?}");
    take(&bench, "um-ma a-šur-i-di₂-ma", LETTER);
}
