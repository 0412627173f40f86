//! Difficult input in the text field: nothing, too much, binary data, text of other directions, broken brackets. The
//! page reports what it cannot read, changes nothing that was typed, and stays usable.

use serde_json::json;
use std::time::{Duration, Instant};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, TINY_ON_CPU, Workbench};

#[test]
fn odd_texts_are_kept_as_typed_with_a_message() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("input"), &site, TINY_ON_CPU);
    bench.ready();
    empty(&bench);
    for (name, text) in [
        ("right-to-left marks", "a-na \u{202e}[x]\u{202c} szar-ri\u{200f} x"),
        ("unbalanced brackets", "[a-na x szar-ri\n2. ⸢ma-na] x"),
        ("Hebrew", "a-na x שלום szar-ri"),
        ("binary", "\u{1}PNG\u{2}\u{3}\u{1f}\u{7f}\u{fffd}\u{fffd} x \u{1b}[0m"),
    ] {
        bench.write(text);
        assert_eq!(bench.text(), text, "{name}: the text stands as typed");
        let remarks =
            bench.page.wait("a remark", SOON, |_| Some(bench.remarks()).filter(|remarks| !remarks.is_empty()));
        println!("{name}: {}", remarks.replace('\n', " · "));
        assert!(!bench.restore().is_empty(), "{name}: the gaps that could be read are restored");
    }
    binary_file(&bench);
}

fn empty(bench: &Workbench) {
    bench.write(" ");
    bench.page.press("button", "Restore");
    bench.sees("Type or paste a transliteration first.");
    assert!(bench.trouble().is_empty());
    bench.write("a-na szar-ri");
    bench.sees("No gap in the text");
}

fn binary_file(bench: &Workbench) {
    let before = bench.text();
    let file = tuppum_browser_tests::evidence().join("no-text.txt");
    let bytes: Vec<u8> = (0..4096_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(&file, bytes).expect("a file to pick");
    let file = file.canonicalize().expect("the file just written");
    bench.page.pick_file(&bench.page.select("input[type=file]")[0], &file);
    bench.sees("is not text in UTF-8");
    assert_eq!(bench.text(), before, "a file that cannot be read changes nothing");
}

#[test]
fn a_megabyte_leaves_the_page_usable() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("megabyte"), &site, TINY_ON_CPU);
    bench.ready();
    let line = "a-na x-szu KU3.BABBAR [x] ma-na um-ma a-szur-i-di2-ma\n";
    let text = line.repeat(1_048_576 / line.len() + 1);
    let start = Instant::now();
    bench.write(&text);
    println!("a megabyte was pasted after {:.1} s", start.elapsed().as_secs_f32());
    assert_eq!(bench.text().len(), text.len());
    bench.page.wait("the reading of the text", ANSWERING, |page| {
        (!page.all("button", "Show more of the text").is_empty()).then_some(())
    });
    println!("a megabyte was read after {:.1} s", start.elapsed().as_secs_f32());
    // The next frames come: the page does not hang.
    let script = "return new Promise(done => { const from = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from))); })";
    let frames = bench.page.run(script, &[]).as_f64().unwrap_or(f64::MAX);
    println!("two frames take {frames:.0} ms");
    assert!(frames < 1_000.0, "two frames take {frames:.0} ms");
    let start = Instant::now();
    bench.page.type_keys("a");
    let typed = Instant::now();
    bench.page.wait("one more letter", SOON, |page| {
        let length = page.run("return document.querySelector('textarea').value.length", &[]);
        (length == json!(text.chars().count() + 1)).then_some(())
    });
    println!(
        "a letter takes {:.1} s to type, {:.1} s to appear",
        (typed - start).as_secs_f32(),
        typed.elapsed().as_secs_f32()
    );
    // Ten times what an idle machine needs, since test machines are busy.
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "typing one letter takes {:.1} s",
        start.elapsed().as_secs_f32()
    );
}
