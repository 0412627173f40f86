//! `cargo xtask fuzz`: every target for a while, guided by the edges that inputs reach, and a table of what came out of
//! all runs so far. A run begins with what earlier ones found, and makes other mutations than they did.
//!
//! Only our own crates count their edges: cargo calls this program in place of rustc for the members of the workspace
//! ([`wrap`]), and dependencies stay as every other build has them.

use crate::fuzzed::{Ended, Totals};
use crate::run::{Outcome, words};
use crate::{files, places, programs};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

/// Says to this program that cargo calls it in place of rustc.
pub const WRAPS: &str = "TUPPUM_FUZZ_WRAPS";
/// Default seconds for each target.
const SECONDS: u32 = 60;
/// Flags with which LLVM counts the edges of a crate, a byte each.
const COUNTED: [&str; 3] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
];
/// Under the profile of the tests our crates take inputs half as quickly.
const QUICK: &str = "-Copt-level=3";
/// Crates of ours that are no readers.
const UNCOUNTED: [&str; 3] = ["tuppum_testing", "tuppum_random", "build_script_build"];
/// Arguments with which cargo runs the targets: those in `tests/fuzz.rs` of the crates, and those of the page, whose
/// modules are private. The whole workspace is named, so that dependencies are those of every other test.
const TARGETS: [&[&str]; 2] = [&["--workspace", "--test=fuzz"], &["--package=tuppum", "--lib"]];

/// Runs the targets whose names begin with the one given, or all, and adds what they did to what was done before.
pub fn fuzz(arguments: &[&str]) -> Outcome<()> {
    let (seconds, rounds) = (number(arguments, "--seconds", SECONDS)?, number(arguments, "--rounds", 1)?);
    let name = arguments.first().filter(|argument| !argument.starts_with("--"));
    let filter = format!("fuzz_{}", name.copied().unwrap_or_default().replace('-', "_"));
    let folder = places::target().join("fuzz");
    files::folder(&folder)?;
    let mut totals = Totals::read(&folder.join("totals.tsv"))?;
    let (mut ran, mut failed) = (BTreeSet::new(), false);
    for _ in 0..rounds {
        let seed = totals.next_seed();
        for target in TARGETS {
            let mut command = command(target, &filter, seconds)?;
            command.env("TUPPUM_FUZZ_FOUND", &folder).env("TUPPUM_FUZZ_SEED", seed.to_string());
            if arguments.contains(&"--keep") {
                command.env("TUPPUM_FUZZ_KEEP", "1");
            }
            failed |= !run(&mut command, |ended| {
                ran.insert(ended.name.clone());
                totals.add(ended)
            })?;
        }
        print!("\n{totals}");
    }
    if ran.is_empty() {
        return Err(format!("no target begins with `{}`", name.copied().unwrap_or_default()));
    }
    if failed { Err("some inputs failed; see above".to_owned()) } else { Ok(()) }
}

/// The number behind an option.
fn number(arguments: &[&str], option: &str, default: u32) -> Outcome<u32> {
    let Some(at) = arguments.iter().position(|argument| *argument == option) else { return Ok(default) };
    let given = arguments.get(at + 1).copied().unwrap_or_default();
    given.parse().map_err(|_| format!("{option} wants a whole number, not `{given}`"))
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

/// Runs tests, passing on what they print and telling each target that ended; whether all passed.
fn run(command: &mut Command, mut tell: impl FnMut(Ended) -> Outcome<()>) -> Outcome<bool> {
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    for line in child.stdout.take().into_iter().flat_map(|printed| BufReader::new(printed).lines()) {
        let Ok(line) = line else { continue };
        println!("{line}");
        if let Some(ended) = Ended::read(&line) {
            tell(ended)?;
        }
    }
    let status = child.wait().map_err(|error| format!("lost `{}`: {error}", words(command)))?;
    Ok(status.success())
}

/// Calls rustc as cargo asked for it, with edges counted in our own crates.
pub fn wrap(arguments: &[OsString]) -> ExitCode {
    let Some((rustc, rest)) = arguments.split_first() else { return ExitCode::FAILURE };
    let mut command = Command::new(rustc);
    command.args(rest);
    if is_counted(rest) {
        command.args(COUNTED);
    }
    if is_ours(rest) {
        command.arg(QUICK); // after cargo's own, which it overrules
    }
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("xtask: cannot start {}: {error}", rustc.to_string_lossy());
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if rustc is to compile a crate of ours whose edges count.
fn is_counted(arguments: &[OsString]) -> bool {
    is_ours(arguments) && crate_name(arguments).is_some_and(|name| !UNCOUNTED.contains(&name))
}

/// Returns `true` if rustc is to compile a crate of ours, or its targets.
fn is_ours(arguments: &[OsString]) -> bool {
    crate_name(arguments).is_some_and(|name| name.starts_with("tuppum") || name == "fuzz")
}

fn crate_name(arguments: &[OsString]) -> Option<&str> {
    let at = arguments.iter().position(|argument| argument == "--crate-name")?;
    arguments.get(at + 1)?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_numbers() {
        assert_eq!(number(&["reading", "--seconds", "5"], "--seconds", 60), Ok(5));
        assert_eq!(number(&["reading"], "--rounds", 1), Ok(1));
        assert!(number(&["--seconds", "long"], "--seconds", 60).is_err_and(|said| said.contains("`long`")));
    }

    #[test]
    fn only_our_readers_count_their_edges() {
        let check = |words: &str| is_counted(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(check("--crate-name tuppum_text --edition=2024") && check("--crate-name fuzz tests/fuzz.rs"));
        assert!(!check("--crate-name build_script_build") && !check("--crate-name tuppum_testing") && !check("-vV"));
        assert!(!check("--crate-name ___ --print=cfg"));
    }
}
