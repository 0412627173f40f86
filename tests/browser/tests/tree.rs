//! The sign tree as a user works with it: search, click, drag, keys, links, files.

use serde_json::json;
use tuppum_browser_tests::browser::{Browser, Setup, keys};
use tuppum_browser_tests::scripts::{CONTRAST, NO_SERVICE_WORKER};
use tuppum_browser_tests::sign_tree::{SignTree, to};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

const TABLE: &str = "/hierarchy/tree.tsv";

/// Script that keeps the files passed to the browser's downloads in `window.files`.
const KEEP_FILES: &str = "window.files = []; const make = URL.createObjectURL;
    URL.createObjectURL = blob => { window.files.push(blob); return make.call(URL, blob); };";

#[test]
fn the_tree_opens_beside_the_workbench_and_both_keep_their_place() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("views"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    assert_eq!(bench.text(), "a-na x");
    bench.page.press("link", "Sign tree");
    bench.page.wait("the address of the tree", SOON, |page| page.address().contains("#view=tree").then_some(()));
    let tree = SignTree { page: bench.page };
    println!("{} nodes drawn", tree.drawn());
    assert!(tree.page.all("textbox", "Transliteration").is_empty(), "the workbench is put away");
    assert!(!site.requests().iter().any(|path| path.contains("a-na")));
    tree.search("sza2");
    tree.page.type_keys(&keys::ENTER.to_string());
    tree.page.wait("a node to be chosen", SOON, |_| tree.chosen().contains("ša₂").then_some(()));
    tree.page.wait("the address to follow", SOON, |page| page.address().contains("node=").then_some(()));
    tree.page.press("link", "Workbench");
    let bench = Workbench { page: tree.page };
    assert_eq!(bench.text(), "a-na x", "the work is as it was");
    bench.page.wait("the address of the text", SOON, |page| page.address().contains("text=a-na%20x").then_some(()));
    bench.page.run("history.back()", &[]);
    let tree = SignTree { page: bench.page };
    tree.drawn();
    assert!(tree.chosen().contains("ša₂"), "back leads to the same node: {}", tree.chosen());
}

#[test]
fn a_search_in_any_convention_leads_to_the_node() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-search"), &site, "");
    for (query, first) in [("KA", "KA"), ("𒀭", "AN"), ("sza2", "ša₂"), ("šá", "ša₂"), ("lugal", "LUGAL")] {
        tree.search(query);
        let results = tree.page.wait("results", SOON, |_| {
            Some(tree.results())
                .filter(|results| results.first().is_some_and(|row| row.split_whitespace().any(|word| word == first)))
        });
        println!("{query}: {}", results[0]);
    }
    tree.search("KA");
    tree.page.wait("KA", SOON, |_| tree.results().first().filter(|row| row.starts_with("KA")).map(|_| ()));
    tree.page.press("button", "KA");
    tree.chooses("KA");
    tree.centred();
    let details = tree.shown("#tree-details");
    assert!(details.contains("ka (") && details.contains('𒅗'), "glyph and readings with counts: {details}");
    assert!(tree.shown("#tree-ancestors").contains("All signs"));
    tree.search("qqqq");
    tree.page.wait("nothing to be found", SOON, |page| page.visible_text().contains("Nothing fits").then_some(()));
}

