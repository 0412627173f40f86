//! Test programs that drive browsers, compiled by cargo and run side by side: they wait as well as compute.

use crate::files::folder;
use crate::places;
use crate::profiles::Profiles;
use crate::run::{Outcome, duration, words};
use crate::tally::{Tally, result_line};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Programs at a time. With one, two processors are idle for a fifth of the time, and longer where a test waits for the
/// page's own deadlines; with three, every answer would be late and nothing sooner.
const LANES: usize = 2;

/// A compiled test program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    name: String,
    file: PathBuf,
    /// The folder of its package, in which cargo would run it.
    folder: PathBuf,
}

/// In which order programs run.
pub struct Order<'a> {
    /// Those to begin with, so that none of them runs alone at the end.
    pub longest: &'a [&'a str],
    /// Those that measure time, and run alone after the others.
    pub alone: &'a [&'a str],
}

/// Compiles the tests that a `cargo test` names, then runs their programs with these arguments, two at a time. What a
/// program prints is kept in a file while it runs, and comes in one piece; profiles of browsers lie in memory.
pub fn run_side_by_side(test: &mut Command, arguments: &[&str], order: &Order) -> Outcome<Tally> {
    test.args(["--no-run", "--message-format=json-render-diagnostics"]).stderr(Stdio::inherit());
    let built = test.output().map_err(|error| format!("cannot start `{}`: {error}", words(test)))?;
    let mut programs = programs(&String::from_utf8_lossy(&built.stdout));
    if !built.status.success() || programs.is_empty() {
        return Ok(Tally::of_check(false));
    }
    let profiles = Profiles::in_memory();
    profiles.tell(test);
    let test = &*test;
    let place = |name: &str| order.longest.iter().position(|long| *long == name).unwrap_or(order.longest.len());
    programs.sort_by_key(|program| place(&program.name));
    let (alone, together) = programs.into_iter().partition(|program| order.alone.contains(&program.name.as_str()));
    // Of this clone, not of the build folder, which clones share.
    let logs = places::project().join("target/browser-tests/output");
    folder(&logs)?;
    let in_lanes = |programs: Vec<Program>, lanes: usize| {
        let (waiting, all) = (Mutex::new(programs.into_iter()), Mutex::new(Tally::default()));
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        std::thread::scope(|scope| {
            for _ in 0..lanes {
                scope.spawn(|| {
                    while let Some(program) = next() {
                        let tally = run_program(&program, test, arguments, &logs);
                        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                        *all = all.plus(tally);
                    }
                });
            }
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    };
    Ok(in_lanes(together, LANES).plus(in_lanes(alone, 1)))
}

/// The test programs in cargo's messages, one JSON object a line.
fn programs(messages: &str) -> Vec<Program> {
    let program = |message: Value| {
        let file = message.get("executable")?.as_str()?;
        let is_test = message.pointer("/profile/test")?.as_bool()?;
        let folder = Path::new(message.get("manifest_path")?.as_str()?).parent()?;
        let name = message.pointer("/target/name")?.as_str()?;
        is_test.then(|| Program { name: name.to_owned(), file: file.into(), folder: folder.to_owned() })
    };
    messages.lines().filter_map(|line| serde_json::from_str(line).ok().and_then(program)).collect()
}

/// Runs a program in the environment of the command that compiled it, and passes on what it printed.
fn run_program(program: &Program, test: &Command, arguments: &[&str], logs: &Path) -> Tally {
    let mut command = Command::new(&program.file);
    command.args(arguments).current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    for (name, value) in test.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let log = logs.join(format!("{}.txt", program.name));
    say(&format!("── {} begins", program.name));
    let start = Instant::now();
    let ran = File::create(&log).and_then(|file| {
        let both = file.try_clone()?;
        let status = command.stdin(Stdio::null()).stdout(file).stderr(both).status()?;
        Ok((String::from_utf8_lossy(&fs::read(&log)?).into_owned(), status.success()))
    });
    let (printed, succeeded) =
        ran.unwrap_or_else(|error| (format!("`{}` could not be run: {error}\n", words(&command)), false));
    say(&format!("── {} ({})\n{}", program.name, duration(start.elapsed()), printed.trim_end()));
    tally(&printed, succeeded)
}

/// Prints; a closed terminal is no reason to stop.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// What a program printed of its tests.
fn tally(printed: &str, succeeded: bool) -> Tally {
    printed.lines().filter_map(result_line).fold(Tally::default(), Tally::plus).of_run(succeeded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn test_programs_are_found_among_cargos_messages() {
        let message = |name: &str, is_test: bool, file: &str| {
            json!({ "reason": "compiler-artifact", "manifest_path": "/a/tests/browser/Cargo.toml",
                "target": { "name": name }, "profile": { "test": is_test }, "executable": file })
            .to_string()
        };
        let finished = json!({ "reason": "build-finished", "success": true }).to_string();
        let messages = [message("soak", false, "/t/soak"), message("tree", true, "/t/tree-1"), finished].join("\n");
        let tree = Program { name: "tree".into(), file: "/t/tree-1".into(), folder: "/a/tests/browser".into() };
        assert_eq!(programs(&messages), [tree]);
    }

    #[test]
    fn a_program_that_dies_is_a_failure() {
        let printed =
            "test result: ok. 2 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
        assert_eq!(tally(printed, false), Tally { passed: 3, failed: 1 });
        assert_eq!(tally("running 3 tests\n", false), Tally { passed: 0, failed: 1 });
        assert_eq!(tally("", true), Tally::default());
    }

    #[test]
    fn tests_that_do_not_compile_or_are_not_there_are_a_failure() {
        for program in ["false", "true"] {
            let nothing = run_side_by_side(&mut Command::new(program), &[], &Order { longest: &[], alone: &[] });
            assert_eq!(nothing, Ok(Tally { passed: 0, failed: 1 }), "{program}");
        }
    }
}
