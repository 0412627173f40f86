//! The attention maps as a user works with them: hover, keys, menus, sliders, files. With the tiny random translator.

use serde_json::json;
use tuppum_browser_tests::attention::Attention;
use tuppum_browser_tests::browser::{Setup, keys};
use tuppum_browser_tests::scripts::CONTRAST;
use tuppum_browser_tests::sign_tree::to;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::SOON;

/// Script that keeps the files passed to the browser's downloads in `window.files`.
const KEEP_FILES: &str = "window.files = []; const make = URL.createObjectURL;
    URL.createObjectURL = blob => { window.files.push(blob); return make.call(URL, blob); };";

/// A letter of at least 480 bytes.
const LONG: &str =
    "um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma 1 ma-na KU₃.BABBAR ṣa-ru-pa₂-am ša a-na a-wi-tim i-di₂-nu-ni ";

#[test]
fn the_example_opens_with_the_bias_off_and_on_and_their_difference() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention"), &site, "");
    let read = maps.shown("#attention-read");
    assert!(read.contains("a-na {d}UTU be-li₂-ni"), "{read}");
    // The tokens: `a - na ␣ {d} UTU ␣ be - li₂ - ni
    // `.
    assert_eq!(maps.drawn(), [169; 3]);
    let shares = maps.rows("#attention-shares");
    println!("{shares:#?}");
    assert!(shares[0].starts_with("{d} to UTU") && shares[1].starts_with("UTU to {d}"), "{shares:?}");
    assert!(shares[2].starts_with("a byte of a sign"));
    // Both maps have the same scale, and the second layer of this translator has no bias of its own.
    maps.page.press("radio", "Words");
    maps.page.wait("words", SOON, |_| (maps.drawn() == [36; 3]).then_some(()));
    maps.page.press("radio", "Bytes");
    maps.page.wait("bytes", SOON, |_| (maps.drawn() == [24 * 24; 3]).then_some(()));
    maps.says("“a” attends to “a”");
}

#[test]
fn keys_and_pointer_name_both_signs_and_the_value() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-keys"), &site, "");
    maps.focus("#attention-on");
    let press = |key: char| maps.page.type_keys(&key.to_string());
    (0..4).for_each(|_| press(keys::DOWN));
    (0..5).for_each(|_| press(keys::RIGHT));
    let value = maps.says("“{d}” attends to “UTU”");
    println!("{value}");
    assert!(value.contains("on the left") && value.contains("on the right"));
    assert_eq!(maps.attribute("#attention-maps", "data-cursor"), "4,5");
    assert!(maps.shown("#row-title").contains("{d}"));
    press(keys::HOME);
    maps.says("“a” attends to “a”");
    // The pointer shows the same value, and leaves the cursor in place. Only after two frames does the browser
    // determine what lies under the pointer where it was scrolled to.
    let script = "const map = document.querySelector('#attention-off');
        map.scrollIntoView({ block: 'center', behavior: 'instant' });
        const frame = () => new Promise(requestAnimationFrame);
        return frame().then(frame).then(() => {
            const a = map.getBoundingClientRect();
            return [a.x + a.width - 8, a.y + a.height - 8].map(Math.round);
        })";
    let at = maps.page.run(script, &[]);
    let (x, y) = (at[0].as_i64().unwrap_or(0), at[1].as_i64().unwrap_or(0));
    maps.page.mouse(&[to(x - 3, y - 3), to(x, y)]);
    maps.says("the end of the text attends to the end of the text");
    assert_eq!(maps.attribute("#attention-maps", "data-cursor"), "0,0");
    maps.page.mouse(&[json!({ "type": "pointerDown", "button": 0 }), json!({ "type": "pointerUp", "button": 0 })]);
    maps.page.wait("the cell to be chosen", SOON, |_| {
        (maps.attribute("#attention-maps", "data-cursor") == "12,12").then_some(())
    });
}

#[test]
fn the_bias_is_turned_up_and_back_live() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-alpha"), &site, "");
    let right = |maps: &Attention| maps.rows("#attention-shares").join("\n");
    let learnt = right(&maps);
    maps.slide("#alpha-right", 1.0);
    let strong = maps.page.wait("another share", SOON, |_| Some(right(&maps)).filter(|row| *row != learnt));
    println!("{learnt}\n{strong}");
    assert!(maps.shown("#attention-maps").contains("α 1.000"));
    maps.slide("#alpha-right", 0.0);
    let zeros = |table: &str| table.lines().all(|row| row.contains("\t0.0\t"));
    maps.page.wait("no difference", SOON, |_| zeros(&right(&maps)).then_some(()));
    maps.page.press("button", "As learnt");
    maps.page.wait("the learnt strength again", SOON, |_| (right(&maps) == learnt).then_some(()));
    maps.slide("#alpha-left", 1.0);
    maps.page
        .wait("two strengths", SOON, |_| maps.shown("#attention-maps").contains("Bias with α 1.000").then_some(()));
}

