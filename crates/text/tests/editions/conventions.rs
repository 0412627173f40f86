//! Tests excerpts in every convention that scholars paste against their expected readings: `tests/golden/reading`.

use std::fs;
use std::path::PathBuf;
use tuppum_text::{Convention, Document, Language, LineKind, Severity, export, write};

/// Excerpts with their number of lines of transliteration.
const EXCERPTS: [(&str, usize); 7] = [
    ("ebl.atf", 25),
    ("oracc.atf", 9),
    ("cdli.atf", 7),
    ("oracc-page.txt", 8),
    ("glyphs.txt", 2),
    ("print.txt", 7),
    ("export.txt", 2),
];

fn path(file: &str) -> PathBuf {
    tuppum_testing::project("tests/golden/reading").join(file)
}

fn typed(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap()
}

#[test]
fn excerpts_are_read_as_before() {
    for (file, lines) in EXCERPTS {
        let document = Document::read(&typed(file));
        let canonical = document.canonical();
        let golden = path(file).with_extension("canonical");
        if std::env::var_os("TUPPUM_REWRITE").is_some() {
            fs::write(&golden, &canonical).unwrap();
        }
        assert_eq!(canonical, fs::read_to_string(&golden).unwrap(), "{file}");
        assert_eq!(document.lines.iter().filter(|line| line.kind == LineKind::Text).count(), lines, "{file}");
        let told: Vec<_> = document.diagnostics.iter().filter(|told| told.severity == Severity::Warning).collect();
        assert!(told.is_empty(), "{file}: {told:#?}");
    }
}

#[test]
fn the_canonical_form_reads_as_it_stands() {
    for (file, _) in EXCERPTS {
        let document = Document::read(&typed(file));
        let again = Document::read(&document.canonical());
        assert_eq!(again.edits, [], "{file}");
        let readings = |document: &Document| -> Vec<_> {
            document.signs().map(|sign| (sign.kind.clone(), sign.state, sign.joiner, sign.language)).collect()
        };
        assert_eq!(readings(&again), readings(&document), "{file}");
    }
}

#[test]
fn the_typed_convention_comes_back() {
    for (file, _) in EXCERPTS {
        let typed = typed(file);
        let document = Document::read(&typed);
        assert_eq!(export::restored(&document, &[]), typed, "{file}");
        for reading in document.signs().filter_map(|sign| sign.reading()) {
            let written = write::reading(reading, &document.style);
            let read = Document::read(&written);
            let found: Vec<_> = read.signs().map(|sign| sign.reading()).collect();
            assert_eq!(found, [Some(reading)], "{file}: {reading} written {written}");
        }
    }
}

#[test]
fn excerpts_know_their_languages() {
    let sumerian = |file: &str| {
        let document = Document::read(&typed(file));
        document.signs().filter(|sign| sign.language == Language::Sumerian).count()
    };
    assert_eq!((sumerian("cdli.atf"), sumerian("oracc-page.txt")), (0, 0));
    assert!(sumerian("ebl.atf") > 10 && sumerian("oracc.atf") == 4);
}

#[test]
fn excerpts_show_their_convention() {
    let found = |file: &str| Document::read(&typed(file)).convention;
    for (file, convention) in [
        ("ebl.atf", Convention::Ebl),
        ("oracc.atf", Convention::Cdli),
        ("cdli.atf", Convention::Cdli),
        ("oracc-page.txt", Convention::Oracc),
        ("print.txt", Convention::Print),
        ("export.txt", Convention::Export),
    ] {
        let found = found(file);
        assert_eq!(found.convention, convention, "{file}: {found:?}");
        assert!(found.confidence > 0.5, "{file}: {found:?}");
    }
}
