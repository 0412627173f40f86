//! Feeds mutated transliterations to the reader and its writers, and mutated tables to the import of pairs.
#![allow(clippy::unwrap_used)] // golden files that cannot be read are a failure

use std::fs;
use tuppum_testing::fuzz::{Counting, Target, processor_time, unescaped, used};
use tuppum_testing::project;
use tuppum_text::editorial::editorial;
use tuppum_text::pair_table::{Columns, Import, Shape, Table, decode};
use tuppum_text::parts::Cut;
use tuppum_text::{
    Convention, Document, Joiner, Language, Line, LineKind, ReadingOptions, SignIndex, SignKind, State, export, parts,
    write,
};
use tuppum_text::{DeterminativeStyle, IndexStyle, LetterStyle, Style};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Pieces with a meaning in some convention.
const WORDS: &str = "a|na|LUGAL|u₂|ù|šar|sz|x|...|[|]|⸢|⸣|-|.| |\\n|{d}|{ki}|{|}|#|?|!|*|(|)|<|>|<<|>>|_|1(disz)|3|+|\
    /|x+3|ᵈ|ᵏⁱ|1.|2'.|o |r |rev. |col. ii |$ |&P123456 = A|@tablet|@obverse|@translation labeled en|@(o 1) |#tr.en: |\
    #atf: lang sux|#lem: |%|…|<gap>|(break)|\\xcc\\x81|\\xef\\xbb\\xbf|'|ʾ|,|;|\"|“|Pu|A|:|@v|@g|\\r\\n|ₓ|(DU)|½|°|\
    \\\\|($___$)|{(|)}|{{|}}|%sux |%n |%akk|&2|!cm |!qt |(erasure)|(blank)|[3 signs]|[x]|[x x]|. . .|0.33333|(d)|(m)|\
    𒀭|($|$)|Obv.|Rs. II|signs|lines|broken|1 |2 |3 |5 |\\t|«|»|‹|›|⌈|⌉|o|n|kux|×|d.|m.|— |ḫ|Š|ṭ|t,|ş|ĝ|ā|bí|{+|>>Q1|\
    //|seal|edge|the|tablet|=|~|•|\\xc2\\xa0|\\xe2\\x80\\xa8|KAxU|GI₆.NAM|i-na|{disz}|lu₂|GIŠ|qí|1/2|n(ban2)|]-|-[|\
    ⸢x⸣";

fn words() -> Vec<Vec<u8>> {
    let bars = ["|", "|KAxU|", "|GI₆.NAM|"].map(|word| word.as_bytes().to_vec());
    WORDS.split('|').filter(|word| !word.is_empty()).map(unescaped).chain(bars).collect()
}

