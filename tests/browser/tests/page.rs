//! The page as a tool: conventions, addresses, tabs, the keyboard, and accessible names.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::scripts::{CONTRAST, MISNAMED};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

const TABLET: &str =
    "&P123456 = Test 1\n@obverse\n1. a-na x szar-ri\n$ 3 lines broken\n2'. um-ma [x]-ma\n#tr.en: Thus to the king";

#[test]
fn blocks_keep_their_lines_and_conventions_come_back() {
    let site = Site::of_the_page();
    // The random network alone proposes readings of every kind.
    let fragment = format!("{TINY_ON_CPU}&contexts=off");
    let bench = Workbench::open(Setup::new("conventions"), &site, &fragment);
    bench.ready();
    bench.write(TABLET);
    let reading = bench.page.wait("the reading of the tablet", SOON, |_| {
        Some(bench.shown("#reading")).filter(|reading| reading.contains("3 lines broken"))
    });
    println!("{}", reading.replace('\n', " · "));
    for part in ["P123456", "obverse", "2'", "Thus to the king"] {
        assert!(reading.contains(part), "the reading shows “{part}”: {reading}");
    }
    assert_eq!(bench.page.select("#reading .text-line").len(), 2, "two lines of text");
    assert!(!bench.restore().is_empty());

    bench.write("a-na bí-tim ù ší-na x ša qá-bi-ú");
    let written: Vec<String> = bench.restore().into_iter().map(|offer| offer.written).collect();
    println!("accents: {written:?}");
    assert!(!written.iter().any(|reading| reading.contains(['₂', '₃', '2', '3'])), "accents, not indices: {written:?}");
    assert!(written.iter().any(|reading| reading.contains(['ú', 'í', 'á', 'é', 'ù', 'ì', 'à', 'è'])), "{written:?}");
}

#[test]
fn the_address_opens_a_text_and_follows_it() {
    let site = Site::of_the_page();
    let fragment = format!("{TINY_ON_CPU}&text=a-na%20x%20%C5%A1ar-ri");
    let bench = Workbench::open(Setup::new("address"), &site, &fragment);
    assert_eq!(bench.text(), "a-na x šar-ri");
    bench.write("um-ma x-ma");
    bench.page.wait("the address to follow", SOON, |page| page.address().contains("um-ma%20x-ma").then_some(()));
    bench.page.press("button", "Copy a link");
    let link = bench.page.wait("a link", SOON, |page| Some(page.clipboard()).filter(|link| link.starts_with("http")));
    println!("{link}");
    assert!(!site.requests().iter().any(|path| path.contains("um-ma")), "the text never reaches the server");

    let before = bench.page.new_tab();
    bench.page.open(&link);
    assert_eq!(bench.text(), "um-ma x-ma", "a shared link opens the text");
    bench.ready();
    bench.write("a-na x šar-ri");
    assert_eq!(bench.restore().len(), 20, "the second tab answers");
    bench.page.go_to_tab(&before);
    bench.ready();
    assert_eq!(bench.restore().len(), 20, "so does the first, at the same time");
}

#[test]
fn a_link_followed_in_an_open_page_brings_its_decisions_and_says_when_it_was_cut() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("followed"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    let follow = |fragment: &str| bench.page.run("location.hash = arguments[0];", &[json!(fragment)]);
    let text_is = |wanted: &str| {
        bench.page.wait(&format!("the text “{wanted}”"), SOON, |_| (bench.text() == wanted).then_some(()));
    };
    follow("v=1&decisions=%7B%22left_alone%22%3A%5B1%5D%7D&text=um-x-ma%20x");
    text_is("um-x-ma x");
    bench.page.press("button", "Copy a link");
    let link = bench.page.wait("a link", SOON, |page| Some(page.clipboard()).filter(|link| link.starts_with("http")));
    assert!(link.contains("left_alone") && link.contains("um-x-ma"), "the decision came with the text: {link}");
    let page_says = || bench.page.run("return document.body.innerText;", &[]).as_str().unwrap_or_default().to_owned();
    assert!(!page_says().contains("damaged or cut"), "a whole link is not said to be damaged");

    follow("v=1&decisions=%7B%22left_al&text=a-x");
    text_is("a-x");
    bench.page.wait("word that the link was cut", SOON, |_| page_says().contains("damaged or cut").then_some(()));
    bench.page.press("button", "Close");
    follow("v=1&decisions=%7B%22left_alo&text=a-x");
    bench
        .page
        .wait("the same of the text that is open", SOON, |_| page_says().contains("damaged or cut").then_some(()));
    bench.page.press("button", "Close");
    bench.page.press("button", "Undo");
    text_is("um-x-ma x");
}

