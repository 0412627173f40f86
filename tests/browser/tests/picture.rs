//! The picture of the README: the page with the beginning of a letter, and its hidden signs restored.

use std::fs;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::Workbench;

/// Four lines of P361247, an Old Assyrian letter that neither the network nor the edited texts contain; an `x` stands
/// for each of four signs that are preserved on the tablet.
const LETTER: &str =
    "1. um-ma pi₃-la₂-ah-su₂-en\n2. a-[x] i-ku-pi₃-a\n3. qi₂-bi₄-[x] 8 GIN₂ KU₃-[x]\n4. ša ta-di₂-[x]-ni";

/// The edition's readings of the hidden signs, as the page writes them.
const HIDDEN: [&str; 4] = ["-na", "-ma", "-BABBAR", "-na"];

/// Shows the cuneiform signs and waits for their typeface, which is loaded when the first one appears.
const WITH_SIGNS: &str = "
if (!document.querySelector('#glyphs').checked) document.querySelector('#glyphs').click();
return document.fonts.load('16px \"Noto Sans Cuneiform\"', '\u{12000}')
    .then(() => document.fonts.ready)
    .then(() => true);
";

/// `TUPPUM_PICTURE=1 cargo xtask test browser` also replaces `docs/workbench.png`.
#[test]
fn the_picture_of_the_readme_shows_a_right_restoration() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("picture"), &site, "");
    bench.ready();
    bench.write(LETTER);
    let offers = bench.restore();
    bench.settled();
    assert_eq!(offers[0].written.split_whitespace().next(), Some(HIDDEN[0]), "{offers:?}");
    let joint = bench.joint();
    let first: Vec<&str> = joint[0].split_whitespace().filter(|word| word.starts_with('-')).collect();
    assert_eq!(first, HIDDEN, "{joint:#?}");

    bench.page.run(WITH_SIGNS, &[]);
    bench.page.run("document.activeElement?.blur(); window.scrollTo(0, 0)", &[]);
    bench.page.come_to_rest();
    let picture = bench.page.screenshot().unwrap_or_default();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 50_000, "{} bytes", picture.len());
    if std::env::var_os("TUPPUM_PICTURE").is_some() {
        fs::write(tuppum_browser_tests::workspace().join("docs/workbench.png"), picture).unwrap();
    }
}
