//! `cargo xtask test`: every check, in order, each announced and timed.

use crate::nextest::{in_browser, nextest};
use crate::programs::cargo;
use crate::run::{Outcome, duration, run};
use crate::tally::{Results, Tally, run_tests};
use crate::toolchain::{TARGET, Wasm, variable};
use crate::{places, programs, tools, trunk};
use std::process::Command;
use std::time::{Duration, Instant};

/// A stage: its name on the command line, a description, and the function that runs it.
type Stage = (&'static str, &'static str, fn() -> Outcome<Tally>);

const STAGES: [Stage; 9] = [
    ("format", "formatting", format),
    ("clippy", "clippy, warnings denied", clippy),
    ("native", "native tests", native),
    ("lab", "native tests of the laboratory", lab),
    ("graphics", "the command line on a graphics card, or on Mesa's Vulkan", graphics),
    ("build", "page and engine into dist/", build),
    ("wasm", "tests of the engine in a browser's worker", wasm),
    ("browser", "tests of the whole application in Chromium", browser),
    ("firefox", "its main paths in Firefox", crate::firefox::firefox),
];

/// The stages that `quick` stands for: what one runs while working.
const QUICK: [&str; 3] = ["format", "clippy", "native"];

/// The Python package, which has `cargo xtask python`.
const PYTHON: &str = "tuppum-python";

/// nextest's name for the tests of the laboratory.
const LAB: &str = "package(tuppum-lab)";

/// Runs all stages, or only those named; fails when anything failed. Later stages run all the same, but no browser
/// without something to open.
pub fn test(names: &[&str]) -> Outcome<()> {
    let names = if names == ["quick"] { &QUICK } else { names };
    if let Some(unknown) = names.iter().find(|name| STAGES.iter().all(|(stage, ..)| stage != *name)) {
        let known: Vec<&str> = STAGES.iter().map(|(name, ..)| *name).collect();
        return Err(format!("there is no stage `{unknown}`; these are: quick, {}", known.join(", ")));
    }
    let mut all = Tally::default();
    let mut times = Vec::new();
    let mut built = true;
    for (name, what, stage) in STAGES {
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        println!("\n══ {name}: {what}");
        let start = Instant::now();
        let tally = if ["browser", "firefox"].contains(&name) && !built {
            Err("not run, because there is no build to open".to_owned())
        } else {
            stage()
        };
        let tally = tally.unwrap_or_else(|message| {
            println!("{message}");
            Tally::of_check(false)
        });
        built &= name != "build" || tally.failed == 0;
        times.push((name, tally, start.elapsed()));
        all = all.plus(tally);
    }
    report(&times);
    println!("{} passed, {} failed", all.passed, all.failed);
    if all.failed == 0 { Ok(()) } else { Err("some checks failed; see above".to_owned()) }
}

fn report(times: &[(&str, Tally, Duration)]) {
    println!();
    for (name, tally, time) in times {
        let flaky = if tally.flaky == 0 { String::new() } else { format!("  {} only at the second try", tally.flaky) };
        println!("{name:<12} {:>5} passed {:>3} failed  {}{flaky}", tally.passed, tally.failed, duration(*time));
    }
}

fn check(command: &mut Command) -> Outcome<Tally> {
    run(command).map(|()| Tally::of_check(true))
}

fn format() -> Outcome<Tally> {
    check(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Outcome<Tally> {
    check(&mut cargo(&[
        "clippy",
        "--workspace",
        "--exclude",
        PYTHON,
        "--all-targets",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ]))
}

fn native() -> Outcome<Tally> {
    native_tests(&format!("not {LAB}"))
}

fn lab() -> Outcome<Tally> {
    native_tests(LAB)
}

/// Native tests that a filter of nextest chooses. All are compiled together, the laboratory's too: another choice of
/// packages would need other features of burn, and have it compiled once more. The browser tests want a built
/// application.
fn native_tests(filter: &str) -> Outcome<Tally> {
    let mut command = nextest("default")?;
    command.args(["--workspace", "--exclude", PYTHON, "--exclude", "tuppum-browser-tests", "--filterset", filter]);
    run_tests(&mut command, Results::Nextest)
}

/// A stage of its own, since with the compilers of shaders every test program that links burn would be two and a half
/// times as large.
fn graphics() -> Outcome<Tally> {
    let packages = ["--package", "tuppum-cli", "--package", "tuppum-lab"];
    let mut command = cargo(&["test", "--features", "wgpu", "--test", "graphics"]);
    command.args(packages);
    match tools::vulkan() {
        // The tests fail then where they find no card.
        Ok(()) => drop(command.env("TUPPUM_VULKAN", "installed")),
        // They say then that they were not run.
        Err(reason) => println!("   perhaps without a graphics card: {reason}"),
    }
    run_tests(command.args(["--", "--nocapture"]), Results::Harness)
}

fn build() -> Outcome<Tally> {
    trunk::build(false).map(|_| Tally::of_check(true))
}

/// The engine in a worker, then the page's side of it.
fn wasm() -> Outcome<Tally> {
    let (browser, toolchain) = (tools::browser()?, Wasm::ready()?);
    println!("   {TARGET}, {}", browser.chromium.display());
    let tests = |arguments: &[&str]| run_tests(&mut in_worker(&browser, &toolchain, arguments)?, Results::Harness);
    let engine = tests(&["--package", "tuppum-wasm-tests", "--tests"])?;
    Ok(engine.plus(tests(&["--package", "tuppum", "--test", "engine_client"])?))
}

/// Cargo for tests in a browser's worker.
pub fn in_worker(browser: &tools::Browser, toolchain: &Wasm, arguments: &[&str]) -> Outcome<Command> {
    let mut command = programs::command("cargo");
    command.args(["test", "--target", TARGET, "--profile", "engine", "--no-fail-fast"]).args(arguments);
    toolchain.prepare(&mut command);
    let runner = tools::wasm_bindgen()?.with_file_name("wasm-bindgen-test-runner");
    command.env(variable("RUNNER"), runner).env("CHROMEDRIVER", &browser.driver);
    command.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", places::project().join("tests/webdriver.json"));
    // The software adapter needs minutes for what a GPU does in seconds.
    command.env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    Ok(command)
}

fn browser() -> Outcome<Tally> {
    let browser = tools::browser()?;
    let mut command = nextest("browser")?;
    command.env("CHROMEDRIVER", browser.driver).env("CHROMIUM", browser.chromium);
    match tools::axe() {
        Ok(axe) => drop(command.env("AXE", axe)),
        // Its test says then that it was not run.
        Err(reason) => println!("   without axe-core: {reason}"),
    }
    in_browser(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_have_names_that_are_known() {
        assert!(test(&["nothing"]).is_err_and(|said| said.contains("`nothing`") && said.contains("quick, format")));
        assert!(QUICK.iter().all(|name| STAGES.iter().any(|(stage, ..)| stage == name)));
    }
}