#[test]
fn a_link_of_the_text_that_is_open_brings_its_decisions_and_going_back_takes_none() {
    let site = Site::of_the_page();
    let of_sign = |sign: u32| format!("v=1&decisions=%7B%22left_alone%22%3A%5B{sign}%5D%7D&text=um-x-ma%20x");
    let bench = Workbench::open(Setup::new("same-text"), &site, &format!("{TINY_ON_CPU}&text=um-x-ma%20x"));
    let decided = |sign: u32| {
        bench.page.wait(&format!("the link of sign {sign} left alone"), SOON, |page| {
            page.press("button", "Copy a link");
            page.clipboard().contains(&format!("left_alone%22%3A%5B{sign}%5D")).then_some(())
        });
    };
    bench.page.run("location.hash = arguments[0];", &[json!(of_sign(1))]);
    decided(1);
    bench.page.run("location.hash = arguments[0];", &[json!(of_sign(3))]);
    // Before another message replaces it.
    let notice = || bench.page.run("return document.body.innerText;", &[]).to_string();
    bench.page.wait("word of it", SOON, |_| notice().contains("has taken the place").then_some(()));
    decided(3);
    bench.page.press("button", "Undo");
    decided(1);
    bench.page.press("button", "Redo");
    decided(3);

    bench.page.run("history.back();", &[]);
    bench.page.wait("the address before", SOON, |page| page.address().contains("%5B1%5D").then_some(()));
    decided(3);
    assert_eq!(bench.text(), "um-x-ma x");
}

#[test]
fn a_page_reloaded_while_typing_opens_what_was_typed() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("reload"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    assert_eq!(bench.text(), "a-na x");
    // In one script, so that nothing can be stored between the last key and the reload.
    let script = "
        const field = document.querySelector('#text');
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, arguments[0]);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        window.is_the_old_page = true;
        location.reload();";
    bench.page.run(script, &[json!("um-ma x-ma")]);
    bench.page.wait("the page to be loaded again", SOON, |page| {
        let script = "return !window.is_the_old_page && document.querySelector('#text') !== null";
        (page.try_run(script, &[]).unwrap_or_default() == json!(true)).then_some(())
    });
    assert_eq!(bench.text(), "um-ma x-ma");
}

/// A reload requests the address as it was when the reload began; by the time the page unloads, the address may have
/// changed with the work.
#[test]
fn the_address_of_a_moment_ago_opens_what_was_typed_since() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("reload-late"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    bench.write("um-ma x-ma");
    let before = bench.page.run("return location.hash", &[]);
    bench.write("um-ma x-ma-ma");
    bench
        .page
        .wait("the address to follow", SOON, |page| (page.run("return location.hash", &[]) != before).then_some(()));
    // The history entry stays one of the page's own, as in a reload; a link that the user opens takes precedence.
    let script =
        "window.is_the_old_page = true; history.replaceState(history.state, '', arguments[0]); location.reload()";
    bench.page.run(script, &[before]);
    bench.page.wait("the page to be loaded again", SOON, |page| {
        let script = "return !window.is_the_old_page && document.querySelector('#text') !== null";
        (page.try_run(script, &[]).unwrap_or_default() == json!(true)).then_some(())
    });
    assert_eq!(bench.text(), "um-ma x-ma-ma");
}

