//! Measures how often texts outside the index are attributed to their period and project. Needs the pack and the texts
//! beside the project; reports if they are missing. `docs/context.md` has the figures: `cargo test -p tuppum-corpus
//! --test corpora attribution -- --nocapture`.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use std::collections::BTreeMap;
use tuppum_corpus::attested::{AttestedSign, AttestedTexts, ILLEGIBLE, TEXT_END, read};
use tuppum_corpus::attribution::{Measured, Origin, OriginScores, Voting, fit, nearest};
use tuppum_corpus::signs_file::for_each_row;
use tuppum_corpus::signs_row::CorpusSign;

const CORPORA: [(&str, &str); 3] = [
    ("Oracc", "oracc/monolingual/oracc_signs.tsv.xz"),
    ("Old Assyrian (CDLI)", "cdli/monolingual/cdli_old_assyrian_signs.tsv.xz"),
    ("other (CDLI)", "cdli/monolingual/cdli_other_signs.tsv.xz"),
];
/// Largest number of texts that vote in any setting that is tried.
const VOTERS: usize = 20;
/// Length of a fragment: the first signs of a text.
const FRAGMENT: usize = 20;

/// A text with its known origin.
#[derive(Default)]
struct Text {
    project: String,
    language: String,
    signs: Vec<AttestedSign>,
}

/// A text to measure, the index of its corpus, and `true` if it is only the beginning of a text.
struct Known {
    text: Measured,
    corpus: usize,
    is_fragment: bool,
}

/// Returns the texts of all corpora with their nearest texts, each followed by its beginning as a fragment.
fn measured(corpus: &AttestedTexts) -> Option<Vec<Known>> {
    let data = tuppum_testing::project("../shared/data/validation");
    if !data.is_dir() {
        println!("skipped: no texts at {}", data.display());
        return None;
    }
    let mut found = Vec::new();
    for (number, (_, file)) in CORPORA.into_iter().enumerate() {
        let mut texts: BTreeMap<String, Text> = BTreeMap::new();
        for_each_row(&data.join(file), None, |row| {
            let text = texts.entry(row.text.to_owned()).or_default();
            // As in the pack, the first row determines the text's metadata.
            if text.signs.is_empty() {
                (text.project, text.language) = (row.project.to_owned(), row.language.to_owned());
            }
            text.signs.extend(row.signs.iter().map(|sign| asked(corpus, sign)));
        })
        .unwrap();
        for Text { project, language, signs } in texts.into_values() {
            for (is_fragment, length) in [(false, signs.len()), (true, signs.len().min(FRAGMENT))] {
                let nearest = nearest(corpus, &signs[..length], VOTERS, None);
                let known = signs[..length].iter().filter(|sign| sign.reading > TEXT_END).count();
                let text = Measured { project: project.clone(), language: language.clone(), signs: known, nearest };
                found.push(Known { text, corpus: number, is_fragment });
            }
        }
    }
    Some(found)
}

fn asked(corpus: &AttestedTexts, sign: &CorpusSign) -> AttestedSign {
    let known = Some(sign.reading).filter(|_| sign.state.is_legible()).and_then(|name| corpus.readings().number(name));
    AttestedSign { reading: known.unwrap_or(ILLEGIBLE), starts_word: sign.starts_word }
}

#[test]
fn texts_are_attributed_to_their_period_and_project() {
    let pack = std::fs::read(tuppum_testing::project("models/corpus/corpus.pack")).unwrap();
    let corpus = read(&pack).unwrap();
    let started = std::time::Instant::now();
    let Some(texts) = measured(&corpus) else { return };
    println!("{} texts and their beginnings, the nearest found in {:?}", texts.len() / 2, started.elapsed());
    for (origin, least) in [(Origin::Period, 0.93), (Origin::Project, 0.82)] {
        // Each half of the texts is scored with the parameters fitted on the other half.
        let of_half = |place: usize| place / 2 % 2;
        let half = |which: usize| -> Vec<&Measured> {
            let own = texts.iter().enumerate().filter(|(place, _)| of_half(*place) == which);
            own.map(|(_, known)| &known.text).collect()
        };
        let fitted = [fit(&corpus, origin, &half(1)), fit(&corpus, origin, &half(0))];
        let all = fit(&corpus, origin, &[half(0), half(1)].concat());
        println!("\n{origin:?}: fitted on all {all:?}, on the halves {fitted:?}");
        assert_eq!(all, Voting::shipped(origin));
        let baseline = Voting { voters: 0, sharpness: 1.0, growth: 0.0, ..all };
        let print = |name: &str, wanted: &dyn Fn(&Known) -> bool| {
            let own = texts.iter().enumerate().filter(|(_, known)| wanted(known));
            let own: Vec<(&Measured, &Voting)> =
                own.map(|(place, known)| (&known.text, &fitted[of_half(place)])).collect();
            let commonest = OriginScores::of(&corpus, origin, own.iter().map(|(text, _)| (*text, &baseline)));
            let scores = OriginScores::of(&corpus, origin, own);
            let OriginScores { texts, first, among_three, loss, calibration_error } = scores;
            println!(
                "{name:30} {texts:5}  {first:.3}  {among_three:.3}  {loss:.3}  {calibration_error:.3}               \
                 {:.3}  {:.3}  {:.3}",
                commonest.first, commonest.among_three, commonest.loss
            );
            first
        };
        println!("{:30} texts  first  three   loss  calibration  commonest: first  three   loss", "");
        for (number, (name, _)) in CORPORA.into_iter().enumerate() {
            print(name, &|known| known.corpus == number && !known.is_fragment);
        }
        let first = print("all", &|known| !known.is_fragment);
        for (number, (name, _)) in CORPORA.into_iter().enumerate() {
            print(&format!("{name}, {FRAGMENT} signs"), &|known| known.corpus == number && known.is_fragment);
        }
        print(&format!("all, {FRAGMENT} signs"), &|known| known.is_fragment);
        assert!(first >= least, "{origin:?}: {first:.3} of the texts are attributed rightly, expected {least}");
    }
}