#[test]
fn the_wheel_scrolls_the_page_and_zooms_with_ctrl_held() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-wheel"), &site, "&node=AN");
    tree.chooses("AN");
    let (x, y, _) = tree.middle();
    let scrolled = |page: &Browser| page.run("return scrollY", &[]).as_f64().expect("a place");
    let before = scrolled(&tree.page);
    tree.page.turn_wheel(x, y, 200);
    tree.page.wait("the page to scroll", SOON, |page| (scrolled(page) > before).then_some(()));
    tree.page.scrolled_to_rest();
    assert!(tree.data("middle").ends_with(",1.000"), "the picture stays: {}", tree.data("middle"));
    let turn = "const turn = new WheelEvent('wheel',
            { deltaY: -300, ctrlKey: true, bubbles: true, cancelable: true });
        document.querySelector('#disk').dispatchEvent(turn);
        return turn.defaultPrevented";
    assert_eq!(tree.page.run(turn, &[]), json!(true), "the page does not zoom as well");
    tree.page.wait("three notches", SOON, |_| tree.data("middle").ends_with(",2.197").then_some(()));
    assert!(tree.shown("#disk-keys").contains("with Ctrl"), "it is said: {}", tree.shown("#disk-keys"));

    tree.page.run("scrollTo({ top: 0, behavior: 'instant' })", &[]);
    tree.search("KA");
    tree.page.wait("KA", SOON, |_| tree.results().first().filter(|row| row.starts_with("KA")).map(|_| ()));
    tree.page.press("button", "KA");
    tree.chooses("KA");
    tree.centred();
    assert!(tree.data("middle").ends_with(",1.000"), "what is found is seen with its surroundings");
}

#[test]
fn a_phone_hears_of_fingers() {
    let site = Site::of_the_page();
    let page = Setup::new("tree-fingers").start();
    page.set_screen(390, 844, true);
    page.open(&site.url("view=tree"));
    let tree = SignTree { page };
    tree.drawn();
    let told = tree.shown("#disk-keys");
    assert!(told.contains("two fingers") && !told.contains("wheel"), "{told}");
    let swipes = "return getComputedStyle(document.querySelector('#disk')).touchAction";
    assert_eq!(tree.page.run(swipes, &[]), json!("pan-x pan-y"), "one finger scrolls the page");
}

#[test]
fn what_is_dragged_stays_after_a_reload() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-drag"), &site, "&node=AN");
    tree.chooses("AN");
    assert_eq!(tree.from_middle(), 0.0);
    tree.drag(120, -60);
    let away = tree.page.wait("the node to move", SOON, |_| Some(tree.from_middle()).filter(|away| *away > 0.3));
    tree.page.press("radio", "Klein");
    tree.page.press("button", "Zoom in");
    tree.page.press("button", "Measure from here");
    let address = tree.page.wait("the address to follow", SOON, |page| {
        Some(page.address())
            .filter(|at| ["at=", "map=klein", "zoom=1.3", "from=AN"].iter().all(|part| at.contains(part)))
    });
    println!("{address}");
    let middle = tree.data("middle");
    tree.page.reload();
    tree.drawn();
    tree.chooses("AN");
    assert!((tree.from_middle() - away).abs() < 0.015, "{} after the reload, {away} before", tree.from_middle());
    let numbers = |text: &str| -> Vec<f64> { text.split(',').map(|number| number.parse().unwrap()).collect() };
    for (before, after) in numbers(&middle).iter().zip(numbers(&tree.data("middle"))) {
        assert!((before - after).abs() < 2e-3, "{middle} became {}", tree.data("middle"));
    }
    assert_eq!(tree.page.run("return document.querySelector('[name=tree-model]:checked').value", &[]), "klein");
    assert!(tree.shown("#tree-distance").contains("Measuring from AN"));

    // Moving back the same way brings the node back.
    tree.page.press("radio", "Poincaré");
    tree.page.press("button", "To the root");
    tree.chooses("");
    tree.centred();
    tree.drag(80, 50);
    tree.page.wait("the root to move", SOON, |_| (tree.from_middle() > 0.2).then_some(()));
    let (x, y, _) = tree.middle();
    let press = |kind: &str| json!({ "type": kind, "button": 0 });
    tree.page.mouse(&[to(x + 80, y + 50), press("pointerDown"), to(x + 30, y + 20), to(x, y), press("pointerUp")]);
    tree.page.wait("the root to be back", SOON, |_| (tree.from_middle() < 0.02).then_some(()));
}

