//! The pack of attested texts as a user meets it: built from corpora, searched, and asked when gaps are restored.

use std::path::{Path, PathBuf};
use std::process::Command;

const HEADER: &str = "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts\n";
const LETTER: &str = "a na {d} UTU LUGAL EN ia\t𒀀 𒈾 𒀭 𒌓 𒈗 𒂗 𒅀\tPPPPPPP\t1010110\n";
const LEXICON: &str = "spelling\tlemma\tguide_word\tpos\tnormalization\tcount\n\
    LUGAL\tšarru\tking\tN\tšarri\t7118\nbe-li₂-ia\tbēlu\tlord\tN\tbēlīya\t300\n";

/// Runs the command in the project's folder; what it printed, or its error.
fn tuppum(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    let output = command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// Returns a pack of two letters with one line each, in a folder of the test's own.
fn pack(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let rows = ["P100001", "P100002"].map(|text| format!("{text}\tsaao/saa01\takk-x-neoass\to 1\t-\t{LETTER}"));
    std::fs::write(folder.join("small_signs.tsv"), format!("{HEADER}{}", rows.concat())).unwrap();
    let lexicon = folder.join("forms.tsv");
    std::fs::write(&lexicon, LEXICON).unwrap();
    let (folder, lexicon) = (folder.to_str().unwrap(), lexicon.to_str().unwrap());
    let built = tuppum(&["corpus", "build", folder, "--lexicon", lexicon, "--out", folder]).unwrap();
    assert!(built.contains("2 texts, 14 signs") && built.contains("2 spellings of 2 lemmata"), "{built}");
    folder.into()
}

#[test]
fn a_line_with_a_lost_sign_finds_where_it_stands() {
    let pack = pack("search");
    let found = tuppum(&["search", "--corpus", pack.to_str().unwrap(), "--text", "a-na {d}x LUGAL EN-ia"]).unwrap();
    assert!(found.contains("100 %  P100001 (saao/saa01), o 1: 0 of 7 columns differ"), "{found}");
    assert!(found.contains("https://oracc.museum.upenn.edu/saao/saa01/P100002"), "{found}");
    let except = ["--except", "P100001", "--text", "a-na {d}x LUGAL EN-ia"];
    let found = tuppum(&[&["search", "--corpus", pack.to_str().unwrap()][..], &except].concat()).unwrap();
    assert!(found.contains("P100002") && !found.contains("P100001"), "{found}");
}

#[test]
fn texts_of_ones_own_are_searched_too_and_told_apart() {
    let pack = pack("own");
    let own = pack.join("my letters.txt");
    std::fs::write(&own, "&P900001 = mine\n1. um-ma LUGAL EN-ia a-na šul-mi\n").unwrap();
    let text = ["--text", "um-ma LUGAL EN-ia a-na x-mi EN"];
    let (pack, own) = (pack.to_str().unwrap(), own.to_str().unwrap());
    let found = tuppum(&[&["search", "--corpus", pack, "--own", own][..], &text].concat()).unwrap();
    assert!(found.contains("P900001 (my letters), 1, your own"), "{found}");
    let without = tuppum(&[&["search", "--corpus", pack][..], &text].concat()).unwrap();
    assert!(!without.contains("your own"), "{without}");
    let model = ["--model", "tests/golden/tiny-torso", "--corpus", pack];
    let restored = tuppum(&[&["restore", "--own", own][..], &model, &text].concat()).unwrap();
    assert!(restored.contains("P900001 (my letters), 1, your own: "), "{restored}");
}

#[test]
fn a_gap_is_restored_as_the_letters_have_it() {
    let pack = pack("restore");
    let model = ["--model", "tests/golden/tiny-torso"];
    let text = ["restore", "--json", "--text", "a-na x-{d}UTU LUGAL"];
    let answer = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&tuppum(&[&text[..], &model, more].concat()).unwrap()).unwrap()
    };
    let sum = |answer: &serde_json::Value| -> f64 {
        let proposals = answer["answer"]["gaps"][0]["proposals"].as_array().unwrap().iter();
        proposals.map(|proposal| proposal["probability"].as_f64().unwrap()).sum()
    };
    let (without, with) = (answer(&[]), answer(&["--corpus", pack.to_str().unwrap()]));
    assert_ne!(without["answer"]["gaps"], with["answer"]["gaps"]);
    // Twenty of all readings: at most a distribution, with a few roundings of f32.
    assert!(sum(&with) > 0.0 && sum(&with) < 1.0001, "{with}");
    let text = ["restore", "--text", "a-na x-{d}UTU LUGAL", "--corpus", pack.to_str().unwrap()];
    let shown = tuppum(&[&text[..], &model].concat()).unwrap();
    assert!(shown.contains("Attested elsewhere"), "{shown}");
}

