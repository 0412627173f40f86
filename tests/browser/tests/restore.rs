//! The main task, with the shipped weights on the CPU, up to a train ride without a network.

use serde_json::json;
use std::time::{Duration, Instant};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::SPY_ON_WORKERS;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, Offer, SELF_TEST, SOON, TINY_ON_CPU, Workbench, has_glyph};

/// Two lines of an Old Assyrian letter in C-ATF, with three gaps.
const LETTER: &str =
    "um-ma a-szur-i-di2-ma a-na pu-szu-ke-en6 qi2-bi4-ma [x] ma-na\n2. KU3.BABBAR [x]-ru-pa2-am a-na x-szu";

#[test]
fn a_letter_is_restored_and_again_with_the_network_off() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("restore-cpu").with_script(SPY_ON_WORKERS), &site, "");
    let start = Instant::now();
    let statement = bench.ready();
    println!("ready after {:.1} s", start.elapsed().as_secs_f32());
    assert!(statement.text.contains("CPU"), "{}", statement.text);
    assert!(statement.self_test < SELF_TEST, "the self-test shows {}", statement.self_test);

    bench.write(LETTER);
    assert_eq!(bench.text(), LETTER);
    let start = Instant::now();
    let offers = bench.restore();
    println!("answered after {:.1} s: {offers:?}", start.elapsed().as_secs_f32());
    check_offers(&offers);
    accept_and_undo(&bench);
    check_json(&bench);
    stop_a_long_restoration(&bench);

    bench.write(LETTER);
    bench.page.wait("the address to follow", SOON, |page| page.address().contains("pu-szu-ke-en6").then_some(()));
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    assert_eq!(bench.text(), LETTER, "the text survives a reload with the network off");
    let statement = bench.ready();
    assert!(statement.text.contains("next visit needs no network"), "{}", statement.text);
    let again = bench.restore();
    println!("offline: {:?}", again.first());
    let readings = |offers: &[Offer]| offers.iter().map(|offer| offer.written.clone()).collect::<Vec<_>>();
    assert_eq!(readings(&again), readings(&offers), "the same question has the same answer with the network off");
}

/// An answer refers to signs by their numbers; one about the previous text would be shown, and accepted, at the wrong
/// sign.
#[test]
fn a_text_that_changes_while_it_is_restored_is_asked_about_anew() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("typed-on"), &site, &format!("{TINY_ON_CPU}&text=a-na%20x"));
    bench.restore();
    bench.write("um-ma x LUGAL");
    // In one script, so that no answer can arrive before the text changes.
    let script = "
        [...document.querySelectorAll('button')].find(button => button.innerText.trim() === 'Restore').click();
        const field = document.querySelector('#text');
        const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
        set.call(field, arguments[0]);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));";
    bench.page.run(script, &[json!("a-na be-li₂-ia um-ma x LUGAL")]);
    let offers = bench.answered();
    assert_eq!(offers.len(), 20);
    bench.accept(1);
    bench.page.press("button", "Copy as text");
    let restored =
        bench.page.wait("the text", SOON, |page| Some(page.clipboard()).filter(|text| text.contains("LUGAL")));
    let (restored, note) = restored.split_once('\n').expect("a remark below");
    assert!(note.starts_with("#note: Proposed by a machine"), "{note}");
    let stands = restored.starts_with("a-na be-li₂-ia um-ma") && restored.ends_with("] LUGAL");
    assert!(stands, "the reading stands where the gap is: {restored}");
}

fn check_offers(offers: &[Offer]) {
    assert_eq!(offers.len(), 20, "twenty proposals");
    assert!(offers.is_sorted_by(|a, b| a.probability >= b.probability), "the most probable comes first");
    let sum: f64 = offers.iter().map(|offer| offer.probability).sum();
    // A thousandth is tolerated for rounding in the sum of twenty single-precision numbers.
    assert!(sum > 0.0 && sum < 1.001, "probabilities sum to {sum}");
    let glyphs = offers.iter().filter(|offer| has_glyph(&offer.row)).count();
    assert!(glyphs >= 15, "only {glyphs} of 20 proposals show a glyph");
    for offer in offers {
        let foreign = offer.written.chars().find(|letter| "šṣṭŠṢṬḫʾ₂₃₄₅₆₇₈₉úùéèáà".contains(*letter));
        assert_eq!(foreign, None, "“{}” is not in the convention of the text", offer.written);
    }
}

fn accept_and_undo(bench: &Workbench) {
    let before = bench.joint();
    println!("together: {before:?}");
    assert!(!before.is_empty(), "nothing is proposed for all gaps together");
    bench.accept(2);
    println!("accepted: {}", bench.shown("#reading").replace('\n', " "));
    println!("refined: {:?}", bench.joint());
    assert_ne!(bench.joint(), before, "an accepted reading conditions the rest");
    bench.page.press("button", "Undo");
    bench.page.wait("the gap to be open again", SOON, |_| (bench.accepted() == 0).then_some(()));
    bench.settled();
    assert_eq!(bench.text(), LETTER, "undo leaves the text as typed");
    assert_eq!(bench.joint(), before, "undo brings back the answer to the open gaps");
}

fn check_json(bench: &Workbench) {
    bench.page.press("button", "Copy as JSON");
    let copied = bench
        .page
        .wait("JSON in the clipboard", SOON, |page| serde_json::from_str::<serde_json::Value>(&page.clipboard()).ok());
    let text = copied.to_string();
    println!("JSON with {} characters: {:.200}", text.len(), text);
    assert!(text.contains("ke-en6"), "the JSON holds the text as typed");
    assert!(text.contains("\"probability\""), "the JSON holds the probabilities");
}

/// Sixty lines with five gaps each take minutes; a user who changes their mind does not wait for them.
fn stop_a_long_restoration(bench: &Workbench) {
    let line = "a-na x-szu x ma-na KU3.BABBAR x-ru-pa2-am x um-ma x-ma\n";
    bench.write(&line.repeat(60));
    bench.page.press("button", "Restore");
    bench.page.wait("the long job to be under way", SOON, |page| {
        page.visible_text().contains("Each gap on its own").then_some(())
    });
    let failed = "return window.spy.heard.filter(h => h.message.Event?.event?.Failed?.kind === 'Cancelled').length";
    let stopped = Instant::now();
    bench.page.press("button", "Stop");
    bench.page.wait("the page to stop", SOON, |_| (!bench.is_computing()).then_some(()));
    println!("the page stopped after {:.2} s", stopped.elapsed().as_secs_f32());
    bench.page.wait("the engine to stop", ANSWERING, |page| (page.run(failed, &[]) == 1).then_some(()));
    println!("the engine stopped after {:.2} s", stopped.elapsed().as_secs_f32());
    // A cancellation takes effect within one layer's time; the rest is the driver's time and a busy test machine.
    assert!(stopped.elapsed() < Duration::from_secs(3), "stopping took {:.1} s", stopped.elapsed().as_secs_f32());
}
