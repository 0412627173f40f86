//! `tuppum-lab hybonet probe` and `sign-probe` as a user meets them: a treebank or a corpus in, a table and a picture
//! out, clear messages for what is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TORSO: &str = "tests/golden/tiny-torso";
const TRANSLATOR: &str = "tests/golden/tiny-translator";

/// Signs with two readings each that the tiny torso has tokens for at the beginning of a word.
const SIGNS: [[&str; 2]; 12] = [
    ["a", "A"],
    ["AN", "DINGIR"],
    ["ina", "aš"],
    ["šu", "ŠU"],
    ["ma", "MA"],
    ["lu", "UDU"],
    ["IGI", "ši"],
    ["ta", "TA"],
    ["ki", "KI"],
    ["HI", "hi"],
    ["pu", "bu"],
    ["UD", "tam"],
];

/// Returns a folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hybonet-probe").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn hybonet(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    command.current_dir(tuppum_testing::project("")).arg("hybonet").args(arguments).output().unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn refused(output: &Output, expected: &str) {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(expected) && !message.contains("panicked"), "{message}");
}

/// Returns a document with a place for a command's table.
fn document(folder: &Path, command: &str) -> PathBuf {
    let path = folder.join("document.md");
    let begin = format!("<!-- written by `tuppum-lab hybonet {command}`: begin -->");
    std::fs::write(&path, format!("Before.\n\n{begin}\nold\n<!-- end -->\n\nAfter.\n")).unwrap();
    path
}

/// Returns the rows of a table: cells without their bars.
fn rows(table: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.lines().filter(|line| line.starts_with("| ")).skip(1).map(cells).collect()
}

/// Returns a corpus of a few lines in which every reading of [`SIGNS`] occurs four times.
fn corpus(folder: &Path) -> String {
    let mut table = "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts\n".to_owned();
    for turn in 0..4 {
        for (number, own) in SIGNS.chunks(3).enumerate() {
            let mut words = own.concat();
            words.rotate_left(turn);
            let (line, count) = (words.join(" "), words.len());
            let [glyphs, states, starts] = ["? ", "P", "1"].map(|one| one.repeat(count));
            let row = format!("P{turn}\ttest\takk\t{number}\t{line}\t{line}\t{}\t{states}\t{starts}\n", glyphs.trim());
            table.push_str(&row);
        }
    }
    let path = folder.join("small_signs.tsv");
    std::fs::write(&path, table).unwrap();
    path.display().to_string()
}

#[test]
fn the_sign_tree_is_probed_in_a_restorer_and_a_translator_with_and_without_its_bias() {
    let folder = folder("signs");
    let (corpus, document) = (corpus(&folder), document(&folder, "sign-probe"));
    let picture = folder.join("picture.svg");
    let translator = format!("{TRANSLATOR}=tiny");
    let run = |more: &[&str]| {
        let fixed = ["sign-probe", "--data", &corpus, "--restorer", TORSO, "--translator", &translator, "--detached"];
        let small = [
            "--seen",
            "3",
            "--occurrences",
            "2",
            "--dimension",
            "4",
            "--epochs",
            "2",
            "--groups",
            "20",
            "--seeds",
            "1,2",
        ];
        good(&hybonet(&[&fixed[..], &small, more].concat()))
    };
    let printed = run(&[]);
    assert!(printed.contains("24 readings of 12 signs"), "{printed}");
    assert!(printed.contains("looked at in 48 places"), "{printed}");
    assert!(printed.contains("Held out: 6, 6 readings"), "{printed}");
    let rows = rows(&printed);
    let names: Vec<String> = rows.iter().map(|row| format!("{} {}", row[0], row[1])).collect();
    let layers = |name: &str| ["0", "1", "2"].map(|layer| format!("{name} {layer}"));
    let controls = ["random –", "spelling –"].map(String::from);
    let expected =
        [&controls[..], &layers("restorer"), &layers("tiny with its bias"), &layers("tiny without it")].concat();
    assert_eq!(names, expected);
    assert!(rows.iter().all(|row| row.len() == 10 && row[2..].iter().all(|cell| cell.contains(" ± "))), "{rows:?}");
    assert_eq!(rows[5][2..], rows[8][2..], "no bias reaches the embeddings");

    let out = ["--out", &document.display().to_string(), "--picture", &picture.display().to_string()].map(String::from);
    assert_eq!(run(&out.iter().map(String::as_str).collect::<Vec<_>>()), "");
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(
        written.starts_with("Before.\n") && written.ends_with("<!-- end -->\n\nAfter.\n") && !written.contains("old")
    );
    assert!(written.contains(&printed), "the same command gives the same figures");
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n") && !drawn.contains("NaN"));
    assert!(drawn.contains("</title>") && drawn.contains("tiny without it, layer 2: plain distance"), "{drawn}");
}