#[test]
fn names_are_told_by_lexicon_or_model_each_with_its_line() {
    let glosses = tuppum_testing::project("models/corpus");
    let model = tuppum_testing::project("models/corpus/names.pack");
    let text = "o 1. a-na {m}{d}30-PAP.MEŠ-SU\nr 2. {URU}be-er-ru-ba-at";
    let names = ["names", "--glosses", glosses.to_str().unwrap(), "--model", model.to_str().unwrap(), "--text", text];
    let shown = tuppum(&names).unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("o 1\t{m}{d}30-PAP.MEŠ") && lines[0].contains("in the lexicon"), "{shown}");
    assert!(lines[1].starts_with("r 2\t{URU}be-er-ru-ba-at\tsettlement"), "{shown}");
    assert!(lines[1].ends_with("(a model's guess)") && lines.len() == 2, "{shown}");
    let table = tuppum(&[&names[..], &["--format", "tsv"]].concat()).unwrap();
    assert!(table.starts_with("line\tspelling\tkind\tprobability\tby\tname\no 1\t"), "{table}");
    let refused = tuppum(&["names", "--model", "no/such.pack", "--text", "LUGAL"]).unwrap_err();
    assert!(refused.contains("no/such.pack"), "{refused}");
}

#[test]
fn words_are_glossed_between_lines_and_as_a_table() {
    let pack = pack("gloss");
    let gloss = ["gloss", "--glosses", pack.to_str().unwrap(), "--text", "1. LUGAL be-li-ia"];
    let shown = tuppum(&gloss).unwrap();
    assert!(shown.contains("šarru") && shown.contains("≈ be-li₂-ia (same sound, other signs)"), "{shown}");
    let table = tuppum(&[&gloss[..], &["--format", "tsv"]].concat()).unwrap();
    assert!(table.contains("1\t1\tLUGAL\tšarru\tking\tN\t7118\tLUGAL\tas spelt\n"), "{table}");
    let refused = tuppum(&["gloss", "--glosses", "no/such", "--text", "LUGAL"]).unwrap_err();
    assert!(refused.contains("no/such/glosses.pack") && refused.contains("--lexicon"), "{refused}");
}

#[test]
fn a_text_is_attributed_by_others() {
    let pack = pack("attribute");
    let attribute = ["attribute", "--corpus", pack.to_str().unwrap(), "--text", "a-na {d}UTU LUGAL", "--json"];
    let found: serde_json::Value =
        serde_json::from_str(&tuppum(&[&attribute[..], &["--except", "P100002"]].concat()).unwrap()).unwrap();
    assert_eq!(found["periods"][0]["name"], "Neo-Assyrian", "{found}");
    assert_eq!(found["nearest"].as_array().map(Vec::len), Some(1), "{found}");
    let shown = tuppum(&attribute[..5]).unwrap();
    assert!(shown.contains("100.0 %  saao/saa01, 2 of the nearest texts"), "{shown}");
}

#[test]
fn what_is_no_pack_is_refused_with_its_name() {
    let refused = tuppum(&["search", "--corpus", "README.md", "--text", "a-na LUGAL EN-ia"]).unwrap_err();
    assert!(refused.contains("README.md: This file is no pack of attested texts."), "{refused}");
    let refused = tuppum(&["search", "--corpus", "no/such/folder", "--text", "a-na LUGAL EN-ia"]).unwrap_err();
    assert!(refused.contains("no/such/folder/corpus.pack") && refused.contains("tuppum corpus build"), "{refused}");
}
