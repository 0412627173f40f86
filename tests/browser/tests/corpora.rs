//! The edited texts: proposals with the places where they occur, parallels, and the page's behaviour when the edited
//! texts are absent, damaged, deleted or read without a network.

use std::path::Path;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, OPENING, SOON, TINY_ON_CPU, Workbench};

/// The beginning of a Neo-Assyrian letter with a gap in its formula; no edited text has the second line.
const LETTER: &str = "1. a-na LUGAL be-li₂-ia ARAD-ka {m}{d}PA-MU-GAR-un\n2. lu-u DI-mu a-na LUGAL x-li₂-ia";
/// Path of the pack on the site.
const PACK: &str = "/models/corpus/corpus.pack";

/// Restores the letter and waits until its gap is looked up.
fn looked_up(bench: &Workbench) {
    gap_looked_up(bench, LETTER);
}

/// Restores a text with one gap and waits until the gap is looked up.
fn gap_looked_up(bench: &Workbench, text: &str) {
    bench.write(text);
    bench.restore();
    bench.page.wait("places in edited texts", ANSWERING, |page| {
        (!page.select("#attested .attested-readings > li").is_empty()).then_some(())
    });
}

#[test]
fn attested_readings_are_spelt_as_the_text_spells_its_own() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("spelt"), &site, TINY_ON_CPU);
    bench.ready();
    gap_looked_up(&bench, "1. a-na LUGAL be-lí-ia ARAD-ka qí-bí-ma\n2. lu-u DI-mu a-na LUGAL be-x-ia");
    let shown: Vec<String> =
        bench.page.select("#attested summary [lang='akk-Latn']").iter().map(|one| bench.page.text_of(one)).collect();
    println!("{shown:?}");
    assert!(shown.iter().any(|reading| reading.contains("lí")), "with an accent, as the text has it: {shown:?}");
    assert!(!shown.iter().any(|reading| reading.contains(['₂', '₃'])), "no index: {shown:?}");
    bench.click("#attested summary");
    let place = bench.page.select("#attested details[open] .places > li");
    assert!(bench.page.text_of(&place[0]).contains("be-li₂"), "a place is quoted as its editor spells it");
}

#[test]
fn proposals_have_places_and_lines_have_parallels() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("corpora"), &site, TINY_ON_CPU);
    bench.ready();
    looked_up(&bench);
    let page = &bench.page;
    let first = bench.offers().into_iter().next().expect("a proposal");
    // Hundreds of letters have this formula; the tiny random network knows nothing.
    assert_eq!(first.written, "be", "{first:?}");
    assert!(first.probability > 0.9, "{first:?}");
    page.wait("the texts in the row", SOON, |_| bench.offers()[0].row.contains("texts").then_some(()));

    bench.click("#attested summary");
    let place = page.select("#attested details[open] .places > li");
    assert!(!place.is_empty(), "no place is listed");
    let shown = page.text_of(&place[0]);
    assert!(shown.contains("be-li₂") && shown.contains("(saao"), "{shown}");
    let marked = page.text_of(&page.select("#attested details[open] .places mark")[0]);
    assert_eq!(marked, "be");
    let script = "return document.querySelector('#attested details[open] a.edition').href";
    assert!(page.run(script, &[]).as_str().unwrap_or_default().starts_with("https://"), "an edition has an address");

    bench.click("#parallels > summary");
    let parallels = page.wait("parallels", ANSWERING, |page| {
        let found = page.select("#parallels .parallels > li");
        (!found.is_empty()).then_some(found)
    });
    let shown = page.text_of(&parallels[0]);
    assert!((shown.contains("like,") || shown.contains("the same signs")) && shown.contains("lu-u"), "{shown}");
    page.press("button", "Copy the passage of");
    let copied = page.wait("the passage in the clipboard", SOON, |page| {
        Some(page.clipboard()).filter(|copied| copied.contains("https://"))
    });
    assert!(copied.contains("lu-u"), "{copied}");

    page.press("checkbox", "Count edited texts");
    bench.settled();
    let without = bench.offers();
    assert!(without[0].probability < 0.5, "the tiny random network alone is never sure: {:?}", without[0]);
    page.press("button", "Undo");
    bench.settled();
    assert_eq!(bench.offers()[0].written, "be", "undo counts the texts again");
}

