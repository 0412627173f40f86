//! The main job, with the shipped weights on the CPU, as far as a train ride without network.

use std::time::Instant;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{Workbench, has_glyph};

/// Two lines of an Old Assyrian letter in C-ATF, with three gaps.
const LETTER: &str =
    "um-ma a-szur-i-di2-ma a-na pu-szu-ke-en6 qi2-bi4-ma [x] ma-na\n2. KU3.BABBAR [x]-ru-pa2-am a-na x-szu";

/// The relative difference from the reference at which a port counts as right.
const SELF_TEST: f64 = 5e-4;

#[test]
fn a_letter_is_restored_and_again_with_the_network_off() {
    let mut site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("restore-cpu"), &site, "");
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

    let before = bench.joint();
    println!("together: {before:?}");
    assert!(!before.is_empty(), "nothing is proposed for all gaps together");
    accept_and_undo(&bench, &offers[0].written);
    check_json(&bench);

    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    assert_eq!(bench.text(), LETTER, "the text survives a reload with the network off");
    let statement = bench.ready();
    assert!(statement.text.contains("next visit needs no network"), "{}", statement.text);
    let again = bench.restore();
    println!("offline: {:?}", again.first());
    assert_eq!(again.len(), 20);
    let reading = |offers: &[tuppum_browser_tests::workbench::Offer]| offers[0].written.clone();
    assert_eq!(reading(&again), reading(&offers), "the same question has the same answer with the network off");
}

fn check_offers(offers: &[tuppum_browser_tests::workbench::Offer]) {
    assert_eq!(offers.len(), 20, "twenty proposals");
    assert!(offers.is_sorted_by(|a, b| a.probability >= b.probability), "the most probable comes first");
    let sum: f64 = offers.iter().map(|offer| offer.probability).sum();
    // One part in a thousand for rounding on the page.
    assert!(sum > 0.0 && sum < 1.001, "probabilities sum to {sum}");
    let glyphs = offers.iter().filter(|offer| has_glyph(&offer.row)).count();
    assert!(glyphs >= 15, "only {glyphs} of 20 proposals show a glyph");
    for offer in offers {
        let foreign = offer.written.chars().find(|letter| "šṣṭŠṢṬḫʾ₂₃₄₅₆₇₈₉úùéèáà".contains(*letter));
        assert_eq!(foreign, None, "“{}” is not in the convention of the text", offer.written);
    }
}

fn accept_and_undo(bench: &Workbench, written: &str) {
    bench.page.click(&bench.page.select("#proposals tr[data-rank] button")[0]);
    bench.page.wait("the accepted reading", tuppum_browser_tests::workbench::SOON, |page| {
        (!page.select("#reading .accepted").is_empty()).then_some(())
    });
    let reading = bench.shown("#reading");
    println!("accepted “{written}”: {}", reading.replace('\n', " "));
    bench.page.wait("the rest, asked again", tuppum_browser_tests::workbench::ANSWERING, |_| {
        (!bench.is_busy() && !bench.joint().is_empty()).then_some(())
    });
    println!("refined: {:?}", bench.joint());
    bench.page.press("button", "Undo");
    bench.page.wait("the gap to be open again", tuppum_browser_tests::workbench::SOON, |page| {
        page.select("#reading .accepted").is_empty().then_some(())
    });
    assert_eq!(bench.text(), LETTER, "undo leaves the text as typed");
}

fn check_json(bench: &Workbench) {
    bench.page.press("button", "JSON");
    let copied = bench.page.wait("JSON in the clipboard", tuppum_browser_tests::workbench::SOON, |page| {
        serde_json::from_str::<serde_json::Value>(&page.clipboard()).ok()
    });
    println!("JSON with {} characters", copied.to_string().len());
    assert!(copied.to_string().contains("ke-en6"), "the JSON holds the text as typed");
    assert!(copied.to_string().contains("probability"), "the JSON holds the probabilities");
}
