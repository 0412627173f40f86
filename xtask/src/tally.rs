//! Counting tests in what cargo and the test runners print.

use crate::run::{Outcome, words};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// Number of tests that ran, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    /// Tests among the passed that failed at first.
    pub flaky: usize,
}

impl Tally {
    /// Counts one check that is no collection of tests.
    pub fn of_check(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed), flaky: 0 }
    }

    /// The tests counted, with one failure added where the run failed without naming a failed test.
    pub fn of_run(self, succeeded: bool) -> Self {
        if succeeded || self.failed > 0 { self } else { Self { failed: 1, ..self } }
    }

    /// The sum of two counts.
    pub fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed, flaky: self.flaky + other.flaky }
    }
}

/// The stream of a test runner that carries its results.
#[derive(Clone, Copy)]
pub enum Results {
    /// The tests' own harness, on the standard output.
    Harness,
    /// nextest, on the error output.
    Nextest,
}

/// Runs tests, passing on what they print, and counts them. A run that fails without naming a failed test (it did not
/// compile, the browser did not start) counts as one failure.
pub fn run_tests(command: &mut Command, results: Results) -> Outcome<Tally> {
    match results {
        Results::Harness => command.stdout(Stdio::piped()),
        Results::Nextest => command.stderr(Stdio::piped()),
    };
    let mut child = command.spawn().map_err(|error| format!("cannot start `{}`: {error}", words(command)))?;
    let mut tally = Tally::default();
    if let Some(printed) = child.stdout.take() {
        tally = pass_on(printed, results);
    }
    if let Some(printed) = child.stderr.take() {
        tally = pass_on(printed, results);
    }
    let status = child.wait().map_err(|error| format!("lost `{}`: {error}", words(command)))?;
    Ok(tally.of_run(status.success()))
}

fn pass_on(printed: impl Read, results: Results) -> Tally {
    let mut tally = Tally::default();
    for line in BufReader::new(printed).split(b'\n').map_while(Result::ok) {
        let mut terminal = std::io::stdout().lock();
        // A closed terminal is no reason to stop counting.
        let _ = terminal.write_all(&line).and_then(|()| terminal.write_all(b"\n"));
        tally = tally.plus(result_line(&String::from_utf8_lossy(&line), results).unwrap_or_default());
    }
    tally
}

/// Reads `test result: ok. 3 passed; 0 failed; ...` of the harness, or nextest's
/// `Summary [   1.2s] 5 tests run: 3 passed (1 flaky), 1 failed, 1 timed out, 2 skipped`. nextest also shows what the
/// harness of a failed test printed, which does not count once more.
fn result_line(line: &str, results: Results) -> Option<Tally> {
    let rest = match results {
        Results::Harness => line.split_once("test result:")?.1,
        Results::Nextest => line.split_once("Summary [")?.1.split_once(" run:")?.1,
    };
    let number_before = |word: &str| {
        let before = &rest[..rest.find(word)?];
        before.split(|letter: char| !letter.is_ascii_digit()).rfind(|part| !part.is_empty())?.parse().ok()
    };
    let failed: usize = [" failed", " timed out", " exec failed"].iter().filter_map(|word| number_before(word)).sum();
    let flaky = number_before(" flaky").unwrap_or_default();
    Some(Tally { passed: number_before(" passed")?, failed, flaky })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_harness_are_counted() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(result_line(line, Results::Harness), Some(Tally { passed: 12, failed: 3, flaky: 0 }));
        assert_eq!(result_line("running 3 tests", Results::Harness), None);
        assert_eq!(result_line(line, Results::Nextest), None);
        let wasm = "test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 1.2s\n";
        assert_eq!(
            pass_on(format!("noise\n{wasm}{wasm}").as_bytes(), Results::Harness),
            Tally { passed: 8, failed: 0, flaky: 0 }
        );
    }

    #[test]
    fn results_of_nextest_are_counted() {
        let check = |line: &str, [passed, failed, flaky]: [usize; 3]| {
            assert_eq!(result_line(line, Results::Nextest), Some(Tally { passed, failed, flaky }), "{line}");
        };
        check("     Summary [   0.031s] 23 tests run: 23 passed, 2 skipped", [23, 0, 0]);
        check("     Summary [   9.5s] 1 test run: 0 passed, 1 timed out, 5 skipped", [0, 1, 0]);
        check(
            "     Summary [ 99.1s] 1402 tests run: 1390 passed (2 slow, 1 flaky), 10 failed, 2 timed out",
            [1390, 12, 1],
        );
        assert_eq!(result_line("        PASS [   0.005s] tuppum-text tests run: none", Results::Nextest), None);
    }

    #[test]
    fn a_run_that_does_not_compile_fails() {
        for results in [Results::Harness, Results::Nextest] {
            assert_eq!(run_tests(&mut Command::new("false"), results), Ok(Tally::of_check(false)));
        }
    }
}
