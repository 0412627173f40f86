//! Parts of a long text: one gap or one line restored alone, accepted readings exported as TEI and as an apparatus, and
//! a link that carries everything to another user.

use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{SOON, TINY_ON_CPU, Workbench};

const TEXT: &str = "1. a-na x be-li₂-ia x\n2. um-ma x ARAD-ka-ma\n3. x a-na LUGAL [x]";

#[test]
fn one_gap_and_one_line_are_restored_alone_and_sent_to_a_colleague() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("parts"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(TEXT);
    let gaps = || bench.page.select("#reading .gap[data-sign]").len();
    bench.page.wait("five gaps", SOON, |_| (gaps() == 5).then_some(()));
    let lines = || {
        let script = "return [...document.querySelectorAll('#joint tr[data-rank=\"1\"] .label')].map(l => l.innerText)";
        let found = bench.page.run(script, &[]);
        found.as_array().into_iter().flatten().filter_map(|line| line.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };

    bench.page.press("button", "Next gap");
    bench.click("#restore-line");
    bench.answered();
    assert_eq!(lines(), ["1", "1"], "only the gaps of the line are filled together");
    assert!(bench.shown("#joint").contains("best"), "{}", bench.shown("#joint"));

    for _ in 0..2 {
        bench.page.press("button", "Next gap");
    }
    bench.sees("No proposals for this gap yet");
    bench.click("#restore-gap");
    bench.answered();
    assert_eq!(lines(), ["2"], "only the gap is filled");
    bench.accept(1);
    assert_eq!(bench.accepted(), 1);

    bench.page.press("button", "Copy as TEI");
    let tei =
        bench.page.wait("TEI in the clipboard", SOON, |page| Some(page.clipboard()).filter(|t| t.contains("<TEI")));
    assert_eq!(tei.matches("<supplied reason=\"illegible\" resp=\"#tuppum\" cert=\"0.").count(), 1, "{tei}");
    assert_eq!(tei.matches("<gap ").count(), 4, "{tei}");
    assert!(!tei.contains("type=\"translation\""), "{tei}");

    bench.page.press("button", "Copy as apparatus");
    let apparatus =
        bench.page.wait("an apparatus", SOON, |page| Some(page.clipboard()).filter(|text| text.contains("2  x] ")));
    let accepted = apparatus.lines().find(|line| line.starts_with("2  x] ")).unwrap_or_default();
    assert!(accepted.contains("? (") && accepted.contains("; or "), "{apparatus}");
    assert_eq!(apparatus.matches("] open").count(), 4, "{apparatus}");

    bench.page.press("button", "Copy a link");
    let link = bench.page.wait("a link", SOON, |page| Some(page.clipboard()).filter(|link| link.starts_with("http")));
    let fragment = link.split_once('#').map(|(_, fragment)| fragment.to_owned()).unwrap_or_default();
    drop(bench);
    let colleague = Workbench::open(Setup::new("parts-link"), &site, &fragment);
    assert_eq!(colleague.text(), TEXT);
    assert_eq!(colleague.accepted(), 1, "the link brings the accepted reading: {link}");
}
