//! `tuppum-lab hybonet` as a user meets it: a graph, names or pairs in, figures out; stopped and taken up again; clear
//! messages for what is wrong.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hybonet").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns a graph of 31 nodes of a tree, each under its parent and, turned about, over its children.
fn tree(name: &str) -> PathBuf {
    let folder = folder(name);
    let mut tables = [String::new(), String::new(), String::new()];
    for child in 1..31 {
        let parent = (child - 1) / 2;
        let _ = writeln!(tables[0], "{child}\tunder\t{parent}");
        let _ = writeln!(tables[1 + child % 2], "{parent}\tover\t{child}");
        if child > 6 {
            let _ = writeln!(tables[0], "{parent}\tover\t{child}");
        }
    }
    for (part, table) in ["train", "valid", "test"].iter().zip(tables) {
        std::fs::write(folder.join(format!("{part}.tsv")), table).unwrap();
    }
    folder
}

fn kg(data: &Path, out: &Path, arguments: &[&str]) -> Output {
    let small = ["--dimension", "4", "--batch", "16", "--false-tails", "8", "--every", "5", "--rate", "0.02"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    command.args(["hybonet", "kg", "--data"]).arg(data).arg("--out").arg(out);
    for pair in small.chunks(2).filter(|pair| !arguments.contains(&pair[0])) {
        command.args(pair);
    }
    command.args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn refused(output: &Output, expected: &str) {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(expected) && !message.contains("panicked"), "{message}");
}

#[test]
fn a_run_that_was_stopped_ends_as_one_that_was_not() {
    let data = tree("stopped");
    let (whole, parts) = (folder("whole-out"), folder("parts-out"));
    let straight = text(&kg(&data, &whole, &["--epochs", "20"]));
    assert!(straight.contains("20 of 20 epochs") && straight.contains("test, filtered: MRR"), "{straight}");
    // A budget of next to no time stops after the first epoch.
    let first = text(&kg(&data, &parts, &["--epochs", "20", "--threads", "1", "--budget-minutes", "0.000001"]));
    assert!(first.contains("1 of 20 epochs") && first.contains("goes on"), "{first}");
    let rest = text(&kg(&data, &parts, &["--epochs", "20", "--threads", "3"]));
    assert!(rest.contains("20 of 20 epochs") && !rest.contains("goes on"), "{rest}");
    let model = |folder: &Path| std::fs::read(folder.join("checkpoint.safetensors")).unwrap();
    // All numbers but the run's own five at the front: among them minutes, and the best epoch, which depends on when it
    // was measured.
    let numbers = |bytes: &[u8]| {
        let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        bytes[8 + header + 5 * 4..].to_vec()
    };
    assert_eq!(numbers(&model(&whole)), numbers(&model(&parts)));
}

#[test]
fn each_geometry_is_trained_by_the_same_command() {
    let data = tree("each");
    for geometry in ["lorentz", "poincare", "roth", "atth", "euclidean"] {
        let out = folder(&format!("each-{geometry}"));
        let message = text(&kg(&data, &out, &["--epochs", "3", "--geometry", geometry]));
        assert!(message.starts_with(&format!("{geometry} in 4 dimensions")), "{message}");
        let result: serde_json::Value =
            serde_json::from_slice(&std::fs::read(out.join("result.json")).unwrap()).unwrap();
        assert_eq!(result["test"]["questions"], 2 * 15);
        assert!(out.join("best.safetensors").is_file());
    }
}

#[test]
fn what_is_wrong_is_said() {
    let (data, out) = (tree("wrong"), folder("wrong-out"));
    refused(&kg(&data, &out, &["--curvature", "0"]), "hyperbolic space has a negative one");
    refused(&kg(&data, &out, &["--curvature", "1.5"]), "the curvature is 1.5");
    refused(&kg(&data, &out, &["--dimension", "1"]), "at least 2 dimensions");
    refused(&kg(&data, &out, &["--geometry", "roth", "--dimension", "5"]), "so it must be even");
    refused(&kg(&data, &out, &["--batch", "0"]), "the batch is 0");
    refused(&kg(&data, &out, &["--smoothing", "1"]), "the smoothing is 1");
    refused(&kg(&out, &out, &[]), "has no file train.tsv");
    std::fs::write(data.join("valid.tsv"), "1\tunder\t2\n1\tunder\n").unwrap();
    refused(&kg(&data, &out, &[]), "valid, line 2: there should be three columns");
    std::fs::write(data.join("valid.tsv"), "\n").unwrap();
    refused(&kg(&data, &out, &[]), "the graph is empty");
}

#[test]
fn a_run_goes_on_only_with_its_own_settings_and_an_intact_checkpoint() {
    let (data, out) = (tree("other"), folder("other-out"));
    text(&kg(&data, &out, &["--epochs", "2"]));
    refused(&kg(&data, &out, &["--epochs", "2", "--seed", "5"]), "\"seed\": 1 there, \"seed\": 5 here");
    refused(&kg(&data, &out, &["--epochs", "2", "--decay", "0.5"]), "\"decay\": 0.0 there");
    // A plan that lacks the newer settings continues, and differences are named rightly.
    let plan = std::fs::read_to_string(out.join("plan.json")).unwrap();
    let is_new = |line: &&str| !(line.contains("\"leak\"") || line.contains("\"smoothing\""));
    std::fs::write(out.join("plan.json"), plan.lines().filter(is_new).collect::<Vec<_>>().join("\n")).unwrap();
    refused(&kg(&data, &out, &["--epochs", "2", "--seed", "5"]), "\"seed\": 1 there, \"seed\": 5 here");
    let longer = text(&kg(&data, &out, &["--epochs", "4"]));
    assert!(longer.contains("4 of 4 epochs"), "{longer}");
    let checkpoint = out.join("checkpoint.safetensors");
    let bytes = std::fs::read(&checkpoint).unwrap();
    std::fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    refused(&kg(&data, &out, &["--epochs", "2"]), "checkpoint.safetensors");
    std::fs::write(&checkpoint, &bytes).unwrap();
    let other = tree("larger");
    let mut train = std::fs::read_to_string(other.join("train.tsv")).unwrap();
    train.push_str("31\tunder\t15\n");
    std::fs::write(other.join("train.tsv"), train).unwrap();
    refused(&kg(&other, &out, &["--epochs", "2"]), "does not fit this graph");
}

#[test]
fn links_of_the_sign_tree_are_ranked_into_a_document() {
    let folder = folder("signs");
    let (tree, document) = (folder.join("tree.tsv"), folder.join("document.md"));
    let mut rows = "parent\tkind\tlabel\tglyph\tcount\n\troot\tsigns\t\t9\n".to_string();
    let mut number = 0;
    for (consonant, next) in [("b", "d"), ("d", "g"), ("g", "k"), ("k", "l"), ("l", "b")] {
        let sign = number + 1;
        let _ = writeln!(rows, "0\tsign\t{}\t\t9", consonant.to_uppercase());
        number = sign;
        for vowel in ["a", "i"] {
            let reading = number + 1;
            let _ = writeln!(rows, "{sign}\treading\t{consonant}{vowel}\t\t9");
            for other in ["a", "i"] {
                let _ = writeln!(rows, "{reading}\tword\t{consonant}{vowel}-{next}{other}\t\t9");
            }
            number = reading + 2;
        }
    }
    std::fs::write(&tree, rows).unwrap();
    let run = |document: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
        command
            .args([
                "hybonet",
                "signs",
                "--epochs",
                "2",
                "--dimensions",
                "2,3",
                "--seeds",
                "1,2",
                "--words",
                "18",
                "--tree",
            ])
            .arg(&tree);
        command.arg("--out").arg(document).output().unwrap()
    };
    std::fs::write(&document, "# Title\n").unwrap();
    refused(&run(&document), "the document must have the line");
    let marks = "<!-- written by `tuppum-lab hybonet signs`: begin -->\nold\n<!-- end -->";
    std::fs::write(&document, format!("# Title\n{marks}\nMore.\n")).unwrap();
    text(&run(&document));
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(
        written.starts_with("# Title\n") && written.ends_with("\nMore.\n") && !written.contains("old"),
        "{written}"
    );
    assert!(written.contains("seeds 1, 2") && written.contains(" ± "), "{written}");
    for row in ["| frequency | – |", "| lorentz | 2 |", "| poincare | 3 |", "| euclidean | 3 |"] {
        assert!(written.contains(row), "{written}");
    }
}