/// Returns texts in every convention: the golden excerpts and the examples.
fn texts() -> Vec<String> {
    let mut files: Vec<_> = ["tests/golden/reading", "assets/examples"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(project(folder)).unwrap().flatten())
        .map(|entry| entry.path())
        .filter(|path| !path.ends_with("README.md"))
        .collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn shown(document: &Document) -> Vec<(String, &SignKind, State, Joiner, Language)> {
    let lines = document.lines.iter().flat_map(|line| {
        let kind = format!("{:?} {:?}", line.kind, label(document, line));
        line.signs.iter().map(move |sign| (kind.clone(), sign))
    });
    lines.map(|(line, sign)| (line, &sign.kind, sign.state, sign.joiner, sign.language)).collect()
}

/// Returns the label of a line without accents and other characters that the canonical form drops.
fn label(document: &Document, line: &Line) -> Option<String> {
    line.label_in(&document.source).map(|label| label.chars().filter(char::is_ascii_alphanumeric).collect())
}

/// Returns the lines with their labels. A line of marks alone, whose canonical form is empty, is left out.
fn kinds(document: &Document) -> Vec<(LineKind, Option<String>)> {
    let says = |line: &&Line| !line.signs.is_empty() || !matches!(line.kind, LineKind::Text | LineKind::Empty);
    document.lines.iter().filter(says).map(|line| (line.kind, label(document, line))).collect()
}

/// Asserts that lines tile the text, signs lie in them in order, and all places are within the text.
fn tiles(document: &Document) {
    let source = &document.source;
    let mut end = 0;
    for line in &document.lines {
        assert_eq!(line.span.start, end, "lines tile");
        end = line.span.end;
        assert!(line.label.is_none_or(|label| source.get(label.start..label.end).is_some()), "label");
        let mut before = line.span.start;
        for sign in &line.signs {
            assert!(sign.span.start >= before && sign.span.end >= sign.span.start, "order of signs");
            assert!(source.get(sign.span.start..sign.span.end).is_some(), "characters of a sign");
            assert!(sign.span.end <= line.span.end, "sign within its line");
            before = sign.span.start;
        }
    }
    assert_eq!(end, source.len(), "lines cover the text");
    let mut done = 0;
    for edit in &document.edits {
        assert!(edit.span.start >= done && source.get(edit.span.start..edit.span.end).is_some(), "edits");
        assert!(!edit.rule.is_empty(), "an edit has a rule");
        done = edit.span.end;
    }
    for told in &document.diagnostics {
        let spans = [Some(told.span), told.other, told.offer.as_ref().map(|offer| offer.span)];
        let is_inside = |span: tuppum_text::Span| source.get(span.start..span.end).is_some();
        assert!(spans.into_iter().flatten().all(is_inside), "a remark points into the text");
    }
}

/// Asserts that the canonical form reads like the text, and that reading it again changes nothing.
fn reads_back(typed: &str, options: &ReadingOptions) {
    let document = Document::read_with(typed, options);
    tiles(&document);
    let canonical = document.canonical();
    let again = Document::read_with(&canonical, options);
    assert_eq!(again.canonical(), canonical, "canonical form again");
    assert_eq!(again.edits, [], "edits of the canonical form");
    assert_eq!(kinds(&again), kinds(&document), "lines of the canonical form `{canonical}`");
    assert_eq!(shown(&again), shown(&document), "signs of the canonical form `{canonical}`");
}

fn text(input: &[u8]) -> &str {
    std::str::from_utf8(input).unwrap_or_default()
}

/// Returns the readings of a text, as a model would get them.
fn read(document: &Document) -> String {
    document.signs().filter_map(|sign| sign.reading()).collect::<Vec<_>>().join(" ")
}

#[test]
fn fuzz_reading() {
    // Memory: a sign of about a hundred bytes for each byte of text, its remark, and the same again for the canonical
    // form.
    let target = Target::text("reading").seeds(texts()).words(words()).memory(256 << 10, 3_000);
    target.run(|input| reads_back(text(input), &ReadingOptions::default()));
}

#[test]
fn fuzz_reading_short() {
    // Short texts meet every neighbourhood of marks.
    let words = words();
    let target = Target::text("reading-short").longest(60).seeds(&words).words(&words).memory(256 << 10, 3_000);
    target.mutations(2_000).run(|input| reads_back(text(input), &ReadingOptions::default()));
}

#[test]
fn fuzz_reading_as_chosen() {
    let target = Target::text("reading-as-chosen").longest(400).seeds(texts()).words(words()).memory(256 << 10, 3_000);
    target.run(|input| {
        for convention in Convention::ALL {
            let options = ReadingOptions { convention: Some(convention), bare_numbers_are_numerals: true };
            reads_back(text(input), &options);
        }
    });
}

#[test]
fn fuzz_writers() {
    let target = Target::text("writers").longest(400).seeds(texts()).words(words()).memory(256 << 10, 3_000);
    target.run(|input| {
        let document = Document::read(text(input));
        assert_eq!(export::restored(&document, &[]), document.source, "nothing filled is nothing changed");
        let open: Vec<(SignIndex, Vec<(String, bool)>)> = document
            .signs()
            .enumerate()
            .filter(|(_, sign)| sign.reading().is_none())
            .map(|(index, _)| (index, vec![("LUGAL".to_owned(), index % 2 == 0), ("ni₂".to_owned(), false)]))
            .collect();
        let filled = Document::read(&export::restored(&document, &open));
        tiles(&filled);
        for sign in document.signs() {
            let Some(reading) = sign.reading() else { continue };
            for index in [IndexStyle::Subscript, IndexStyle::Digit, IndexStyle::Accent] {
                for determinatives in [DeterminativeStyle::LowerBraces, DeterminativeStyle::Raised] {
                    let style = Style { index, letters: LetterStyle::Ascii, breve_h: true, determinatives };
                    assert!(!write::reading(reading, &style).is_empty(), "a reading is written");
                }
            }
        }
        for line in &document.lines {
            let said = editorial(&document, line);
            assert_eq!(said.signs.len(), line.signs.len(), "every sign is spoken of");
        }
        document.typed_translations();
        let typed = &document.source;
        for cut in [Cut::Bytes, Cut::Signs, Cut::Words] {
            let parts = parts::parts(typed, cut);
            let ends =
                parts.iter().fold(0, |at, part| if part.bytes.start == at { part.bytes.end } else { usize::MAX });
            assert_eq!(ends, typed.len() + 1, "parts tile the text and its end");
        }
    });
}

#[test]
fn fuzz_corpus_import() {
    let pairs = fs::read(project("assets/examples/old-assyrian-pairs.tsv")).unwrap();
    let seeds = [
        &pairs[..],
        b"transliteration,translation,weight\n\"a-na, be-li2\",\"to \"\"my\"\" lord\",0.5\nx,,\n",
        b"a-na;to\r\nu3;and\r\n",
        b"{\"source\":\"a-na\",\"target\":\"to\"}\n{\"source\":\"u3\",\"target\":null,\"w\":[1,2,{\"a\":1}]}\n",
        b"\xff\xfea\0-\0n\0a\0\t\0t\0o\0\n\0",
        b"\xfe\xff\0a\0\t\0b",
        b"PK\x03\x04",
    ];
    let words =
        ["\t", "\n", "\r\n", ",", ";", "\"", "\"\"", "{", "}", "[", "]", ":", "null", "1e999", "source", "target"];
    let more = ["translation", "text", "weight", "a-na", "-1", "=1+1", "\u{feff}", "\\u0000", "\\ud800", " ", "\"\n"];
    let target = Target::bytes("corpus-import").seeds(seeds).words(words).words(more);
    // Memory: three readings as tables, each with its rows, and the pairs of each with the read transliteration.
    target.memory(512 << 10, 6_000).run(|input| {
        let Ok(text) = decode(input) else { return };
        for shape in [None].into_iter().chain(Shape::ALL.map(Some)) {
            let table = Table::read(&text, shape, None);
            let width = table.columns.len();
            assert!(table.rows.iter().all(|row| row.cells.len() == width), "rows have as many cells as columns");
            let (rows, faults) = (table.rows.len(), table.faults.len());
            let columns = Columns::guess(&table);
            let mut import = Import::new(table, columns);
            while import.go_on(7, read) {}
            let corpus = import.finish();
            assert_eq!(corpus.pairs.len() + corpus.left_out.len(), rows + faults, "every row is a pair or left out");
        }
    });
}

/// Patterns that cost other readers time when they came in great numbers.
const REPEATED: [&str; 22] = [
    "[", "]", "(", ")", "{", "}", "<", ">", "|", "°\\", "[x ", "x] ", "a-", "{d}", "_a", "1.\n", "a/", "\u{301}", "𒀭 ",
    "(a", "[a\n", "|a",
];

/// Measures work by allocated memory, which is the same on every machine and must grow with the text, whatever is
/// repeated.
#[test]
fn reading_takes_work_in_proportion_to_the_text() {
    for pattern in REPEATED {
        let all = |count: usize| {
            let typed = pattern.repeat(count);
            used(|| Document::read(&typed)).1.all
        };
        // One-time initialisation happens in the first reading only.
        all(10);
        let (once, twice) = (all(2_000), all(4_000));
        // Lists double when they are full, so that twice the text may need nearly four times the memory of a list that
        // was just full; over all lists together it stays below three.
        assert!(twice <= 3 * once + 100_000, "{pattern:?}: {once} bytes for 2,000, {twice} for 4,000");
    }
}

/// Measures processor time: `cargo xtask fuzz` runs it.
#[test]
#[ignore = "measures time; `cargo xtask fuzz` runs it"]
fn fuzz_time_is_linear() {
    for pattern in REPEATED {
        let time = |count: usize| {
            let typed = pattern.repeat(count);
            let once = || processor_time(|| std::hint::black_box(Document::read(&typed))).1.as_secs_f64();
            (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
        };
        let (once, eight) = (time(5_000), time(40_000));
        println!("{pattern:>6?} {:>8.2} ms {:>8.2} ms {:>5.1} ×", once * 1e3, eight * 1e3, eight / once);
        // Eight times the text: 8 if linear, 64 if quadratic; data that no longer fits into caches takes twice as long.
        assert!(eight < 24.0 * once, "{pattern:?}: {once} s for 5,000, {eight} s for 40,000");
    }
}
