//! `tuppum-lab corpus synthetic` as a user meets it: pairs drawn from the clauses of the formulary.

use std::path::Path;
use std::process::Command;

/// Runs the command in the project's folder; what it printed, or its error.
fn tuppum(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    let output = command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn the_same_seed_draws_the_same_pairs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("synthetic");
    std::fs::create_dir_all(&folder).unwrap();
    let drawn = |name: &str, pairs: &str, seed: &str| {
        let out = folder.join(name);
        tuppum(&["corpus", "synthetic", "--pairs", pairs, "--seed", seed, out.to_str().unwrap()]).unwrap();
        std::fs::read_to_string(out).unwrap()
    };
    let twenty = drawn("one.tsv", "20", "7");
    assert_eq!(twenty, drawn("two.tsv", "20", "7"));
    assert!(twenty.starts_with(&drawn("three.tsv", "10", "7")) && twenty != drawn("four.tsv", "20", "8"));
    let rows: Vec<Vec<&str>> = twenty.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows.len(), 21);
    assert!(rows[1..].iter().all(|row| row.len() == 7 && row[6] == "synthetic" && !row[5].contains('[')), "{twenty}");
    let refused = tuppum(&["corpus", "synthetic", "no/such/folder/out.tsv"]).unwrap_err();
    assert!(refused.contains("no/such/folder/out.tsv cannot be written"), "{refused}");
}
