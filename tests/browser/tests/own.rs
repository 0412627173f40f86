//! The user's own texts beside the edited ones: kept, found as occurrences, parallels and translations, there after a
//! reload, deleted; and what becomes of a damaged archive.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::scripts::NO_FILE_SYSTEM;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::translation::TINY_TRANSLATOR;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, TINY_ON_CPU, Workbench};

/// A line unlike any edited text, with a translation of the user's.
const OWN: &str = "1. um-ma gu-šu-zi-im-ma ša ki-ru-ub li-šu-pu-ma\n#tr.en: Thus Gushuzim, who is near";
/// Text of other lines with the same words, in which a sign is lost.
const ASKED: &str = "1. a-na EN um-ma gu-šu-zi-x-ma ša ki-ru-ub a-na-ku";
const NAME: &str = "My letter";

/// Keeps the text under a name.
fn keep(bench: &Workbench, text: &str) {
    bench.write(text);
    bench.page.press("button", "Keep among your own texts");
    let field = bench.page.wait("the name to be asked for", SOON, |page| page.select("#own-name").into_iter().next());
    bench.page.paste(&field, NAME);
    bench.click("#own-name-keep");
    bench.sees("Kept: “My letter”, 1 text of 1 line");
}

/// Returns the list of the gap's occurrences in edited texts, even if the list is folded.
fn places(bench: &Workbench) -> String {
    let script = "return document.querySelector('#attested')?.textContent ?? ''";
    bench.page.run(script, &[]).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_text_of_ones_own_counts_until_it_is_deleted() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("own"), &site, TINY_ON_CPU);
    bench.ready();
    keep(&bench, OWN);
    bench.write(ASKED);
    bench.restore();
    let own = bench
        .page
        .wait("a place of the user's own", ANSWERING, |_| Some(places(&bench)).filter(|places| places.contains(NAME)));
    assert!(own.contains("Yours") && own.contains("text 1 (My letter), 1"), "{own}");

    bench.page.reload();
    bench.ready();
    bench.restore();
    bench.page.wait("the place after a reload", ANSWERING, |_| places(&bench).contains(NAME).then_some(()));
    bench.click("#parallels > summary");
    bench
        .page
        .wait("a parallel of the user's own", ANSWERING, |_| bench.shown("#parallels").contains(NAME).then_some(()));

    bench.page.press("link", "Models");
    bench.page.wait("the list of own texts", SOON, |_| bench.shown("#own-list").contains(NAME).then_some(()));
    bench.page.press("button", "Delete My letter …");
    bench.click("#own-forget");
    bench
        .page
        .wait("the list to be empty", SOON, |_| bench.shown("#own-texts").contains("You keep none yet").then_some(()));
    bench.page.press("link", "Workbench");
    bench.page.wait("other parallels", ANSWERING, |page| {
        let shown = bench.shown("#parallels");
        (!shown.contains(NAME) && !page.select("#parallels .parallels > li").is_empty()).then_some(())
    });
    assert!(bench.trouble().is_empty(), "{}", bench.trouble());
}

#[test]
fn a_translation_of_ones_own_is_remembered() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("own-translation"), &site, TINY_TRANSLATOR);
    bench.ready();
    keep(&bench, OWN);
    bench.write("1. um-ma gu-šu-zi-im-ma ša ki-ru-ub");
    bench.set_number("translate-longest", "20");
    bench.translate();
    let remembered = bench.page.wait("the translation of one's own", ANSWERING, |page| {
        page.select(".passage .remembered .published").first().map(|found| page.text_of(found))
    });
    assert_eq!(remembered, "Thus Gushuzim, who is near");
    let shown = bench.shown(".passage .remembered");
    assert!(shown.contains("Yours") && shown.contains("among your own texts"), "{shown}");
}

/// Script that truncates the file of the only archive to half its length.
const DAMAGE: &str = "return (async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['tuppum', 'own', '1']) folder = await folder.getDirectoryHandle(part);
    const handle = await folder.getFileHandle('archive.json');
    const text = await (await handle.getFile()).text();
    const file = await handle.createWritable();
    await file.write(text.slice(0, text.length / 2));
    await file.close();
    return text.length;
})()";

#[test]
fn a_damaged_archive_is_told_and_goes_when_the_user_says_so() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("own-damaged"), &site, TINY_ON_CPU);
    bench.ready();
    keep(&bench, OWN);
    assert!(bench.page.run(DAMAGE, &[]).as_f64().is_some_and(|length| length > 0.0));
    bench.page.reload();
    bench.ready();
    bench.page.press("link", "Models");
    let told = bench.page.wait("the damaged archive", SOON, |_| {
        Some(bench.shown("#own-texts")).filter(|shown| shown.contains("Damaged archive 1"))
    });
    assert!(told.contains("cannot be read any more") && !told.contains(NAME), "{told}");
    bench.page.press("button", "Delete Damaged archive 1 …");
    bench.click("#own-forget");
    bench
        .page
        .wait("the list to be empty", SOON, |_| bench.shown("#own-texts").contains("You keep none yet").then_some(()));
    keep_again(&bench);
}

/// Keeps a new archive in place of the damaged one.
fn keep_again(bench: &Workbench) {
    bench.page.press("link", "Workbench");
    keep(bench, OWN);
    assert!(bench.trouble().is_empty(), "{}", bench.trouble());
}

#[test]
fn without_storage_a_text_of_ones_own_counts_while_the_page_is_open() {
    let site = Site::of_the_page();
    site.engine_prelude(NO_FILE_SYSTEM);
    let bench = Workbench::open(Setup::new("own-unstored"), &site, TINY_ON_CPU);
    bench.ready();
    keep(&bench, OWN);
    bench.write(ASKED);
    bench.restore();
    bench.page.wait("a place of the user's own", ANSWERING, |_| places(&bench).contains(NAME).then_some(()));
    bench.page.press("link", "Models");
    let told = bench
        .page
        .wait("the list of own texts", SOON, |_| Some(bench.shown("#own-texts")).filter(|shown| shown.contains(NAME)));
    assert!(told.contains("does not store all of them") && told.contains("until you close this tab"), "{told}");
}
