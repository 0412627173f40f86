//! Test programs that cargo has compiled, run side by side: those that wait for a browser more than they compute.

use crate::run::{Outcome, duration, words};
use crate::tally::{Tally, result_line};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Programs at a time. With one, two processors are idle for nearly half of the time; more than processors would make
/// every answer late and nothing sooner.
const LANES: usize = 2;

/// A compiled test program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    name: String,
    file: PathBuf,
    /// The folder of its package, in which cargo would run it.
    folder: PathBuf,
}

/// Compiles the tests that a `cargo test` names, then runs their programs with these arguments, two at a time; what
/// each prints comes in one piece. `longest` names those to begin with, so that none of them runs alone at the end.
pub fn run_side_by_side(test: &mut Command, arguments: &[&str], longest: &[&str]) -> Outcome<Tally> {
    test.args(["--no-run", "--message-format=json-render-diagnostics"]).stderr(Stdio::inherit());
    let built = test.output().map_err(|error| format!("cannot start `{}`: {error}", words(test)))?;
    if !built.status.success() {
        return Ok(Tally::of_check(false));
    }
    let mut programs = programs(&String::from_utf8_lossy(&built.stdout));
    let place = |name: &str| longest.iter().position(|long| *long == name).unwrap_or(longest.len());
    programs.sort_by_key(|program| place(&program.name));
    let waiting = Mutex::new(programs.into_iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                while let Some(program) = next() {
                    let tally = run_program(&program, test, arguments);
                    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                    *all = all.plus(tally);
                }
            });
        }
    });
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
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
fn run_program(program: &Program, test: &Command, arguments: &[&str]) -> Tally {
    let mut command = Command::new(&program.file);
    command.args(arguments).current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    for (name, value) in test.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output();
    let (printed, succeeded) = match output {
        Ok(output) => {
            let printed = [output.stdout, output.stderr].concat();
            (String::from_utf8_lossy(&printed).into_owned(), output.status.success())
        }
        Err(error) => (format!("cannot start `{}`: {error}\n", words(&command)), false),
    };
    println!("── {} ({})\n{}", program.name, duration(start.elapsed()), printed.trim_end());
    tally(&printed, succeeded)
}

/// What a program printed of its tests; one that failed without naming a failed test counts as one failure.
fn tally(printed: &str, succeeded: bool) -> Tally {
    let tally = printed.lines().filter_map(result_line).fold(Tally::default(), Tally::plus);
    if succeeded || tally.failed > 0 { tally } else { tally.plus(Tally::of_check(false)) }
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
    fn tests_that_do_not_compile_are_a_failure() {
        let nothing = run_side_by_side(&mut Command::new("false"), &[], &[]);
        assert_eq!(nothing, Ok(Tally { passed: 0, failed: 1 }));
    }
}
