//! The names of a text: listed and marked, from the lexicon, from a model, and from the user's own list, which takes
//! precedence and can be deleted.

use std::path::PathBuf;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, SOON, TINY_ON_CPU, Workbench};

/// A god and a city of the lexicon, a city that no list has, and a merchant who is only in the user's list.
const TEXT: &str = "1. a-na {d}AMAR.UTU ša {URU}ni-nu-a\n2. {URU}be-er-ru-ba-at a-na gu-zu-ba-ni-im qi₂-bi₂-ma";
/// The user's list spells the merchant with another sign, and calls the god otherwise than the lexicon.
const LIST: &str = "spelling\tname\tkind\trendering\n\
    gu-zu₂-ba-ni-im\tGuzubānum\tperson\tGuzubānum\n\
    {d}AMAR.UTU\tMarduk\tgod\tthe god Marduk\n";

fn file(name: &str, contents: &str) -> PathBuf {
    let path = tuppum_browser_tests::evidence().join(name);
    std::fs::write(&path, contents).expect("a file to pick");
    path.canonicalize().expect("the file just written")
}

/// Imports a list of names on the page “Models”.
fn bring(bench: &Workbench, file: &std::path::Path) {
    bench.page.press("link", "Models");
    let field = bench.page.wait("the field", SOON, |page| page.select("#own-names-file").into_iter().next());
    bench.page.pick_file(&field, file);
    bench.page.wait("the name to be asked for", SOON, |page| page.select("#own-name").into_iter().next());
    bench.click("#own-name-keep");
}

/// Returns the row of a word in the list of names.
fn row(bench: &Workbench, word: &str) -> String {
    bench.shown(&format!("#name-list tr[data-name='{word}']"))
}

/// Returns the classes and the tooltip of the word that begins with a sign.
fn mark(bench: &Workbench, sign: usize) -> String {
    let script = "const word = document.querySelector(`#reading [data-sign='${arguments[0]}']`)?.closest('.word');
        return word ? `${word.className}: ${word.title}` : ''";
    bench.page.run(script, &[sign.into()]).as_str().unwrap_or_default().to_owned()
}

fn open_names(bench: &Workbench) {
    bench.click("#text-names > summary");
    let opens = "return document.querySelector('#text-names [data-action=open-corpora]') !== null";
    if bench.page.run(opens, &[]) == true {
        bench.click("#text-names [data-action=open-corpora]");
    }
    bench.page.wait("the names", ANSWERING, |page| (!page.select("#name-list tbody tr").is_empty()).then_some(()));
}

#[test]
fn names_are_listed_marked_and_decided_by_a_list_of_ones_own() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("names"), &site, TINY_ON_CPU);
    bench.ready();
    bench.write(TEXT);
    open_names(&bench);
    let god = row(&bench, "{d}AMAR.UTU");
    assert!(god.contains("god") && god.contains("Marduk") && god.contains("in the lexicon"), "{god}");
    let unknown = row(&bench, "{URU}be-er-ru-ba-at");
    assert!(unknown.contains("settlement") && unknown.contains("guess"), "{unknown}");
    assert_eq!(mark(&bench, 2), "word name: Name: god (the lexicon)");
    assert!(mark(&bench, 0).starts_with("word:"), "{}", mark(&bench, 0));
    bench.page.press("button", "Copy as TEI");
    let tei = bench.page.wait("TEI", SOON, |page| Some(page.clipboard()).filter(|t| t.contains("<TEI")));
    assert!(tei.contains("<placeName type=\"settlement\" resp=\"#tuppum\" evidence=\"conjecture\""), "{tei}");
    assert!(tei.contains("<name type=\"god\" resp=\"#tuppum\" evidence=\"external\""), "{tei}");

    bring(&bench, &file("wrong-names.tsv", "spelling\tkind\nba-ba\tuncle\n"));
    bench.sees("Line 2: “uncle” is no kind of names");
    assert!(!bench.shown("#own-texts").contains("wrong-names"), "what cannot be read is not kept");
    bring(&bench, &file("merchants.tsv", LIST));
    bench.sees("Kept: “merchants”, 2 names");
    bench.page.press("link", "Workbench");
    let own = bench.page.wait("the user's name", ANSWERING, |_| {
        Some(row(&bench, "gu-zu-ba-ni-im")).filter(|row| row.contains("in your list"))
    });
    assert!(own.contains("person") && own.contains("as gu-zu₂-ba-ni-im: same sound, other signs"), "{own}");
    assert!(mark(&bench, 2).starts_with("word name own"), "{}", mark(&bench, 2));

    bench.write("1. gu-zu₂-x-ni-im");
    bench.restore();
    let places = "return document.querySelector('#attested')?.textContent ?? ''";
    bench.page.wait("the user's name as a place", ANSWERING, |page| {
        let found = page.run(places, &[]);
        found.as_str().filter(|found| found.contains("merchants") && found.contains("Yours")).map(|_| ())
    });

    bench.page.press("link", "Models");
    bench.page.press("button", "Delete merchants …");
    bench.click("#own-forget");
    bench.page.press("link", "Workbench");
    bench.write(TEXT);
    bench.page.wait("the lexicon's name", ANSWERING, |_| {
        Some(row(&bench, "{d}AMAR.UTU")).filter(|row| row.contains("in the lexicon"))
    });
    assert!(bench.trouble().is_empty(), "{}", bench.trouble());
}

#[test]
fn a_translation_renders_names_as_the_list_says() {
    let site = Site::of_the_page();
    let bench = Workbench::open(Setup::new("names-translated"), &site, TINY_ON_CPU);
    bench.ready();
    bring(&bench, &file("gods.tsv", LIST));
    bench.sees("Kept: “gods”, 2 names");
    bench.page.press("link", "Workbench");
    // A blessing that occurs in hundreds of the letters on which the translator was trained.
    bench.write("{d}PA u {d}AMAR.UTU a-na LUGAL be-li₂-ia lik-ru-bu");
    open_names(&bench);
    bench.set_number("translate-beams", "2");
    bench.set_number("translate-longest", "80");
    bench.translate();
    let english = bench.page.wait("the user's rendering", ANSWERING, |_| {
        bench.english().into_iter().next().filter(|english| english.contains("the god Marduk"))
    });
    println!("{english}");
    assert!(bench.passages()[0].facts.contains("Your wording"), "{}", bench.passages()[0].facts);
}