/// Going back opens the earlier text, and a reload after it keeps that text.
#[test]
fn a_reload_after_a_step_back_opens_the_text_of_the_step() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("reload-back"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    bench.page.press("link", "Models");
    bench.page.press("link", "Workbench");
    let earlier = bench.page.run("return location.hash", &[]);
    bench.write("um-ma x-ma");
    bench
        .page
        .wait("the address to follow", SOON, |page| (page.run("return location.hash", &[]) != earlier).then_some(()));
    bench.page.run("history.go(-2)", &[]);
    bench.page.wait("the text of then", SOON, |_| (bench.text() == "a-na x").then_some(()));
    bench.page.reload();
    assert_eq!(bench.text(), "a-na x");
}

#[test]
fn everything_can_be_done_from_the_keyboard() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("keyboard"), &site, TINY_ON_CPU);
    let page = &bench.page;
    let focused =
        |page: &Browser, script: &str| page.run(&format!("const e = document.activeElement; return {script}"), &[]);
    bench.field();
    page.type_keys(&keys::TAB.to_string());
    page.type_keys(&keys::ENTER.to_string());
    page.wait("the skip link to lead to the text", SOON, |page| (focused(page, "e.id") == "text").then_some(()));
    page.chord(keys::CONTROL, 'a');
    page.type_keys("a-na x szar-ri x");
    assert_eq!(bench.text(), "a-na x szar-ri x");
    page.chord(keys::SHIFT, keys::ENTER);
    let offers = bench.answered();
    for _ in 0..200 {
        if focused(page, "e.matches('#reading .gap')") == json!(true) {
            break;
        }
        page.type_keys(&keys::TAB.to_string());
    }
    let rank = |page: &Browser| focused(page, "e.closest('tr')?.dataset.rank");
    page.type_keys(&keys::ENTER.to_string());
    page.wait("Enter on a gap to lead to its first proposal", SOON, |page| (rank(page) == "1").then_some(()));
    page.type_keys(&keys::ESCAPE.to_string());
    assert_eq!(focused(page, "e.matches('#reading .gap')"), json!(true), "Escape leads back to the gap");
    page.type_keys(&keys::ENTER.to_string());
    page.wait("the first proposal", SOON, |page| (rank(page) == "1").then_some(()));
    page.type_keys(&format!("{}{}{}", keys::DOWN, keys::DOWN, keys::UP));
    assert_eq!(rank(page), "2", "arrows walk through the proposals");
    page.type_keys(&keys::ENTER.to_string());
    page.wait("the second proposal to be accepted", SOON, |_| (bench.accepted() == 1).then_some(()));
    let reading = bench.shown("#reading .accepted");
    println!("accepted {reading}, proposed {}", offers[1].written);
    bench.settled();
    assert_eq!(rank(page), "2", "the focus stays, though the table was renewed");
    page.run("document.activeElement?.blur()", &[]);
    page.chord(keys::CONTROL, 'z');
    page.wait("the gap to be open again", SOON, |_| (bench.accepted() == 0).then_some(()));
}

