//! Reading of ambiguous texts: line numbers that may be numerals, suggested corrections, the convention.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

#[test]
fn what_was_inferred_is_said_and_can_be_had_otherwise() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("reading"), &site, TINY_ON_CPU);
    let signs = || bench.page.select("#reading [data-sign]").len();
    bench.write("1 a-na LUGAL\n2 be-li₂-ia\n3 um-ma x\n4 a-na-ku");
    bench.page.wait("line numbers to be inferred", SOON, |_| {
        bench.shown("#numbers-read").contains("line numbers").then_some(())
    });
    let as_labels = signs();
    bench.click("#numbers-read button");
    bench.page.wait("numerals", SOON, |_| (signs() == as_labels + 4).then_some(()));
    bench.click("#numbers-read button");
    bench.page.wait("line numbers again", SOON, |_| (signs() == as_labels).then_some(()));
    bench.click("#undo");
    bench.page.wait("undo brings the numerals back", SOON, |_| (signs() == as_labels + 4).then_some(()));

    bench.write("dšá-maš a-na be-lí-ia");
    bench.click("button.offer");
    bench.page.wait("the corrected text", SOON, |_| bench.text().contains("{d}").then_some(()));
    bench.click("#undo");
    bench.page.wait("the text as typed", SOON, |_| bench.text().starts_with("dšá-maš").then_some(()));

    let found = bench.shown("#read-as");
    assert!(found.contains("Print edition"), "{found}");
    bench.write("A-šur i-na");
    let choose = "const menu = document.querySelector('#read-as');
        menu.value = 'Print edition'; menu.dispatchEvent(new Event('change'))";
    bench.page.run(choose, &[]);
    bench.page.wait("the name in small letters", SOON, |_| bench.shown("#reading").contains("a").then_some(()));
    bench.page.reload();
    let chosen = bench.page.wait("the choice after a reload", SOON, |page| {
        page.run("return document.querySelector('#read-as')?.value ?? ''", &[]).as_str().map(str::to_owned)
    });
    assert_eq!(chosen, "Print edition", "the choice is stored with the text");
}