#[test]
fn the_sign_tree_is_probed_in_transformers_of_both_spaces() {
    let folder = folder("transformers");
    let (corpus, runs) = (corpus(&folder), folder.join("runs").display().to_string());
    let mut table = "id\ttext_id\tsource\ttarget\n".to_owned();
    table.extend((0..40).map(|number| format!("o{number}\tP{number:06}\t{number} GIN₂\t{number} shekels\n")));
    let pairs = folder.join("pairs.tsv");
    std::fs::write(&pairs, table).unwrap();
    let sizes =
        ["--width", "8", "--heads", "2", "--encoder-layers", "1", "--decoder-layers", "1", "--feed-forward", "8"];
    let steps = ["--seeds", "1", "--steps", "2", "--longest", "40", "--translated", "1"];
    let trained = ["translate", "--pairs", &pairs.display().to_string(), "--folder", &runs];
    good(&hybonet(&[&trained[..], &sizes, &steps].concat()));
    let [lorentz, euclidean] = ["lorentz", "euclidean"].map(|space| format!("{runs}/{space}-1={space}"));
    let probed =
        ["sign-probe", "--data", &corpus, "--no-restorer", "--transformer", &lorentz, "--transformer", &euclidean];
    let small =
        ["--seen", "3", "--occurrences", "2", "--dimension", "4", "--epochs", "1", "--groups", "9", "--seeds", "1"];
    let rows = rows(&good(&hybonet(&[&probed[..], &small].concat())));
    let names: Vec<String> = rows.iter().skip(2).map(|row| format!("{} {}", row[0], row[1])).collect();
    assert_eq!(names, ["lorentz 0", "lorentz 1", "euclidean 0", "euclidean 1"]);
}

#[test]
fn the_sign_probe_says_what_is_wrong() {
    let folder = folder("refused");
    let corpus = corpus(&folder);
    let nowhere = folder.join("nowhere").display().to_string();
    let run = |more: &[&str]| hybonet(&[&["sign-probe", "--data", &corpus], more].concat());
    refused(&run(&["--restorer", &nowhere]), "nowhere cannot be opened");
    refused(&run(&["--no-restorer", "--translator", &nowhere]), "nowhere cannot be opened");
    refused(&run(&["--no-restorer", "--translator", &folder.display().to_string()]), "config.json");
    refused(&run(&["--no-restorer", "--transformer", &nowhere]), "holds no run of `tuppum-lab hybonet translate`");
    refused(&run(&["--no-restorer"]), "there is no encoder to probe");
    refused(&run(&["--restorer", TORSO, "--layers", "0,3"]), "there is no layer 3; the deepest encoder has 2");
    refused(&run(&["--restorer", TORSO, "--occurrences", "0"]), "--occurrences 1");
    refused(&run(&["--restorer", TORSO]), "0 signs have several readings");
    let twice = ["--no-restorer", "--translator", TRANSLATOR, "--translator", TRANSLATOR];
    refused(&run(&twice), "two encoders are called \"tiny-translator\"");
    std::fs::write(folder.join("document.md"), "Nothing.\n").unwrap();
    let document = folder.join("document.md").display().to_string();
    refused(&run(&["--restorer", TORSO, "--out", &document]), "the document must have the line");
    refused(&hybonet(&["sign-probe", "--restorer", TORSO, "--data", &nowhere]), "nowhere");
}

