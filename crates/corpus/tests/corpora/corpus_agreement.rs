//! Compares the reader with the corpora: reading the `transliteration` column gives the `readings` and `word_starts`
//! columns on which the restorer was trained. Needs the corpora beside the project; reports if they are missing.

use std::collections::BTreeMap;
use std::path::Path;
use tuppum_text::{Document, SignKind};

/// Files of the corpora with the minimum share of lines that agree: the measured shares (0.9969, 0.9999, 0.9997) less
/// some four tenths of a percent. The rest are determinatives that a corpus writes small, signs side by side without a
/// joiner, and alternatives (`MA/KU`), which are one sign here and two in the corpus.
const FILES: [(&str, f64); 3] = [
    ("oracc/monolingual/oracc_signs.tsv.xz", 0.993),
    ("cdli/monolingual/cdli_old_assyrian_signs.tsv.xz", 0.994),
    ("cdli/monolingual/cdli_other_signs.tsv.xz", 0.994),
];

/// Number of lines of each file that are compared.
const LINES: usize = 20_000;

#[test]
fn reads_the_corpora_as_training_did() {
    let data = tuppum_testing::project("../shared/data");
    if !data.is_dir() {
        println!("skipped: no corpora at {}", data.display());
        return;
    }
    for (file, least) in FILES {
        let (agreeing, total, causes) = compare(&data.join(file));
        let share = agreeing as f64 / total as f64;
        println!("{file}: {agreeing} of {total} lines agree ({:.2} %)", share * 100.0);
        for (cause, (count, example)) in &causes {
            println!("  {count:5} {cause}: {example}");
        }
        assert!(share >= least, "{file}: {share:.4} of the lines agree, expected {least}");
    }
}

type Causes = BTreeMap<&'static str, (usize, String)>;

/// Returns the number of lines that agree, the number of all lines, and the causes of disagreement.
fn compare(file: &Path) -> (usize, usize, Causes) {
    let mut packed = std::io::BufReader::new(std::fs::File::open(file).expect("the corpus file opens"));
    let mut unpacked = Vec::new();
    lzma_rs::xz_decompress(&mut packed, &mut unpacked).expect("the corpus file unpacks");
    let text = String::from_utf8(unpacked).expect("the corpus file is UTF-8");
    let (mut agreeing, mut total) = (0, 0);
    let mut causes = Causes::new();
    for line in text.lines().skip(1).take(LINES) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, _, _, _, transliteration, readings, _, states, word_starts, ..] = columns.as_slice() else { continue };
        total += 1;
        let expected: Vec<(String, bool)> = readings
            .split(' ')
            .zip(states.chars())
            .zip(word_starts.chars())
            .filter(|((_, state), _)| *state != 'O')
            .map(|((reading, state), start)| (trained_as(reading, state), start == '1' || state == 'G'))
            .collect();
        let document = Document::read(transliteration);
        let read: Vec<(String, bool)> = document
            .signs()
            .map(|sign| {
                let reading = match &sign.kind {
                    SignKind::Reading(reading) => reading.clone(),
                    SignKind::Illegible => "<x>".to_owned(),
                    SignKind::Gap => "<gap>".to_owned(),
                    SignKind::Unreadable => format!("unreadable {}", sign.span.of(transliteration)),
                };
                let starts = sign.kind == SignKind::Gap || sign.starts_word();
                (reading, starts)
            })
            .collect();
        if read == expected {
            agreeing += 1;
        } else {
            let example = format!("{transliteration} | {readings} | {word_starts}");
            let entry = causes.entry(cause(&read, &expected)).or_insert((0, example));
            entry.0 += 1;
        }
    }
    (agreeing, total, causes)
}

/// Returns the token's text as the training program reads the columns, without its hyphen. A gap has no place in a word
/// there.
fn trained_as(reading: &str, state: char) -> String {
    match state {
        'G' => "<gap>".to_owned(),
        'X' => "<x>".to_owned(),
        _ if reading == "x" => "<x>".to_owned(),
        _ => reading.to_owned(),
    }
}

fn cause(read: &[(String, bool)], expected: &[(String, bool)]) -> &'static str {
    if read.len() != expected.len() {
        return "another number of signs";
    }
    let mut pairs = read.iter().zip(expected).filter(|(read, expected)| read != expected);
    match pairs.next() {
        Some((read, expected)) if read.0 == expected.0 => "another word boundary",
        Some((read, expected)) if read.0.starts_with('{') && read.0 == expected.0.to_uppercase() => {
            "determinative in small letters in the corpus"
        }
        Some((read, _)) if read.0.starts_with("unreadable") => "unreadable",
        _ => "another reading",
    }
}