#[test]
fn a_click_on_a_node_brings_it_to_the_middle() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-click"), &site, "&node=AN");
    let (x, y, half) = tree.middle();
    let node = |tree: &SignTree| {
        let node = tree.page.run("return document.querySelector('#disk-hover')?.dataset.node ?? ''", &[]);
        node.as_str().unwrap_or_default().to_owned()
    };
    let own = tree.page.run("return document.querySelector('#tree-ancestors [aria-current]').dataset.node", &[]);
    // Tries places on the disk until the pointer is on another node.
    let found = (0..400).find_map(|step| {
        let (angle, far) = (f64::from(step) * 0.31, 0.3 + 0.6 * f64::from(step) / 400.0);
        let at = (x + (angle.cos() * far * half as f64) as i64, y + (angle.sin() * far * half as f64) as i64);
        tree.page.mouse(&[to(at.0, at.1)]);
        Some((at, node(&tree))).filter(|(_, node)| !node.is_empty() && *node != own)
    });
    let ((x, y), number) = found.expect("a node under the pointer");
    println!("over {}", tree.shown("#disk-hover").replace('\n', " · "));
    assert!(tree.shown("#disk-hover").contains("from the middle"));
    tree.page.mouse(&[
        to(x, y),
        json!({ "type": "pointerDown", "button": 0 }),
        json!({ "type": "pointerUp", "button": 0 }),
    ]);
    let chosen = format!("return document.querySelector('#tree-ancestors [aria-current]').dataset.node === '{number}'");
    tree.page.wait("the node to be chosen", SOON, |page| (page.run(&chosen, &[]) == json!(true)).then_some(()));
    tree.centred();
}

#[test]
fn the_keys_walk_the_tree() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-keys"), &site, "");
    tree.focus();
    let press = |key: char| tree.page.type_keys(&key.to_string());
    press(keys::DOWN);
    let first = tree.page.wait("the first sign", SOON, |_| Some(tree.chosen()).filter(|chosen| !chosen.is_empty()));
    press(keys::RIGHT);
    let second = tree.page.wait("the second", SOON, |_| Some(tree.chosen()).filter(|chosen| *chosen != first));
    press(keys::LEFT);
    tree.chooses(&first);
    press(keys::RIGHT);
    press(keys::DOWN);
    let reading = tree.page.wait("its reading", SOON, |_| Some(tree.chosen()).filter(|chosen| chosen.contains('/')));
    assert!(reading.starts_with(&format!("{second}/")), "{reading} is below {second}");
    press(keys::ENTER);
    tree.centred();
    assert!(
        tree.shown("#tree-said").contains(reading.split('/').nth(1).unwrap_or_default()),
        "it is told to those who hear"
    );
    press(keys::UP);
    tree.chooses(&second);
    press('+');
    tree.page.wait("the zoom", SOON, |_| tree.data("middle").ends_with(",1.300").then_some(()));
    press(keys::HOME);
    tree.chooses("");
    tree.centred();
    assert!(tree.data("middle").ends_with(",1.000"));
    // The same without the disk, by the table.
    tree.page.press("button", &first);
    tree.chooses(&first);
    tree.page.press("button", "One up");
    tree.chooses("");
}

