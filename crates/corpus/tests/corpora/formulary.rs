//! Compares the formulary with the texts: every clause stands where it is cited, and enough of the texts is covered.
//! Needs the texts beside the project; reports if they are missing. `docs/formulary.md` has the figures: `cargo test -p
//! tuppum-corpus --test corpora formulary -- --nocapture`.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tuppum_corpus::formulary::{Formulary, PassageWord};
use tuppum_corpus::signs_file::for_each_row;

const TEXTS: &str = "cdli/monolingual/cdli_old_assyrian_signs.tsv.xz";
/// Minimum share of covered words: the measured share (0.433) less one percent.
const LEAST_COVERED: f64 = 0.423;
/// Number of texts listed for a clause.
const SHOWN: usize = 12;

/// A line of a text: label, transliteration and words.
struct Line {
    label: String,
    transliteration: String,
    words: Vec<PassageWord>,
}

type Texts = BTreeMap<String, Vec<Line>>;

/// Returns the folder of data, if it is there.
fn data() -> Option<PathBuf> {
    let data = tuppum_testing::project("../shared/data");
    if !data.is_dir() {
        println!("skipped: no texts at {}", data.display());
        return None;
    }
    Some(data)
}

/// Returns the Old Assyrian texts in a folder of data, read once for all tests.
fn old_assyrian(data: &Path) -> &'static Texts {
    static TEXTS_READ: OnceLock<Texts> = OnceLock::new();
    TEXTS_READ.get_or_init(|| texts(data.join(TEXTS)))
}

/// Returns the lines of a file by text.
fn texts(file: PathBuf) -> Texts {
    let mut texts = Texts::new();
    for_each_row(&file, None, |row| {
        let words = PassageWord::all_of_row(row);
        let (label, transliteration) = (row.line.to_owned(), row.transliteration.to_owned());
        texts.entry(row.text.to_owned()).or_default().push(Line { label, transliteration, words });
    })
    .unwrap();
    texts
}

/// Returns all words of a text in order.
fn passage(lines: &[Line]) -> Vec<PassageWord> {
    lines.iter().flat_map(|line| line.words.clone()).collect()
}

#[test]
fn every_clause_stands_in_the_texts_that_it_cites() {
    let formulary = Formulary::compiled_in().unwrap_or_else(|error| panic!("{error}"));
    let Some(data) = data() else { return };
    let texts = old_assyrian(&data);
    let cited: BTreeSet<&String> = formulary.clauses().iter().flat_map(|clause| &clause.texts).collect();
    let found: BTreeMap<&str, BTreeMap<&str, usize>> = cited
        .into_iter()
        .filter_map(|text| Some((text.as_str(), formulary.clauses_in(&passage(texts.get(text)?)))))
        .collect();
    let missing: Vec<String> = formulary
        .clauses()
        .iter()
        .flat_map(|clause| clause.texts.iter().map(move |text| (clause, text)))
        .filter(|(clause, text)| !found.get(text.as_str()).is_some_and(|own| own.contains_key(clause.name.as_str())))
        .map(|(clause, text)| format!("{} in {text}", clause.name))
        .collect();
    assert!(missing.is_empty(), "these clauses do not stand where they are cited: {missing:#?}");
}