#[test]
fn undo_in_the_text_takes_back_what_was_done_last() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("undo-in-text"), &site, TINY_ON_CPU);
    let page = &bench.page;
    bench.write("a-na x szar-ri");
    bench.restore();
    bench.accept(1);
    page.click(&bench.field());
    page.chord(keys::CONTROL, 'z');
    page.wait("the gap to be open again", SOON, |_| (bench.accepted() == 0).then_some(()));
    assert_eq!(bench.text(), "a-na x szar-ri", "the text stands as typed");
    page.chord(keys::CONTROL, 'y');
    page.wait("the reading to be accepted again", SOON, |_| (bench.accepted() == 1).then_some(()));
    bench.settled();
    page.type_keys(&keys::END.to_string());
    page.type_keys("-ma");
    page.wait("what was typed", SOON, |_| (bench.text() == "a-na x szar-ri-ma").then_some(()));
    page.chord(keys::CONTROL, 'z');
    page.wait("typing to be taken back", SOON, |_| (bench.text() == "a-na x szar-ri").then_some(()));
    assert_eq!(bench.accepted(), 1, "typing alone is taken back");
    let caret = "return document.querySelector('#text').selectionStart";
    page.wait("the caret to be where the text changed", SOON, |page| (page.run(caret, &[]) == 14).then_some(()));
    page.chord(keys::CONTROL, 'z');
    page.wait("the reading to be taken back next", SOON, |_| (bench.accepted() == 0).then_some(()));
    assert_eq!(bench.text(), "a-na x szar-ri");
    page.chord(keys::CONTROL, 'z');
    page.wait("what was pasted to be taken back last", SOON, |_| (bench.text() != "a-na x szar-ri").then_some(()));
    page.chord(keys::CONTROL, 'y');
    page.wait("and to come again", SOON, |_| (bench.text() == "a-na x szar-ri").then_some(()));
}

#[test]
fn everything_has_a_name() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("page-names"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write("a-na x szar-ri x\n2. [...] ma-na");
    bench.restore();
    let page = &bench.page;
    let mut checked = 0;
    for element in page.select("button, input, select, textarea, a[href], summary, progress") {
        let seen = page.run("return arguments[0].checkVisibility({ visibilityProperty: true })", &[element.to_json()]);
        if seen != json!(true) {
            continue;
        }
        checked += 1;
        let source = page.run("return arguments[0].outerHTML.slice(0, 200)", &[element.to_json()]);
        assert!(!page.name_of(&element).trim().is_empty(), "no accessible name: {source}");
    }
    println!("{checked} controls have names");
    page.run("document.querySelector('#palette').open = true", &[]);
    // A gap is an x on the page, and its accessible name describes it.
    assert_eq!(page.run(MISNAMED, &[json!("#reading")]), json!([]), "a name lacks what is seen");
    targets_are_large_enough(&bench);
    assert!(checked > 20, "only {checked} controls were found");
    assert_eq!(page.select("h1").len(), 1, "one heading of the first level");
    assert_eq!(page.select("main").len(), 1, "one main part");
    assert_eq!(page.run("return document.documentElement.lang", &[]), "en");
    let twice = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        return ids.filter((id, place) => ids.indexOf(id) !== place)";
    assert_eq!(page.run(twice, &[]), json!([]), "an id stands once");
    small_text_is_legible(&bench);
}

/// Buttons of joint readings have one or two letters: 24 pixels each way with a mouse, 44 with a finger.
fn targets_are_large_enough(bench: &Workbench) {
    let page = &bench.page;
    let script = "return [...document.querySelectorAll('.joint-reading button')]
        .map(one => one.getBoundingClientRect()).map(at => Math.min(at.width, at.height))";
    let smallest = |page: &Browser| {
        let sides = page.run(script, &[]);
        let sides = sides.as_array().expect("joint readings").iter().filter_map(Value::as_f64);
        sides.min_by(f64::total_cmp).expect("a joint reading")
    };
    assert!(smallest(page) >= 24.0, "{} pixels", smallest(page));
    page.set_screen(390, 844, true);
    page.come_to_rest();
    assert_eq!(page.run("return matchMedia('(pointer: coarse)').matches", &[]), json!(true), "a phone has fingers");
    assert!(smallest(page) >= 44.0, "{} pixels on a phone", smallest(page));
    page.set_screen(1280, 900, false);
    page.come_to_rest();
}

fn small_text_is_legible(bench: &Workbench) {
    for dark in [false, true] {
        bench.page.set_dark(dark);
        let poor = bench.page.run(CONTRAST, &[]);
        assert_eq!(poor, json!([]), "too little contrast ({})", if dark { "dark" } else { "light" });
    }
}