#[test]
fn distances_and_files() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-files").with_script(KEEP_FILES), &site, "&node=AN");
    tree.page.press("button", "Measure from here");
    tree.search("KA");
    tree.page.wait("KA", SOON, |_| tree.results().first().filter(|row| row.starts_with("KA")).map(|_| ()));
    tree.page.press("button", "Go to the first");
    let measured = tree.page.wait("a distance", SOON, |_| {
        Some(tree.shown("#tree-distance")).filter(|shown| shown.contains("From AN to KA"))
    });
    println!("{measured}");
    assert!(measured.contains("2 steps in the tree"));
    tree.centred();
    tree.page.press("button", "Save as SVG");
    tree.page.wait("the confirmation", SOON, |page| page.visible_text().contains("sign-tree.svg saved").then_some(()));
    tree.page.press("button", "Save as PNG");
    tree.page.wait("the confirmation", SOON, |page| page.visible_text().contains("sign-tree.png saved").then_some(()));
    let svg = tree.page.run("return window.files[0].text()", &[]);
    let svg = svg.as_str().unwrap_or_default();
    assert!(svg.starts_with("<svg") && svg.contains(">KA 𒅗</text>"), "{svg:.300}");
    let kinds = "return window.files.map(file => file.type)";
    assert_eq!(tree.page.run(kinds, &[]), json!(["image/svg+xml", "image/png"]));
    let whole =
        "return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelector('parsererror') === null";
    assert_eq!(tree.page.run(whole, &[json!(svg)]), true, "the SVG is well formed");
}

#[test]
fn a_tree_that_does_not_arrive_can_be_asked_for_again() {
    let site = Site::of_the_page();
    site.alter(TABLE, |_| b"<html>a captive portal</html>".to_vec());
    let page = Setup::new("tree-failed").with_script(NO_SERVICE_WORKER).start();
    page.open(&site.url("view=tree"));
    let failed = page.wait("the failure", SOON, |page| page.all("alert", "").first().map(|one| page.text_of(one)));
    assert!(failed.contains("could not be opened"), "{failed}");
    site.restore(TABLE);
    page.press("button", "Try again");
    let tree = SignTree { page };
    println!("{} nodes drawn", tree.drawn());
    assert!(tree.page.all("alert", "").is_empty());
}

#[test]
fn the_tree_opens_without_a_network() {
    let mut site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-offline"), &site, "");
    let bench = Workbench { page: tree.page };
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    let tree = SignTree { page: bench.page };
    println!("{} nodes drawn", tree.drawn());
}

#[test]
fn everything_has_a_name_a_colour_and_room() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-names"), &site, "&node=AN");
    tree.page.press("button", "Measure from here");
    tree.search("an");
    let mut checked = 0;
    for element in tree.page.select("button, input, select, textarea, a[href], summary, canvas") {
        let seen =
            tree.page.run("return arguments[0].checkVisibility({ visibilityProperty: true })", &[element.to_json()]);
        if seen != json!(true) {
            continue;
        }
        checked += 1;
        let source = tree.page.run("return arguments[0].outerHTML.slice(0, 200)", &[element.to_json()]);
        assert!(!tree.page.name_of(&element).trim().is_empty(), "no accessible name: {source}");
    }
    assert!(checked > 20, "only {checked} controls were found");
    let seen = "return [...document.querySelectorAll('main')].filter(one => one.checkVisibility()).length";
    assert_eq!(tree.page.run(seen, &[]), 1, "one main part is seen");
    let twice = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        return ids.filter((id, place) => ids.indexOf(id) !== place)";
    assert_eq!(tree.page.run(twice, &[]), json!([]), "an id stands once");
    for dark in [false, true] {
        tree.page.set_dark(dark);
        assert_eq!(tree.page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }
    tree.page.set_screen(390, 844, true);
    tree.page.come_to_rest();
    let wide = tree.page.run("return document.documentElement.scrollWidth", &[]);
    assert!(wide.as_u64().is_some_and(|wide| wide <= 390), "{wide} pixels wide on a phone");
}

#[test]
fn nothing_moves_where_stillness_is_asked_for() {
    let site = Site::of_the_page();
    let tree = SignTree::open(Setup::new("tree-still"), &site, "");
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    tree.page.devtools("Emulation.setEmulatedMedia", &still);
    // No frame passes within one script, and yet the node is at its destination.
    let script = "document.querySelector('#tree-table button').click();
        return Promise.resolve().then(() => new Promise(done => setTimeout(done)))
            .then(() => document.querySelector('#from-middle').innerText)";
    assert_eq!(tree.page.run(script, &[]), "0.00");
}
