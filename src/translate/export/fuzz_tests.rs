//! Fuzz tests of the page: mutated addresses, and mutated texts and translations through the exports. TEI stays
//! well-formed; tables keep their columns and carry no formulas into a spreadsheet.

use super::formats::tsv;
use super::published::Published;
use super::tei::tei;
use crate::frame::address::{Address, LONGEST_TEXT};
use crate::restore::state::work::{Accepted, AcceptedReading, Work};
use crate::translate::state::passages::PresentText;
use crate::translate::state::rendering::Rendering;
use crate::translate::state::rendering::examples::rendering;
use tuppum_testing::fuzz::{Counting, Target};
use tuppum_text::Document;
use xml::reader::{EventReader, XmlEvent};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn text(input: &[u8]) -> &str {
    std::str::from_utf8(input).unwrap_or_default()
}

#[test]
fn fuzz_address() {
    let seeds = [
        "#v=1&period=neo-assyrian&beam=3&contexts=off&model=models%2Ftiny%2F&device=cpu&text=a-na%20x",
        "#v=1&decisions=%7B%22chosen%22%3A%5B0%5D%2C%22left_alone%22%3A%5B1%5D%7D&text=a-x",
        "#translator=kept:my-own.1&text=a-na&example=letter&top=5&longest=3",
        "#view=learn",
        r#"#decisions={"accepted":[{"sign":1,"readings":[{"reading":"na","starts_word":false}]}]}&text=a-x"#,
    ];
    let words = [
        "&",
        "=",
        "#",
        "%",
        "%22",
        "%7B",
        "%7D",
        "%5B",
        "%5D",
        "%ff",
        "text=",
        "decisions=",
        "model=",
        "translator=",
        "kept:",
        "https://",
        "../",
        "beam=",
        "99999999999999999999",
        "-1",
        "\"sign\":",
        "\"readings\":[",
        "[[",
        "{",
        "}",
        "x ",
        "null",
    ];
    let target = Target::text("address").seeds(seeds).words(words).memory(512 << 10, 4_000);
    target.run(|input| {
        let address = Address::read("", text(input));
        let work = address.work_on(address.text.clone().unwrap_or_default());
        let signs = Document::read_with(&work.text, &work.reading).signs().count();
        assert!(work.accepted.iter().all(|accepted| accepted.sign < signs), "decisions are about signs of the text");
        assert!((1..=20).contains(&work.beam) && (1..=100).contains(&work.top), "settings are within their bounds");
        assert!(!address.model.to_string().contains("://"), "an address brings no model from elsewhere");
        let fragment = Address::fragment(&work, &address.model, address.translator.as_ref(), address.device);
        let again = Address::read("", &fragment);
        if !work.text.is_empty() && work.text.len() <= LONGEST_TEXT {
            assert_eq!(again.text.as_deref(), Some(work.text.as_str()), "a link carries its text");
        }
    });
}

/// Splits an input into a text, an accepted reading, a translation and a wording of the user's.
fn parts(input: &[u8]) -> [&str; 4] {
    let mut parts = text(input).splitn(4, '\u{1f}');
    [(); 4].map(|()| parts.next().unwrap_or_default())
}

fn seeds() -> [String; 3] {
    let letter = "&P123456 = Letter\n@obverse\n1. a-na a-szur x#\n$ 2 lines broken\n2. [...] %sux lugal\n#tr.en: to";
    [
        [letter, "il₅", "To Aššur & <Son>", "=1+1"].join("\u{1f}"),
        ["1. a-x\n-na [x x]", "@SUM(1)", "+49 \"quoted\"", "\u{1}]]>"].join("\u{1f}"),
        ["{d}UTU ḫa-lá <gap> (x) {(he-pi₂)}", "{LU₂}", "-na\tb", "<!--"].join("\u{1f}"),
    ]
}

const MARKS: [&str; 28] = [
    "\u{1f}",
    "<",
    ">",
    "&",
    "\"",
    "'",
    "]]>",
    "<!--",
    "--",
    "\0",
    "\u{b}",
    "\r",
    "\n",
    "\t",
    "\u{fffe}",
    "\u{85}",
    "=",
    "+",
    "-",
    "@",
    "＝",
    "=cmd|' /C calc'!A0",
    "\"=1+1\"",
    "[x]",
    "[...]",
    "{d}",
    "⸢",
    "%sux ",
];

/// Returns a rendering of the text's first line, with the user's wording unless `own` is empty.
fn renderings(text: &str, english: &str, own: &str) -> Vec<Rendering> {
    let mut rendering = rendering(1, text, &[english, "to"]);
    if !own.is_empty() {
        rendering.edit(own);
    }
    vec![rendering]
}

/// Returns a work on the text, with a reading accepted for its first sign unless `reading` is empty.
fn work(text: &str, reading: &str) -> Work {
    let mut work = Work::on(text);
    if !reading.is_empty() && Document::read(text).signs().next().is_some() {
        let readings = vec![AcceptedReading {
            reading: reading.to_owned(),
            written: reading.to_owned(),
            glyph: String::new(),
            starts_word: true,
            probability: 0.5,
        }];
        work.accepted.push(Accepted { sign: 0, readings, model: None });
    }
    work
}

#[test]
fn fuzz_tei() {
    let target = Target::text("tei").seeds(seeds()).words(MARKS).memory(512 << 10, 8_000);
    target.run(|input| {
        let [text, reading, english, own] = parts(input);
        let work = work(text, reading);
        let document = Document::read(text);
        let renderings = renderings(text, english, own);
        let standing = PresentText::new(&document, &[]).stand(&renderings);
        let written = tei(&work, &document, &renderings, &standing, &Published::default(), &[], reading);
        let mut depth = 0_usize;
        for event in EventReader::from_str(&written) {
            match event.unwrap_or_else(|problem| panic!("not well-formed: {problem}\n{written}")) {
                XmlEvent::StartElement { .. } => depth += 1,
                XmlEvent::EndElement { .. } => depth -= 1,
                _ => {}
            }
        }
        assert_eq!(depth, 0, "every element is closed");
    });
}

#[test]
fn fuzz_tables() {
    let target = Target::text("tables").seeds(seeds()).words(MARKS).memory(512 << 10, 8_000);
    target.run(|input| {
        let [text, _, english, own] = parts(input);
        let document = Document::read(text);
        let renderings = renderings(text, english, own);
        let standing = PresentText::new(&document, &[]).stand(&renderings);
        let table = tsv(&document, &renderings, &standing, &Published::default());
        let rows = table.lines().filter(|line| !line.starts_with("# "));
        let widths: Vec<usize> = rows.clone().map(|row| row.split('\t').count()).collect();
        assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "rows have as many cells as the heading: {table}");
        for cell in rows.flat_map(|row| row.split('\t')) {
            let is_formula = cell.starts_with(['=', '+', '-', '@', '"', '＝', '＋', '－', '＠', '\r']);
            assert!(!is_formula || cell.parse::<f64>().is_ok(), "no cell is a formula: `{cell}`");
        }
    });
}
