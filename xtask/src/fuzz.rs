//! `cargo xtask fuzz`: every target for a while, guided by the edges that inputs reach, and a table of what came out.
//!
//! Only our own crates count their edges: cargo calls this program in place of rustc for the members of the workspace
//! ([`wrap`]), and dependencies stay as every other build has them.

use crate::programs;
use crate::run::{Outcome, words};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

/// Says to this program that cargo calls it in place of rustc.
pub const WRAPS: &str = "TUPPUM_FUZZ_WRAPS";
/// For how long each target runs unless it is said.
const SECONDS: u32 = 60;
/// What has LLVM count the edges of a crate, a byte each.
const COUNTED: [&str; 3] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
];
/// Crates of ours that are no readers.
const UNCOUNTED: [&str; 3] = ["tuppum_testing", "tuppum_random", "build_script_build"];
/// How cargo runs the targets: those in `tests/fuzz.rs` of the crates, and those of the page, whose modules are
/// private. The whole workspace is named, so that dependencies are those of every other test.
const TARGETS: [&[&str]; 2] = [&["--workspace", "--test=fuzz"], &["--package=tuppum", "--lib"]];

/// A target that ran: its name, inputs, seconds, edges and kinds of failure.
type Row = [String; 5];

/// Runs the targets whose names begin with the one given, or all.
pub fn fuzz(arguments: &[&str]) -> Outcome<()> {
    let seconds = match arguments.iter().position(|argument| *argument == "--seconds") {
        Some(at) => {
            let given = arguments.get(at + 1).copied().unwrap_or_default();
            given.parse().map_err(|_| format!("--seconds wants a whole number, not `{given}`"))?
        }
        None => SECONDS,
    };
    let name = arguments.first().filter(|argument| !argument.starts_with("--"));
    let filter = format!("fuzz_{}", name.copied().unwrap_or_default().replace('-', "_"));
    let (mut rows, mut failed) = (Vec::new(), false);
    for target in TARGETS {
        let mut command = command(target, &filter, seconds)?;
        if arguments.contains(&"--keep") {
            command.env("TUPPUM_FUZZ_KEEP", "1");
        }
        failed |= !run(&mut command, &mut rows)?;
    }
    print_table(&rows);
    if rows.is_empty() {
        return Err(format!("no target begins with `{}`", name.copied().unwrap_or_default()));
    }
    if failed { Err("some inputs failed; see above".to_owned()) } else { Ok(()) }
}

fn command(target: &[&str], filter: &str, seconds: u32) -> Outcome<Command> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut command = programs::command("cargo");
    command.arg("test").args(target).args(["--no-fail-fast", "--", filter]);
    // One at a time: the counts of edges are those of the whole process.
    command.args(["--test-threads=1", "--include-ignored", "--nocapture"]);
    command.env("RUSTC_WORKSPACE_WRAPPER", own).env(WRAPS, "1").env("TUPPUM_FUZZ_SECONDS", seconds.to_string());
    Ok(command)
}

/// Runs tests, passing on what they print; whether all passed.
fn run(command: &mut Command, rows: &mut Vec<Row>) -> Outcome<bool> {
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    for line in child.stdout.take().into_iter().flat_map(|printed| BufReader::new(printed).lines()) {
        let Ok(line) = line else { continue };
        match row(&line) {
            Some(row) => rows.push(row),
            None => println!("{line}"),
        }
    }
    let status = child.wait().map_err(|error| format!("lost `{}`: {error}", words(command)))?;
    Ok(status.success())
}

/// Reads what a target says of itself.
fn row(line: &str) -> Option<Row> {
    // The test's own name may stand before it on the line.
    let cells: Vec<String> = line.split_once("fuzzed\t")?.1.split('\t').map(str::to_owned).collect();
    cells.try_into().ok()
}

fn print_table(rows: &[Row]) {
    println!("\n| target | inputs | a second | edges | failures |\n|---|---:|---:|---:|---:|");
    for [name, inputs, seconds, edges, failures] in rows {
        let number = |text: &str| text.parse::<f64>().unwrap_or_default();
        let speed = number(inputs) / number(seconds).max(1e-3);
        println!("| {name} | {inputs} | {speed:.0} | {edges} | {failures} |");
    }
}

/// Calls rustc as cargo asked for it, with edges counted in our own crates.
pub fn wrap(arguments: &[OsString]) -> ExitCode {
    let Some((rustc, rest)) = arguments.split_first() else { return ExitCode::FAILURE };
    let mut command = Command::new(rustc);
    command.args(rest);
    if is_counted(rest) {
        command.args(COUNTED);
    }
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("xtask: cannot start {}: {error}", rustc.to_string_lossy());
            ExitCode::FAILURE
        }
    }
}

/// Whether rustc is to compile a crate of ours whose edges count.
fn is_counted(arguments: &[OsString]) -> bool {
    let name = arguments.iter().position(|argument| argument == "--crate-name").and_then(|at| arguments.get(at + 1));
    let Some(name) = name.and_then(|name| name.to_str()) else { return false };
    (name.starts_with("tuppum") || name == "fuzz") && !UNCOUNTED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_says_what_it_did() {
        let told = row("test fuzz_reading ... fuzzed\treading\t1200\t60.0\t812\t0");
        assert_eq!(told, Some(["reading", "1200", "60.0", "812", "0"].map(str::to_owned)));
        assert_eq!(row("running 3 tests"), None);
    }

    #[test]
    fn only_our_readers_count_their_edges() {
        let check = |words: &str| is_counted(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(check("--crate-name tuppum_text --edition=2024") && check("--crate-name fuzz tests/fuzz.rs"));
        assert!(!check("--crate-name build_script_build") && !check("--crate-name tuppum_testing") && !check("-vV"));
        assert!(!check("--crate-name ___ --print=cfg"));
    }
}