#[test]
fn names_are_told_apart_into_a_document() {
    let folder = folder("names");
    let (corpus, document) = (folder.join("small_signs.tsv"), folder.join("document.md"));
    let mut rows = "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts\n".to_string();
    let syllables = ["ba", "da", "ga", "ka", "la", "ma"];
    for one in syllables {
        for other in syllables {
            let words = [("{d}", "an"), ("{m}", "ni"), ("{KUR}", "ki")].map(|(mark, last)| [mark, one, other, last]);
            for [mark, one, other, last] in words {
                let word = format!("{mark}{one}-{other}-{last}");
                let _ = writeln!(rows, "X1\ttest\takk\t1\t{word}\t{mark} {one} {other} {last}\t? ? ? ?\tPPPP\t1000");
            }
        }
    }
    std::fs::write(&corpus, rows).unwrap();
    std::fs::write(&document, "<!-- written by `tuppum-lab hybonet names`: begin -->\n<!-- end -->\n").unwrap();
    let run = |corpus: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
        command
            .args(["hybonet", "names", "--dimensions", "4", "--seeds", "1,2", "--rate", "0.05", "--data"])
            .arg(corpus);
        command.arg("--out").arg(&document).output().unwrap()
    };
    text(&run(&corpus));
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(written.contains("36 divine, 36 personal, 36 place"), "{written}");
    // The last sign tells the kind.
    assert!(written.contains("| lorentz | 4 | 100.0 ± 0.0 |") && written.contains("| euclidean | 4 |"), "{written}");
    refused(&run(&folder.join("nothing")), "nothing");
}

