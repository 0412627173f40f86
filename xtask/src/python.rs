//! The Python package: its wheel, built by maturin, installed into a clean environment and tested there. Nothing else
//! in the project needs Python.

use crate::programs::{apt, cargo, command, find};
use crate::run::{Outcome, answer, file_error, run, timed};
use crate::{places, programs};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version that `pyproject.toml` asks for.
const MATURIN: &str = "maturin==1.16.0";
/// The minor version of the oldest CPython 3 that `pyproject.toml` allows, and of the newest that is looked for.
const OLDEST: u32 = 11;
const NEWEST: u32 = 19;
/// Has an interpreter say what it is; it fails where it cannot make environments.
const ASK: &str = "import ensurepip, sys, sysconfig, venv; print(sys.implementation.name, *sys.version_info[:2], \
                   sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";

/// Builds the wheel into `dist-python/` and tests it; with `dev` as cargo's tests are compiled, soon and slower to run.
pub fn python(dev: bool) -> Outcome<()> {
    let profile = if dev { "dev" } else { "release" };
    let pythons = pythons()?;
    // The oldest builds the wheel for all.
    let (_, oldest) = pythons
        .first()
        .ok_or_else(|| format!("no CPython of 3.{OLDEST} or later with `venv` is on PATH; install one"))?;
    let wheel = timed("building the wheel", || wheel(profile, oldest))?;
    let program = timed("building the command to compare with", || {
        run(&mut cargo(&["build", "--package", "tuppum-cli", "--features", "wgpu", "--profile", profile]))?;
        Ok(places::target().join(if dev { "debug" } else { "release" }).join("tuppum"))
    })?;
    for (name, python) in &pythons {
        timed(&format!("testing the wheel in a clean environment of {name}"), || tested(python, &wheel, &program))?;
    }
    if pythons.len() < 2 {
        println!("no other CPython of 3.{OLDEST} or later is on PATH, so the wheel was tried in this one only");
    }
    timed("clippy, warnings denied", || {
        let package = ["clippy", "--package", "tuppum-python", "--features", "wgpu", "--quiet", "--"];
        run(cargo(&package).args(["--deny", "warnings"]))
    })
}

/// Installs the wheel for an interpreter and compares its answers with those of the command.
fn tested(python: &Path, wheel: &Path, program: &Path) -> Outcome<()> {
    let folder = places::target().join("python-test");
    let python = environment(python, &folder)?;
    run(pip(&python).arg(wheel))?;
    let mut test = programs::command(&python);
    test.args(["-m", "unittest", "discover", "--start-directory"]).arg(places::project().join("python/tests"));
    run(test.env("TUPPUM_COMMAND", program).env("TUPPUM_PROJECT", places::project()).current_dir(folder))
}

/// Every CPython on PATH that can have the wheel in an environment of its own, each minor version once, with its name;
/// the oldest first.
fn pythons() -> Outcome<Vec<(String, PathBuf)>> {
    let names =
        || std::iter::once("python3".to_owned()).chain((OLDEST..=NEWEST).map(|minor| format!("python3.{minor}")));
    if names().all(|name| find(&name).is_none()) {
        apt("Python", &["python3", "python3-venv"])?;
    }
    let mut found = BTreeMap::new();
    for python in names().filter_map(|name| find(&name)) {
        match answer(Command::new(&python).args(["-c", ASK])).as_deref().map(minor_of) {
            Some(Ok(minor)) => {
                found.entry(minor).or_insert((format!("CPython 3.{minor}"), python));
            }
            Some(Err(reason)) => println!("   without {}: {reason}", python.display()),
            // A manager of versions leaves names on PATH that answer with an error; others lack `venv`.
            None => println!("   without {}: it has no `venv` with pip, or does not start", python.display()),
        }
    }
    Ok(found.into_values().collect())
}

/// The minor version in an interpreter's answer to [`ASK`], or why it cannot have the wheel.
fn minor_of(told: &str) -> Result<u32, String> {
    let other = || format!("it is {told}, no CPython 3");
    let words: Vec<&str> = told.split_whitespace().collect();
    let &[name, "3", minor, threads] = words.as_slice() else { return Err(other()) };
    let minor = minor.parse().map_err(|_| other())?;
    match (name, threads) {
        ("cpython", "0") if minor >= OLDEST => Ok(minor),
        ("cpython", "0") => Err(format!("3.{minor} is older than 3.{OLDEST}")),
        ("cpython", _) => Err("a build without the global lock cannot have wheels for abi3".to_owned()),
        _ => Err(format!("it is {name}, no CPython")),
    }
}

/// The wheel, built by an interpreter.
fn wheel(profile: &str, python: &Path) -> Outcome<PathBuf> {
    let python = environment(python, &places::target().join("python-build"))?;
    run(pip(&python).arg(MATURIN))?;
    let out = places::project().join("dist-python");
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(file_error("empty", &out))?;
    }
    let mut build = command(&python);
    build.args(["-m", "maturin", "build", "--profile", profile, "--features", "wgpu"]);
    build.args(["--manifest-path", "python/Cargo.toml", "--interpreter"]);
    run(build.arg(&python).arg("--out").arg(&out))?;
    let files = std::fs::read_dir(&out).map_err(file_error("read", &out))?;
    let wheel = files.flatten().map(|file| file.path()).find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.ok_or_else(|| format!("maturin left no wheel in {}", out.display()))
}

/// An environment of an interpreter without anything in it; its own interpreter.
fn environment(python: &Path, folder: &Path) -> Outcome<PathBuf> {
    run(command(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    Ok(folder.join("bin/python"))
}

fn pip(python: &Path) -> Command {
    let mut pip = command(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_say_whether_they_can_have_the_wheel() {
        assert_eq!(minor_of("cpython 3 13 0"), Ok(13));
        for (told, expected) in [
            ("cpython 3 9 0", "older than 3.11"),
            ("cpython 3 13 1", "global lock"),
            ("pypy 3 11 0", "it is pypy"),
            ("cpython 4 0 0", "no CPython 3"),
            ("", "no CPython 3"),
        ] {
            assert!(minor_of(told).is_err_and(|reason| reason.contains(expected)), "{told}");
        }
    }
}
