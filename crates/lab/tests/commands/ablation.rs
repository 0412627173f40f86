//! `tuppum-lab pretrain` and `ablate` as a user meets them, with a tiny translator and a handful of pairs.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tuppum_weights::Checksum;

fn tuppum(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn message(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a folder of its own with forty pairs of twenty texts, P000008 among them, which is kept for validation.
fn folder(name: &str) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("tuppum-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut table = "id\ttext_id\tsource\ttarget\n".to_owned();
    for number in 0..40 {
        let text = number % 20 + 1;
        table += &format!("o{number}\tP{text:06}\t{} GIN₂ KU₃.BABBAR\t{} shekels of silver\n", number + 1, number + 1);
    }
    let pairs = folder.join("pairs.tsv");
    std::fs::write(&pairs, table).unwrap();
    let pairs = pairs.to_string_lossy().into_owned();
    (folder, pairs)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn an_ablation_is_made_run_by_run() {
    let (folder, pairs) = folder("ablate");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let size = size(&folder);
    let base = ["pretrain", &pairs, "--size", &size, "--out", &path("base"), "--steps", "3", "--batch-bytes", "512"];
    assert!(good(&tuppum(&base)).contains("step 3 of 3"));
    let plan = format!(
        "base = {:?}\nout = {:?}\npairs = [{pairs:?}]\ndrawn = 10\nvalidation = 4\ntranslate = 1\nseeds = [1, 2]\n\
         [settings]\nlength = {{ steps = 2 }}\nbatch_bytes = 512\n",
        path("base/model"),
        path("ablation")
    );
    let sweep = "[[arm]]\nname = \"A\"\n[[arm]]\nname = \"C\"\nbias = true\n\
                 [[arm]]\nname = \"flat\"\nbias = true\ncurvature = 0.0\nlayers = 1\n";
    std::fs::write(folder.join("plan.toml"), plan.clone() + sweep).unwrap();
    let arguments = ["ablate", &path("plan.toml")];
    let first = good(&tuppum(&[&arguments[..], &["--budget-minutes", "0"]].concat()));
    assert!(first.contains("0 of 6 runs are done"), "{first}");
    assert!(good(&tuppum(&arguments)).contains("6 of 6 runs are done"));
    let results = json(&folder.join("ablation/ablation.json"));
    assert_eq!(results["runs"].as_array().unwrap().len(), 6);
    let compared: Vec<String> = results["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| format!("{}{}", own["first"], own["second"]))
        .collect();
    assert_eq!(compared, ["\"A\"\"C\"", "\"A\"\"flat\""]);
    let written = std::fs::metadata(folder.join("ablation/C-2/result.json")).unwrap().modified().unwrap();
    let report = path("ablation.md");
    good(&tuppum(&[&arguments[..], &["--report", &report]].concat()));
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(
        page.contains("from 6 of 6 runs") && page.contains("| C − A |") && page.contains("- flat against A: "),
        "{page}"
    );
    assert!(page.contains("(ablation-arms.svg)") && page.contains("plan.toml --report"), "{page}");
    let drawn = std::fs::read_to_string(folder.join("ablation-arms.svg")).unwrap();
    assert!(
        drawn.starts_with("<svg") && drawn.contains("less those of A</text>") && drawn.contains(">flat</text>"),
        "{drawn}"
    );
    assert_eq!(std::fs::metadata(folder.join("ablation/C-2/result.json")).unwrap().modified().unwrap(), written);
    std::fs::write(folder.join("plan.toml"), plan.replace("steps = 2", "steps = 3") + sweep).unwrap();
    let other = message(&tuppum(&arguments));
    assert!(other.contains("other data or settings"), "{other}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn runs_of_different_bases_do_not_stand_in_one_table() {
    let (folder, pairs) = folder("ablate-bases");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    for (base, seed) in [("one", "1"), ("other", "2")] {
        let own = ["pretrain", &pairs, "--size", &size(&folder), "--out", &path(base), "--steps", "1", "--seed", seed];
        good(&tuppum(&own));
    }
    let ablate = |base: &str, more: &str, arguments: &[&str]| {
        let plan = format!(
            "base = {:?}\nout = {:?}\npairs = [{pairs:?}]\ndrawn = 10\nvalidation = 4\n\
             seeds = [1]\n{more}[settings]\nlength = {{ steps = 1 }}\nbatch_bytes = 512\n[[arm]]\n\
             name = \"A\"\n[[arm]]\nname = \"C\"\nbias = true\n",
            path(&format!("{base}/model")),
            path("ablation")
        );
        std::fs::write(folder.join("plan.toml"), plan).unwrap();
        tuppum(&[&["ablate", &path("plan.toml")], arguments].concat())
    };
    assert!(good(&ablate("one", "", &[])).contains("2 of 2 runs are done"));
    let check = |output: &Output, expected: &str| {
        let message = message(output);
        assert!(message.contains(expected) && message.contains("delete it"), "{message}");
    };
    check(&ablate("other", "", &[]), "A-1 holds a run that began with another base or other points");
    check(&ablate("one", "translate = 1\n", &["--tables-only"]), "translated another number of pairs than 1");
    // Of the arm with a bias alone the points are another matter.
    let soft = "points = \"assets/geometry/byte-points-soft.safetensors\"\n";
    check(&ablate("one", soft, &[]), "C-1 holds a run that began with another base or other points");
    // What older versions wrote says nothing of its base.
    for run in ["A-1", "C-1"] {
        let path = folder.join("ablation").join(run).join("result.json");
        let mut result = json(&path);
        for name in ["base", "translate"] {
            assert!(result.as_object_mut().unwrap().remove(name).is_some_and(|value| !value.is_null()), "{name}");
        }
        std::fs::write(path, result.to_string()).unwrap();
    }
    let output = ablate("one", "", &["--tables-only"]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("2 runs were begun by versions that did not note the base")
    );
    assert!(good(&output).contains("2 of 2 runs are done"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A plan with settings of a recipe: its runs are read as they were left, and nothing is trained.
#[test]
fn tables_are_made_of_what_a_recipe_left() {
    let (folder, pairs) = folder("ablate-recipe");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let own = ["pretrain", &pairs, "--size", &size(&folder), "--out", &path("base"), "--steps", "1"];
    good(&tuppum(&own));
    let plan = format!(
        "base = {:?}\nout = {:?}\npairs = [{pairs:?}]\nmeasured = [{pairs:?}]\ntranslate = 1\nseeds = [1]\n\
         [settings]\nbatch_bytes = 512\n[recipe]\npatience = 2\n",
        path("base/model"),
        path("runs")
    );
    std::fs::write(folder.join("plan.toml"), plan).unwrap();
    let ablate = || tuppum(&["ablate", &path("plan.toml")]);
    assert!(good(&ablate()).contains("0 of 6 runs are done"));
    let measured = std::fs::read_to_string(&pairs).unwrap().lines().count() - 1;
    let mut weights = Checksum::default();
    weights.add(&std::fs::read(folder.join("base/model/model.safetensors")).unwrap());
    let base = weights.digits();
    let leave = |pairs: usize, base: &str| {
        std::fs::create_dir_all(folder.join("runs/A-1")).unwrap();
        let result = serde_json::json!({
            "arm": { "name": "A" }, "seed": 1, "fingerprint": "", "base": base, "translate": 1, "pairs": 1, "steps": 20,
            "last_loss": 1.0, "alpha": null, "seconds": 1.0, "scores": null,
            "validation": { "after": 20, "bits_per_byte": 1.5, "bits": vec![15.0; pairs], "bytes": vec![10; pairs] },
        });
        std::fs::write(folder.join("runs/A-1/result.json"), result.to_string()).unwrap();
    };
    leave(measured, &base);
    let told = good(&ablate());
    assert!(told.contains("1 of 6 runs are done") && told.contains("1.5000"), "{told}");
    leave(measured - 1, &base);
    let told = message(&ablate());
    assert!(told.contains(&format!("measured on {} pairs, not on {measured}", measured - 1)), "{told}");
    leave(measured, "0");
    let told = message(&ablate());
    assert!(told.contains("began with another base"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Returns a file that states the size of a tiny model.
fn size(folder: &Path) -> String {
    let size = r#"{"model_type": "t5", "d_model": 16, "d_kv": 8, "d_ff": 16, "num_heads": 2, "num_layers": 2,
        "num_decoder_layers": 1, "vocab_size": 384, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": false}"#;
    let path = folder.join("size.json");
    std::fs::write(&path, size).unwrap();
    path.to_string_lossy().into_owned()
}