/// Returns a table of pairs of some texts.
fn pairs_table(folder: &Path, texts: usize) -> PathBuf {
    let mut rows = "text_id\tsource\ttarget\n".to_string();
    for text in 0..texts {
        let _ = writeln!(rows, "P{text}\ta-na LUGAL\tto king {text}\nP{text}\tbe-li₂ {text}\tmy lord");
    }
    let path = folder.join("pairs.tsv");
    std::fs::write(&path, rows).unwrap();
    path
}

fn translate(pairs: &Path, folder: &Path, document: &Path, arguments: &[&str]) -> Output {
    let small = [
        ["--steps", "3"],
        ["--width", "8"],
        ["--heads", "2"],
        ["--encoder-layers", "1"],
        ["--decoder-layers", "1"],
        ["--feed-forward", "8"],
        ["--longest", "24"],
        ["--batch-bytes", "256"],
        ["--translated", "2"],
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    command.args(["hybonet", "translate", "--pairs"]).arg(pairs).arg("--folder").arg(folder).arg("--out").arg(document);
    command.args(small.iter().filter(|pair| !arguments.contains(&pair[0])).flatten());
    command.args(arguments).output().unwrap()
}

#[test]
fn transformers_translate_into_a_document_and_kept_runs_are_not_made_again() {
    let folder = folder("translate");
    let (pairs, runs, document) = (pairs_table(&folder, 40), folder.join("runs"), folder.join("document.md"));
    let marks = "<!-- written by `tuppum-lab hybonet translate`: begin -->\nold\n<!-- end -->";
    std::fs::write(&document, format!("# Title\n{marks}\nMore.\n")).unwrap();
    text(&translate(&pairs, &runs, &document, &["--seeds", "1"]));
    let first = std::fs::read_to_string(&document).unwrap();
    assert!(first.starts_with("# Title\n") && first.ends_with("\nMore.\n") && !first.contains("old"), "{first}");
    let both = translate(&pairs, &runs, &document, &["--seeds", "1,2"]);
    text(&both);
    let message = String::from_utf8_lossy(&both.stderr).into_owned();
    assert!(message.contains("lorentz-2: step 3 of 3") && !message.contains("lorentz-1: step"), "{message}");
    let written = std::fs::read_to_string(&document).unwrap();
    for row in ["| lorentz | ", "| euclidean | ", " ± ", "| 1 | ", "| 2 | ", "seeds 1, 2"] {
        assert!(written.contains(row), "{row}: {written}");
    }
    for run in ["lorentz-1", "euclidean-1", "lorentz-2", "euclidean-2"] {
        for file in ["model.safetensors", "config.json", "curve.tsv", "result.json"] {
            assert!(runs.join(run).join(file).is_file(), "{run}/{file}");
        }
    }
    refused(&translate(&pairs, &runs, &document, &["--seeds", "1", "--rate", "0.1"]), "other pairs or settings");
    std::fs::write(runs.join("lorentz-1/result.json"), "{").unwrap();
    refused(&translate(&pairs, &runs, &document, &["--seeds", "1"]), "delete the folder");
}

#[test]
fn transformers_follow_the_equations_that_are_chosen() {
    let folder = folder("translate-forms");
    let (pairs, document) = (pairs_table(&folder, 40), folder.join("document.md"));
    let marks = "<!-- written by `tuppum-lab hybonet translate`: begin -->\n<!-- end -->";
    std::fs::write(&document, marks).unwrap();
    let made = |name: &str, chosen: &[&str]| -> [String; 2] {
        let runs = folder.join(name);
        text(&translate(&pairs, &runs, &document, &[&["--seeds", "1"], chosen].concat()));
        let config = std::fs::read_to_string(runs.join("lorentz-1/config.json")).unwrap();
        [config, std::fs::read_to_string(&document).unwrap()]
    };
    let [config, written] = made("default", &[]);
    assert!(!config.contains("forms") && !written.contains("Chosen"), "{config}{written}");
    let equations =
        ["--linear", "time-first", "--residual", "merged", "--positions", "layer", "--control", "hyperbolic"];
    let [config, written] = made("equations", &equations);
    assert!(config.contains("\"time-first\"") && config.contains("\"merged\""), "{config}");
    let told = "linear layers time-first, residuals merged, positions layer, attention of the control hyperbolic.";
    assert!(written.contains(told), "{written}");
    let program = ["--linear", "published", "--initialisation", "published", "--attention", "learnt"];
    made("program", &program);
    let runs = folder.join("refused");
    let refused = |chosen: &[&str], said: &str| refused(&translate(&pairs, &runs, &document, chosen), said);
    refused(&["--linear", "tangent", "--residual", "merged"], "have no gate");
    let unknown = translate(&pairs, &runs, &document, &["--residual", "neither"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there are added, merged"));
    // A kept run is of the forms that it was made with.
    let kept = translate(&pairs, &folder.join("default"), &document, &["--seeds", "1", "--residual", "merged"]);
    self::refused(&kept, "other pairs or settings");
}

#[test]
fn what_cannot_be_translated_with_is_said() {
    let folder = folder("translate-wrong");
    let (pairs, runs, document) = (pairs_table(&folder, 40), folder.join("runs"), folder.join("document.md"));
    std::fs::write(&document, "<!-- written by `tuppum-lab hybonet translate`: begin -->\n<!-- end -->\n").unwrap();
    let wrong = |arguments: &[&str], message: &str| refused(&translate(&pairs, &runs, &document, arguments), message);
    wrong(&["--curvature", "0"], "negative curvatures only");
    wrong(&["--curvature", "1.5"], "the curvature is 1.5");
    wrong(&["--heads", "3"], "a width of 8 cannot be cut into 3 heads");
    wrong(&["--steps", "0"], "must be 1 or more");
    wrong(&["--longest", "2"], "none is left to train with");
    wrong(&["--validation", "0"], "none is held out");
    refused(&translate(&folder.join("nothing.tsv"), &runs, &document, &[]), "nothing.tsv");
    refused(&translate(&pairs_table(&folder, 1), &runs, &document, &[]), "none is left to train with: 2 are held out");
    refused(&translate(&pairs_table(&folder, 0), &runs, &document, &[]), "of 0 pairs none is left");
    std::fs::write(&document, "nothing").unwrap();
    wrong(&[], "the document must have the line");
}
