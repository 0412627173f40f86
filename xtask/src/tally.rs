//! Counting tests in what cargo and the test runners print.

use crate::run::{Outcome, words};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// Tests that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
}

impl Tally {
    /// One check that is no collection of tests.
    pub fn of_check(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed) }
    }

    /// What a run counted, and one failure more where it failed without naming a failed test.
    pub fn of_run(self, succeeded: bool) -> Self {
        if succeeded || self.failed > 0 { self } else { Self { failed: 1, ..self } }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

/// Runs tests, passing on what they print, and counts them. A run that fails without naming a failed test (it did not
/// compile, the browser did not start) counts as one failure.
pub fn run_tests(command: &mut Command) -> Outcome<Tally> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    let mut tally = Tally::default();
    if let Some(printed) = child.stdout.take() {
        tally = pass_on(printed);
    }
    let status = child.wait().map_err(|error| format!("lost `{}`: {error}", words(command)))?;
    Ok(tally.of_run(status.success()))
}

fn pass_on(printed: impl Read) -> Tally {
    let mut tally = Tally::default();
    for line in BufReader::new(printed).split(b'\n').map_while(Result::ok) {
        let mut terminal = std::io::stdout().lock();
        // A closed terminal is no reason to stop counting.
        let _ = terminal.write_all(&line).and_then(|()| terminal.write_all(b"\n"));
        tally = tally.plus(result_line(&String::from_utf8_lossy(&line)).unwrap_or_default());
    }
    tally
}

/// Reads `test result: ok. 3 passed; 0 failed; ...`.
pub fn result_line(line: &str) -> Option<Tally> {
    let rest = line.split_once("test result:")?.1;
    let number_before = |word: &str| {
        let before = rest.split(word).next()?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    Some(Tally { passed: number_before(" passed")?, failed: number_before(" failed")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_printed() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(result_line(line), Some(Tally { passed: 12, failed: 3 }));
        assert_eq!(result_line("running 3 tests"), None);
        let wasm = "test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 1.2s\n";
        assert_eq!(pass_on(format!("noise\n{wasm}{wasm}").as_bytes()), Tally { passed: 8, failed: 0 });
    }

    #[test]
    fn a_run_that_does_not_compile_fails() {
        assert_eq!(run_tests(&mut Command::new("false")), Ok(Tally { passed: 0, failed: 1 }));
    }
}
