//! Tests run by nextest, whose order, groups, retries and time limits lie in `.config/nextest.toml`.

use crate::places;
use crate::profiles::Profiles;
use crate::programs::cargo;
use crate::run::Outcome;
use crate::tally::{Results, Tally, run_tests};
use crate::tools;
use std::process::Command;

/// `cargo nextest run` with a profile of `.config/nextest.toml`.
pub fn nextest(profile: &str) -> Outcome<Command> {
    tools::cargo_nextest()?;
    Ok(cargo(&["nextest", "run", "--profile", profile, "--no-fail-fast"]))
}

/// Runs browser tests on the built application; the browsers' profiles lie in memory.
pub fn in_browser(command: &mut Command) -> Outcome<Tally> {
    command.args(["--package", "tuppum-browser-tests"]).env("TUPPUM_DIST", places::dist());
    let profiles = Profiles::in_memory();
    profiles.tell(command);
    run_tests(command, Results::Nextest)
}

#[cfg(test)]
mod tests {
    use crate::places;

    #[test]
    fn every_program_that_nextest_orders_is_there() {
        let order = std::fs::read_to_string(places::project().join(".config/nextest.toml")).unwrap();
        let names: Vec<&str> = order.split("binary(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(names.len() > 3, "{names:?}");
        for name in names {
            let folder = places::project().join("tests/browser/tests");
            let found = [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")];
            assert!(found.iter().any(|file| file.is_file()), "there are no browser tests called {name}");
        }
    }
}