#[test]
fn no_clause_is_cited_from_a_text_kept_for_validation() {
    let formulary = Formulary::compiled_in().unwrap_or_else(|error| panic!("{error}"));
    let Some(data) = data() else { return };
    let kept = texts(data.join("validation").join(TEXTS));
    let wrong: Vec<&String> =
        formulary.clauses().iter().flat_map(|clause| &clause.texts).filter(|text| kept.contains_key(*text)).collect();
    assert!(!kept.is_empty() && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_name_is_spelled_so_in_the_texts() {
    let Some(data) = data() else { return };
    let names = std::fs::read_to_string(tuppum_testing::project("crates/corpus/src/formulary/names.tsv")).unwrap();
    let texts = old_assyrian(&data);
    let bare = |word: &str| word.replace(['-', '.'], "");
    let attested: BTreeSet<String> =
        texts.values().flatten().flat_map(|line| &line.words).map(|word| bare(&word.written)).collect();
    let rows = names.lines().filter(|line| !line.starts_with('#')).skip(1);
    let spellings = rows.filter_map(|row| row.split_once('\t')).flat_map(|(_, spellings)| spellings.split(" | "));
    let missing: Vec<&str> = spellings.filter(|spelling| !attested.contains(&bare(spelling))).collect();
    assert!(missing.is_empty(), "these spellings stand in no text: {missing:?}");
}

#[test]
fn much_of_the_texts_is_covered() {
    let Some(data) = data() else { return };
    let formulary = Formulary::shared();
    let (mut words, mut legible, mut covered) = (0, 0, 0);
    let (mut lines, mut touched, mut whole) = (0, 0, 0);
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for text in old_assyrian(&data).values() {
        let cover = formulary.cover_words(&passage(text));
        let in_clause: Vec<bool> =
            cover.parts.iter().flat_map(|part| vec![part.clause.is_some(); part.words.len()]).collect();
        for clause in cover.parts.iter().filter_map(|part| part.clause.as_ref()) {
            *used.entry(clause.name.clone()).or_default() += 1;
        }
        let mut at = 0;
        for line in text {
            let own = &in_clause[at..at + line.words.len()];
            at += line.words.len();
            let count = own.iter().filter(|is_covered| **is_covered).count();
            (words, covered) = (words + own.len(), covered + count);
            legible += line.words.iter().filter(|word| word.is_legible()).count();
            lines += 1;
            touched += usize::from(count > 0);
            whole += usize::from(count == own.len());
        }
    }
    let share = |part: usize, all: usize| 100.0 * part as f64 / all as f64;
    println!(
        "{words} words, {covered} covered ({:.1} %, {:.1} % of the {legible} legible ones); {lines} lines, {touched} \
         with a clause ({:.1} %), {whole} covered as a whole ({:.1} %)",
        share(covered, words),
        share(covered, legible),
        share(touched, lines),
        share(whole, lines)
    );
    let mut used: Vec<(String, usize)> = used.into_iter().collect();
    used.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    used.iter().for_each(|(name, count)| println!("{count:6} {name}"));
    assert!(covered as f64 / words as f64 >= LEAST_COVERED, "{covered} of {words} words are covered");
}

/// Lists where each clause stands, as a help to choose citations.
#[test]
#[ignore = "prints a list for who adds a clause"]
fn list_where_each_clause_stands() {
    let Some(data) = data() else { return };
    let formulary = Formulary::shared();
    let mut places: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for (text, lines) in old_assyrian(&data) {
        let cover = formulary.cover_words(&passage(lines));
        let length = lines.len();
        for clause in cover.parts.iter().filter_map(|part| part.clause.as_ref()) {
            let is_known = clause.slots.iter().all(|slot| slot.is_known);
            let own = places.entry(clause.name.clone()).or_default();
            if is_known && !own.iter().any(|(_, other)| other == text) {
                own.push((length, text.clone()));
            }
        }
    }
    for (name, mut texts) in places {
        texts.sort();
        let shown: Vec<String> = texts.iter().take(SHOWN).map(|(_, text)| text.clone()).collect();
        println!("{name}\t{}\t{}", texts.len(), shown.join(" "));
    }
}

/// Lists a hundred random lines with a clause, and the English of their covers, for a reader to judge.
#[test]
#[ignore = "prints lines for a reader to judge"]
fn list_a_hundred_lines() {
    let Some(data) = data() else { return };
    let formulary = Formulary::shared();
    let mut lines = Vec::new();
    for (text, own) in old_assyrian(&data) {
        for line in own {
            let cover = formulary.cover_words(&line.words);
            if cover.covered() > 0 {
                lines.push(format!("{text} {}\t{}\t{}", line.label, line.transliteration, cover.english()));
            }
        }
    }
    let mut random = tuppum_random::Random::new(100);
    random.shuffle(&mut lines);
    lines.iter().take(100).for_each(|line| println!("{line}"));
}
