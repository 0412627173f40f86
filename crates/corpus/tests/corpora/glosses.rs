//! Measures how many words of texts that no model has seen the lexicon of Oracc glosses, in which way, and how often
//! correctly. Needs the lexicon and the texts beside the project; reports if they are missing. `docs/context.md` has
//! the figures: `cargo test -p tuppum-corpus --test corpora glosses -- --nocapture`.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tuppum_corpus::glosses::{
    Agreement, Glossary, GlossaryBuilder, MeasuredWords, agreement, for_each_entry, read, write,
};
use tuppum_corpus::signs_file::{for_each_row, text_of};
use tuppum_domain::gloss::SpellingMatch;
use tuppum_text::{Convention, Document, ReadingOptions};

/// Corpora, each with `true` if the lexicon counts its words, and the minimum share of glossed words: the measured
/// share (0.935, 0.709, 0.901) less one percent.
const CORPORA: [(&str, bool, f64); 3] = [
    ("oracc/monolingual/oracc_signs.tsv.xz", true, 0.925),
    ("cdli/monolingual/cdli_old_assyrian_signs.tsv.xz", false, 0.699),
    ("cdli/monolingual/cdli_other_signs.tsv.xz", false, 0.891),
];
/// Largest frequency of spellings that represent unknown ones.
const RAREST: u32 = 3;

/// Returns the lexicon, if the data are there, read once for all tests.
fn lexicon() -> Option<&'static (Glossary, PathBuf)> {
    static LEXICON: OnceLock<Option<(Glossary, PathBuf)>> = OnceLock::new();
    LEXICON.get_or_init(built).as_ref()
}

fn built() -> Option<(Glossary, PathBuf)> {
    let data = tuppum_testing::project("../shared/data");
    if !data.is_dir() {
        println!("skipped: no lexicon at {}", data.display());
        return None;
    }
    let mut builder = GlossaryBuilder::default();
    for_each_entry(&data.join("oracc/lexicon/oracc_forms.tsv.xz"), |row| builder.add(row)).unwrap();
    Some((builder.build().unwrap(), data))
}

#[test]
fn the_shipped_lexicon_is_made_from_these_data() {
    let pack = std::fs::read(tuppum_testing::project("models/corpus/glosses.pack")).unwrap();
    let shipped = read(&pack).unwrap();
    assert_eq!(shipped.look_up(&["LUGAL"]).unwrap().glosses[0].lemma, "šarru");
    let Some((glossary, _)) = lexicon() else { return };
    assert!(write(glossary) == pack, "`tuppum corpus build DATA --lexicon TABLE` gives another pack");
}

#[test]
fn words_of_unseen_texts_are_glossed() {
    let Some((glossary, data)) = lexicon() else { return };
    for (file, own_words, least) in CORPORA {
        let mut words = MeasuredWords::default();
        for_each_row(&data.join("validation").join(file), None, |row| words.add(row)).unwrap();
        let coverage = words.coverage(glossary, own_words);
        let share = |count: usize| count as f64 / coverage.words as f64;
        let glossed = share(coverage.glossed());
        println!(
            "{file}: {} words and {} numerals, {:.1} % glossed; {:.1} % of those in several ways",
            coverage.words,
            coverage.numerals,
            100.0 * glossed,
            100.0 * coverage.ambiguous as f64 / coverage.glossed() as f64
        );
        for by in SpellingMatch::ALL {
            println!("    {:32} {:5.1} %", by.name(), 100.0 * share(coverage.found[by as usize]));
        }
        assert!(glossed >= least, "{file}: {glossed:.4} of the words are glossed, expected {least}");
    }
}

#[test]
fn spellings_that_are_not_known_are_mostly_glossed_rightly() {
    let Some((glossary, _)) = lexicon() else { return };
    let (asked, agreement) = agreement(glossary, RAREST);
    let mut all = Agreement::default();
    let print = |name: &str, Agreement { found, first, among }: &Agreement| {
        let [first, among] = [first, among].map(|count| 100.0 * *count as f64 / *found as f64);
        let share = 100.0 * *found as f64 / asked as f64;
        println!("    {name:32} {found:6} {share:5.1} %, the first right in {first:.1} %, one of them in {among:.1} %");
    };
    println!("{asked} spellings of at most {RAREST} words, each as if it were not there");
    for by in SpellingMatch::ALL.into_iter().skip(1) {
        let own = &agreement[by as usize];
        print(by.name(), own);
        all = Agreement { found: all.found + own.found, first: all.first + own.first, among: all.among + own.among };
    }
    print("together", &all);
    // Measured: 0.526 and 0.807, less one percent.
    assert!(all.found as f64 / asked as f64 > 0.516 && all.first as f64 / all.found as f64 > 0.797, "{all:?}");
}

/// Counts of a treebank's words: glossed words, and those whose first gloss, or any gloss, is correct.
#[derive(Default)]
struct Compared {
    words: usize,
    glossed: usize,
    first: usize,
    among: usize,
}

#[test]
fn lemmata_agree_with_those_of_the_treebank() {
    let Some((glossary, data)) = lexicon() else { return };
    let mut compared: BTreeMap<bool, Compared> = BTreeMap::new();
    for (readings, lemma) in lemmatised(&data.join("ud_akkadian/akk_riao-ud.conllu.xz")) {
        let readings: Vec<&str> = readings.iter().map(String::as_str).collect();
        let found = glossary.look_up(&readings);
        let tally = compared.entry(found.as_ref().is_some_and(|found| found.glosses.len() > 1)).or_default();
        tally.words += 1;
        let Some(found) = found else { continue };
        tally.glossed += 1;
        tally.first += usize::from(found.glosses[0].lemma == lemma);
        tally.among += usize::from(found.glosses.iter().any(|gloss| gloss.lemma == lemma));
    }
    for (ambiguous, Compared { words, glossed, first, among }) in &compared {
        println!("several lemmata {ambiguous}: {words} words, {glossed} glossed, first {first}, among {among}");
    }
    let (first, glossed) =
        compared.values().fold((0, 0), |(first, glossed), own| (first + own.first, glossed + own.glossed));
    assert!(first as f64 / glossed as f64 > 0.8, "{first} of {glossed}");
}

/// Returns the words of a treebank with a lemma and a spelling of one word, without numerals.
fn lemmatised(path: &Path) -> Vec<(Vec<String>, String)> {
    let options = ReadingOptions { bare_numbers_are_numerals: true, convention: Some(Convention::Oracc) };
    let text = text_of(path).unwrap();
    let columns = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut found = Vec::new();
    for columns in columns {
        let [id, _, lemma, kind, .., spelling] = columns[..] else { continue };
        if id.contains(['-', '.']) || lemma == "_" || spelling == "_" || kind == "NUM" {
            continue;
        }
        let document = Document::read_with(spelling, &options);
        let readings: Option<Vec<String>> = document.signs().map(|sign| sign.reading().map(str::to_owned)).collect();
        let is_word = document.signs().skip(1).all(|sign| !sign.starts_word());
        if let Some(readings) = readings.filter(|readings| is_word && !readings.is_empty()) {
            found.push((readings, lemma.to_owned()));
        }
    }
    found
}