/// Ten texts of two sentences each, every sentence with words of its own and a head for each.
fn treebank(folder: &Path) -> String {
    let readings: Vec<&str> = SIGNS.concat();
    let mut table = String::new();
    for sentence in 0..20 {
        table.push_str(&format!("# sent_id = T{}-{}\n", sentence / 2, sentence % 2));
        for word in 1..=5 + sentence % 3 {
            let form = readings[(sentence * 5 + word * 7) % readings.len()];
            table.push_str(&format!("{word}\t{form}\t_\tX\t_\t_\t{}\tx\t_\t_\n", word / 2));
        }
        table.push('\n');
    }
    let path = folder.join("small.conllu");
    std::fs::write(&path, table).unwrap();
    path.display().to_string()
}

#[test]
fn a_treebank_is_probed_in_a_restorer() {
    let folder = folder("treebank");
    let (treebank, document) = (treebank(&folder), document(&folder, "probe"));
    let small = ["--dimension", "4", "--epochs", "2", "--layers", "0,2", "--seeds", "1,2", "--restorer", TORSO];
    let out = document.display().to_string();
    let asked = [&["probe", "--treebank", &treebank, "--out", &out], &small[..]].concat();
    assert_eq!(good(&hybonet(&asked)), "");
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(written.starts_with("Before.\n") && written.ends_with("<!-- end -->\n\nAfter.\n"), "{written}");
    // 5 + 6 + 7 words by turns; one link fewer in each sentence.
    assert!(written.contains("20 sentences with 119 words in the treebank; 20 with"), "{written}");
    assert!(
        written.contains("119 such words and 99 links") && written.contains("119 signs. Held out: 4, 4"),
        "{written}"
    );
    assert!(written.contains("A map for distances and one for depths, 4 dimensions"), "{written}");
    let rows = rows(&written);
    let names: Vec<String> = rows.iter().map(|row| row[..3].join(" ")).collect();
    let expected =
        ["– – chain, first word the root", "– – chain, last word the root", "– random lorentz", "– random euclidean"];
    assert_eq!(names[..4], expected);
    let of_restorer = ["0 lorentz", "0 euclidean", "2 lorentz", "2 euclidean"].map(|row| format!("restorer {row}"));
    assert_eq!(names[4..], of_restorer);
    // The first word is the root of every sentence, and its first link is the chain's.
    assert!(rows[0][4].starts_with("100.0"), "{rows:?}");
    let figures = |row: &[String]| row[3..].iter().all(|cell| cell.contains(" ± ") && !cell.contains("NaN"));
    assert!(rows.iter().all(|row| figures(row)), "{rows:?}");

    let translator = format!("{TRANSLATOR}=tiny");
    let small = ["--dimension", "4", "--epochs", "2", "--layers", "1", "--seeds", "1", "--one-map"];
    let of_translator = ["probe", "--treebank", &treebank, "--out", &out, "--no-restorer", "--translator", &translator];
    assert_eq!(good(&hybonet(&[&of_translator[..], &["--detached"], &small].concat())), "");
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(written.contains("One map for distances and depths, 4 dimensions"), "{written}");
    let rows = self::rows(&written);
    let names: Vec<String> = rows[4..].iter().map(|row| row[..3].join(" ")).collect();
    let bias = ["with its bias", "without it"];
    assert_eq!(names, bias.map(|bias| ["lorentz", "euclidean"].map(|probe| format!("tiny {bias} 1 {probe}"))).concat());

    let refuse = |more: &[&str], expected: &str| {
        refused(&hybonet(&[&["probe", "--treebank", &treebank, "--restorer", TORSO], more].concat()), expected)
    };
    refuse(&["--layers", "3"], "there is no layer 3; the deepest encoder has 2");
    refuse(&["--sentences", "1"], "there are too few texts");
    refused(&hybonet(&["probe", "--treebank", &folder.join("no").display().to_string()]), "no");
}