#[test]
fn kinds_layers_and_heads_are_asked_for_and_stay_in_the_address() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-kinds"), &site, "");
    maps.choose("#attention-layer", "2");
    maps.choose("#attention-head", "3");
    maps.page.wait("the address to follow", SOON, |page| {
        let at = page.address();
        (at.contains("layer=2") && at.contains("head=3")).then_some(())
    });
    maps.choose("#attention-kind", "cross");
    maps.page
        .wait("cross attention", SOON, |_| (maps.attribute("#attention-maps", "data-kind") == "cross").then_some(()));
    maps.drawn();
    maps.page.wait("what is written", SOON, |_| {
        maps.shown("#attention-written").contains("a machine’s translation").then_some(())
    });
    assert!(maps.rows("#attention-shares").is_empty());
    maps.choose("#attention-kind", "decoder");
    maps.page
        .wait("the decoder", SOON, |_| (maps.attribute("#attention-maps", "data-kind") == "decoder").then_some(()));
    // The kind is shown a frame before the maps are drawn, one after the other. Text that is written attends to itself,
    // so these maps are square; the map of the written text's attention to the source is not.
    maps.page.wait("two square maps", SOON, |_| {
        let [off, on, _] = maps.drawn();
        (off == on && off.isqrt().pow(2) == off).then_some(())
    });
    maps.choose("#attention-layer", "all");
    maps.page.wait("the address to follow", SOON, |page| {
        let at = page.address();
        (at.contains("kind=decoder") && at.contains("layer=all")).then_some(())
    });
}

#[test]
fn five_hundred_bytes_are_drawn_and_can_be_walked() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-long"), &site, "");
    let field = maps.page.the("textbox", "Line to look at");
    maps.page.paste(&field, &LONG.repeat(5).replace(" 1 ma", "\n1 ma"));
    maps.page.press("radio", "Bytes");
    let cells = maps.page.wait("hundreds of bytes", SOON, |_| Some(maps.drawn()).filter(|cells| cells[0] > 150_000));
    println!("{cells:?} cells");
    maps.focus("#attention-off");
    maps.page.type_keys(&keys::END.to_string());
    maps.says("the end of the text attends to the end of the text");
    (0..12).for_each(|_| maps.page.type_keys("+"));
    maps.page.wait("a part of it", SOON, |_| (maps.drawn()[0] < 5_000).then_some(()));
    maps.page.type_keys("0");
    maps.page.wait("all of it", SOON, |_| (maps.drawn()[0] == cells[0]).then_some(()));
}

#[test]
fn maps_are_saved() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-files").with_script(KEEP_FILES), &site, "");
    maps.page.press("button", "Save as SVG");
    maps.page.wait("the confirmation", SOON, |page| page.visible_text().contains("attention.svg saved").then_some(()));
    maps.page.press("button", "Save as PNG");
    maps.page.wait("the confirmation", SOON, |page| page.visible_text().contains("attention.png saved").then_some(()));
    let files = "return window.files.filter(file => file.type.startsWith('image/')).map(file => file.type)";
    assert_eq!(maps.page.run(files, &[]), json!(["image/svg+xml", "image/png"]));
    let svg = maps.page.run("return window.files.find(file => file.type.startsWith('image/svg')).text()", &[]);
    let svg = svg.as_str().unwrap_or_default();
    assert!(svg.contains("Bias off") && svg.contains(">UTU</text>"), "{svg:.300}");
    let whole =
        "return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelector('parsererror') === null";
    assert_eq!(maps.page.run(whole, &[json!(svg)]), true, "the SVG is well formed");
}

#[test]
fn without_a_translator_the_page_says_so() {
    let site = Site::of_the_page();
    let page = Setup::new("attention-none").start();
    page.open(&site.url("view=attention&translator=models/none/&device=cpu"));
    page.press("button", "Open the translator");
    page.wait("the plain word", SOON, |page| {
        page.visible_text().contains("Nothing was found at models/none/").then_some(())
    });
    page.press("button", "To the lesson");
    page.wait("the lesson", SOON, |page| page.address().contains("view=learn").then_some(()));
}

#[test]
fn everything_has_a_name_a_colour_and_room() {
    let site = Attention::site();
    let maps = Attention::open(Setup::new("attention-names"), &site, "");
    let mut checked = 0;
    for element in maps.page.select("button, input, select, textarea, a[href], summary, canvas") {
        let seen =
            maps.page.run("return arguments[0].checkVisibility({ visibilityProperty: true })", &[element.to_json()]);
        if seen != json!(true) {
            continue;
        }
        checked += 1;
        let source = maps.page.run("return arguments[0].outerHTML.slice(0, 200)", &[element.to_json()]);
        assert!(!maps.page.name_of(&element).trim().is_empty(), "no accessible name: {source}");
    }
    assert!(checked > 20, "only {checked} controls were found");
    let twice = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        return ids.filter((id, place) => ids.indexOf(id) !== place)";
    assert_eq!(maps.page.run(twice, &[]), json!([]), "an id stands once");
    for dark in [false, true] {
        maps.page.set_dark(dark);
        assert_eq!(maps.page.run(CONTRAST, &[]), json!([]), "too little contrast ({dark})");
    }
    maps.page.set_screen(390, 844, true);
    maps.page.come_to_rest();
    let wide = maps.page.run("return document.documentElement.scrollWidth", &[]);
    assert!(wide.as_u64().is_some_and(|wide| wide <= 390), "{wide} pixels wide on a phone");
}
