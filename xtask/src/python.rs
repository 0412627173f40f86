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

/// Builds the wheel into `dist-python/` and tests it; with `dev` as cargo's tests are compiled, soon and slower to run.
pub fn python(dev: bool) -> Outcome<()> {
    let profile = if dev { "dev" } else { "release" };
    let wheel = timed("building the wheel", || wheel(profile))?;
    let program = timed("building the command to compare with", || {
        run(&mut cargo(&["build", "--package", "tuppum-cli", "--features", "wgpu", "--profile", profile]))?;
        Ok(places::target().join(if dev { "debug" } else { "release" }).join("tuppum"))
    })?;
    let pythons = pythons()?;
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

/// Every CPython on PATH that the wheel is for, each version once, with what it says of itself; the newest last.
fn pythons() -> Outcome<Vec<(String, PathBuf)>> {
    if find("python3").is_none() {
        apt("Python", &["python3", "python3-venv"])?;
    }
    let names = std::iter::once("python3".to_owned()).chain((OLDEST..=NEWEST).map(|minor| format!("python3.{minor}")));
    // By minor version. A manager of versions leaves names on PATH that answer with an error.
    let mut found = BTreeMap::new();
    for python in names.filter_map(|name| find(&name)) {
        let version = answer(Command::new(&python).arg("--version")).unwrap_or_default();
        let minor = version.strip_prefix("Python 3.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
        if let Some(minor) = minor.filter(|minor| *minor >= OLDEST) {
            found.entry(minor).or_insert((version, python));
        }
    }
    if found.is_empty() {
        return Err(format!("no CPython of 3.{OLDEST} or later answered on PATH; install one, and its package venv"));
    }
    Ok(found.into_values().collect())
}

/// The built wheel.
fn wheel(profile: &str) -> Outcome<PathBuf> {
    // The oldest builds the wheel for all.
    let (_, python) = pythons()?.swap_remove(0);
    let python = environment(&python, &places::target().join("python-build"))?;
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