#[test]
fn a_text_that_is_like_nothing_edited_says_so() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("corpora-unlike"), &site, TINY_ON_CPU);
    bench.ready();
    // No text has its signs in this order.
    bench.write("1. gaz-mur-zib-bir gur-tul-x-šaḫ-lil-zum");
    bench.restore();
    bench.click("#parallels > summary");
    bench.page.wait("no parallels", ANSWERING, |page| {
        (!page.select("#parallels [data-state=none]").is_empty()).then_some(())
    });
    assert!(bench.shown("#parallels").contains("Nothing in the corpora is like it"));
    assert!(bench.trouble().is_empty(), "{}", bench.trouble());
}

#[test]
fn without_corpora_the_network_answers_alone() {
    let site = Site::of_the_page();
    site.mount("/models/corpus/", Path::new("/nowhere"));
    let bench = Workbench::open(Setup::new("corpora-absent"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    assert!(!bench.restore().is_empty());
    bench.sees("This page came without corpora");
    assert!(bench.trouble().is_empty(), "{}", bench.trouble());
}

#[test]
fn damaged_corpora_are_said_to_be_and_fetched_again() {
    let mut site = Site::of_the_page();
    site.alter(PACK, |mut bytes| {
        bytes[1000] ^= 1;
        bytes
    });
    let bench = Workbench::open(Setup::new("corpora-damaged"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.restore();
    bench.sees("The corpora could not be opened");
    site.restore(PACK);
    bench.page.press("button", "Try again");
    bench.page.wait("places in edited texts", OPENING, |page| {
        (!page.select("#attested .attested-readings > li").is_empty()).then_some(())
    });
    bench.restore();
    assert_eq!(bench.offers()[0].written, "be", "texts count as soon as they are there");

    bench.page.wait("the address to follow", SOON, |page| page.address().contains("ARAD-ka").then_some(()));
    bench.kept_for_offline();
    site.stop();
    bench.page.reload();
    bench.ready();
    bench.restore();
    assert_eq!(bench.offers()[0].written, "be", "without network the stored texts count");
}

#[test]
fn the_stored_copy_can_be_deleted() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("corpora-deleted"), &site, TINY_ON_CPU);
    bench.ready();
    looked_up(&bench);
    bench.page.press("link", "Models");
    let row = "#models-list tr[data-model=corpus]";
    bench
        .page
        .wait("the row of the texts", SOON, |_| bench.shown(row).contains("stored in this browser").then_some(()));
    bench.page.press("button", "Delete the stored copy of Edited texts");
    bench.page.press("button", "Delete");
    bench
        .page
        .wait("the copy to be gone", SOON, |_| bench.shown(row).contains("fetched when first used").then_some(()));
}

#[test]
fn the_nearest_published_translation_stands_beside_the_machines() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("corpora-memory"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.write("1. a-na LUGAL be-li₂-ia\n2. ARAD-ka {m}{d}PA-MU-GAR-un");
    bench.set_number("translate-longest", "20");
    bench.translate();
    let published = bench.page.wait("a published translation", ANSWERING, |page| {
        page.select(".passage .remembered .published").first().map(|found| page.text_of(found))
    });
    assert!(published.contains("king"), "{published}");
    let shown = bench.shown(".passage .remembered");
    assert!(shown.contains("Published") && shown.contains("(saao"), "{shown}");
    bench.page.press("button", "Copy the published translation of");
    let copied = bench.page.wait("the translation in the clipboard", SOON, |page| {
        Some(page.clipboard()).filter(|copied| copied.contains("CC BY-SA 3.0"))
    });
    assert!(copied.contains("king") && copied.contains("https://"), "{copied}");
}

#[test]
fn an_old_assyrian_letter_is_translated_clause_by_clause() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("corpora-clauses"), &site, TINY_TRANSLATOR);
    bench.ready();
    bench.write("1. um-ma a-šur-i-di₂-ma\n2. a-na pu-šu-ke-en₆ qi₂-bi₄-ma");
    bench.set_number("translate-longest", "20");
    bench.translate();
    let clauses = bench.page.wait("clauses of the formulary", ANSWERING, |page| {
        let found = page.select(".passage .clauses > li");
        (!found.is_empty()).then(|| bench.shown(".passage .remembered[data-clauses]"))
    });
    assert!(clauses.contains("Formulary") && clauses.contains("Aššur-idī"), "{clauses}");
}
