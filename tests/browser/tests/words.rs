//! Information from the lexicon and the edited texts on a whole text: its words with their meanings, and its likely
//! origin.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, TINY_ON_CPU, Workbench};

/// The beginning of a Neo-Assyrian letter.
const LETTER: &str = "1. a-na LUGAL be-li₂-ia\n2. ARAD-ka {m}{d}PA-MU-GAR-un\n3. lu-u DI-mu a-na LUGAL be-li₂-ia\n\
    4. {d}PA u {d}AMAR.UTU a-na LUGAL be-li₂-ia lik-ru-bu";

#[test]
fn words_have_meanings_and_the_text_a_period() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("words"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(LETTER);
    bench.click("#glosses > summary");
    let opens = "return document.querySelector('#glosses [data-action=open-corpora]') !== null";
    if bench.page.run(opens, &[]) == true {
        bench.click("#glosses [data-action=open-corpora]");
    }
    bench.page.wait("the words of four lines", ANSWERING, |page| {
        (page.select("#glosses .interlinear > li").len() == 4).then_some(())
    });
    let first = bench.shown("#glosses .interlinear > li[data-line='0']");
    assert!(first.contains("šarru") && first.contains("king") && first.contains("lord"), "{first}");

    bench.click("#reading [data-sign='2']");
    bench.page.wait("the lemmata of the line", SOON, |_| bench.shown("#lemmata").contains("preposition").then_some(()));
    bench.page.press("button", "Copy the words as TSV");
    let table = bench.page.wait("the table", SOON, |page| Some(page.clipboard()).filter(|t| t.contains("guide_word")));
    let of_king = table.lines().find(|row| row.contains("\tšarru\tking\t")).unwrap_or_else(|| panic!("{table}"));
    assert!(of_king.starts_with("1\t2\tLUGAL\t"), "{of_king}");

    bench.click("#origin > summary");
    bench
        .page
        .wait("a period", ANSWERING, |_| bench.shown("#origin [data-origin]").contains("Neo-Assyrian").then_some(()));
    let nearest = bench.shown("#origin .places");
    assert!(nearest.contains("(saao"), "{nearest}");
    bench.click("#use-period");
    let period = "return document.querySelector('#period').value";
    bench.page.wait("the period to be chosen", SOON, |page| (page.run(period, &[]) == "neo-assyrian").then_some(()));
    bench.click("#undo");
    bench.page.wait("any period again", SOON, |page| (page.run(period, &[]) == "").then_some(()));
}
